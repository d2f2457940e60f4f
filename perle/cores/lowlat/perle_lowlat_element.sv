// SPDX-License-Identifier: Apache-2.0
//
// PE j of the row: two products, one digit with its saved carry.
//
//   s_j + 2^k·c_j ← s_{j+1} + min(c_j, 2) + T_j + V_j + W_j
//   T_j ← lo(a·b_j) + hi(a·b_{j−1}) + (c_{j+1} >= 3) ;  V_j ← lo(q·m_j) + hi(q·m_{j−1}) + (c_{j+1} = 4) ;
//   W_j ← a·e_j
//
// Ranges    a, b, q, m, s in [0, 2^k); T, V in [0, 2^(k+1) − 1]; c in [0, 4]: a sum is at most 5·2^k − 3;
//           e, a saved carry of a forwarded operand, in [0, 2], and 0 unless V is 0: W is in the range of V
//           at position 0 c is at most 3, and at most 2 if q_hi_i is nonzero
// Algorithm one iteration of Orup's recurrence: everything moves down by one digit, and both products are
//           added. A saved carry has the weight of PE j + 1, which is this PE's own after the shift. Two
//           units of it enter the addition, as the lowest bit of the saved-carry vector and as the carry-in;
//           the units above two enter T and V of PE j − 1, one iteration later and therefore one digit lower
// Cycles    latency from the factors to the sum: product_cycles, and one cycle each for T or V and the sum
// Left out  reset: clear_i is 1 from the reset until the first sum of the first operation
//
// Parameters
//   RadixBits   k, bits of a digit
//   Modulus     this PE has a digit of the modulus; otherwise q·m_j is zero
//   First       position 0: V adds its two low halves, T the high half from perle_lowlat_reduce_digit

module perle_lowlat_element
  import perle_lowlat_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter bit          Modulus   = 1'b1,
  parameter bit          First     = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 clear_i,
  input  logic                 step_i,
  input  logic [RadixBits-1:0] a_i,
  input  logic [RadixBits-1:0] b_i,
  input  logic [RadixBits-1:0] q_i,
  input  logic [RadixBits-1:0] m_i,
  input  logic [RadixBits-1:0] a_delayed_i,      // a, product_cycles ago
  input  logic [          1:0] saved_i,          // e
  input  logic [RadixBits-1:0] s_i,              // digit of PE j + 1
  input  logic [          1:0] carry_delayed_i,  // carry units above two of PE j + 1: one for T, one for V
  input  logic [RadixBits-1:0] a_hi_i,           // high halves of PE j − 1
  input  logic [RadixBits-1:0] q_hi_i,
  output logic [RadixBits-1:0] a_hi_o,
  output logic [RadixBits-1:0] q_hi_o,
  output logic [RadixBits-1:0] s_o,
  output logic [RadixBits-1:0] s_next_o,
  output logic [          2:0] c_o
);

  localparam int unsigned SumBits = RadixBits + 3;
  localparam int unsigned ProductCycles = product_cycles(RadixBits);

  logic [RadixBits-1:0] a_lo, q_lo;
  logic [RadixBits:0] t_q, v_q, w_q, t, vw, save_sum, save_carry;
  logic [1:0] ones, saved;
  logic [ProductCycles-1:0][1:0] saved_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [RadixBits+1:0] t_sum, v_sum;  // bit 0 of each only generates the carry-in of the others
  logic [SumBits:0] sum;
  // verilator lint_on UNUSEDSIGNAL

  perle_lowlat_product #(
    .RadixBits(RadixBits)
  ) u_product_a (
    .clk_i,
    .x_i(a_i),
    .y_i(b_i),
    .p_o({a_hi_o, a_lo})
  );

  if (Modulus) begin : gen_modulus
    perle_lowlat_product #(
      .RadixBits(RadixBits)
    ) u_product_q (
      .clk_i,
      .x_i(q_i),
      .y_i(m_i),
      .p_o({q_hi_o, q_lo})
    );
  end else begin : gen_none
    logic unused;
    assign unused = ^{q_i, m_i};
    assign q_hi_o = '0;
    assign q_lo = '0;
  end

  // Position 0 has no high half of a·b, so that T is small and has room for a third unit of c.
  if (First) begin : gen_first
    logic third;
    assign third = &c_o[1:0];
    assign t_sum = (RadixBits + 2)'({q_hi_i, 1'b1}) + (RadixBits + 2)'({a_hi_i, carry_delayed_i[0]});
    assign v_sum = (RadixBits + 2)'({q_lo, 1'b1}) + (RadixBits + 2)'({a_lo, carry_delayed_i[1]});
    assign t = {t_q[RadixBits:2], t_q[1] || (t_q[0] && third), t_q[0] ^ third};
  end else begin : gen_other
    assign t_sum = (RadixBits + 2)'({a_lo, 1'b1}) + (RadixBits + 2)'({a_hi_i, carry_delayed_i[0]});
    assign v_sum = (RadixBits + 2)'({q_lo, 1'b1}) + (RadixBits + 2)'({q_hi_i, carry_delayed_i[1]});
    assign t = t_q;
  end

  always_ff @(posedge clk_i) begin
    t_q <= t_sum[RadixBits+1:1];
    v_q <= v_sum[RadixBits+1:1];
    saved_q <= (2 * ProductCycles)'({saved_q, saved_i});
    w_q <= saved[1] ? {a_delayed_i, 1'b0} : {1'b0, saved[0] ? a_delayed_i : '0};
  end

  assign saved = saved_q[ProductCycles-1];
  assign vw = v_q | w_q;

  assign save_sum = {1'b0, s_i} ^ t ^ vw;
  assign save_carry = ({1'b0, s_i} & (t | vw)) | (t & vw);
  assign ones = {|c_o, |c_o[2:1]};
  assign sum = (SumBits + 1)'({save_sum, 1'b1}) + (SumBits + 1)'({save_carry, ones});

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      s_o <= '0;
      c_o <= '0;
    end else if (step_i) begin
      {c_o, s_o} <= sum[SumBits:1];
    end
  end

  assign s_next_o = sum[RadixBits:1];

endmodule
