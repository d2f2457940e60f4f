// SPDX-License-Identifier: Apache-2.0
//
// PE N, the last one: the iteration with the last quotient digit, by M̂ or by M itself, and the comparison
// with M.
//
//   OpMul     q = z_0                ;  V = ⌊Z/β⌋ + q·M̂
//   OpReduce  q = z_0·mprime mod β   ;  V = (Z + q·M)/β                  β = 2^k
//   D = V − M mod β^N, ge: V >= M
//
// Ranges    V < β^N. OpReduce: V < 2·M (see README), so that one of V and D is canonical
// Algorithm as perle_stream_element. As its digit of A would always be zero, that multiplier computes
//           q = z_0·factor mod β, factor 1 or mprime. V has no digit N, so that beat 0 is used for z_0 +
//           q·M_0, a multiple of β of which only the carry is kept. M̂_{s−1} arrives in beat s, and so does
//           M_s
// Cycles    digit 0 of V and D 12 cycles after beat 0, one digit per cycle, ge_o with the last one;
//           digit j of M is due at modulus_i DigitMuxCycles cycles after index_o is j, in beats 1 … N
//
// Parameters
//   Digits, RadixBits   N and k

module perle_stream_exit
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Digits    = 58,
  parameter  int unsigned RadixBits = 18,
  localparam int unsigned IndexBits = $clog2(Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 head_i,    // beat 0
  input  logic                 reduce_i,  // of the next product
  input  logic [RadixBits-1:0] mprime_i,  // likewise
  output logic                 active_o,  // beats 1 … N
  output logic [IndexBits-1:0] index_o,
  input  logic [RadixBits-1:0] modulus_i,  // M
  input  logic [RadixBits-1:0] z_i,
  input  logic [RadixBits-1:0] m_i,  // M̂
  output logic                 push_o,
  output logic                 last_o,
  output logic                 ge_o,
  output logic [RadixBits-1:0] value_o,
  output logic [RadixBits-1:0] diff_o
);

  localparam int unsigned EarlyCycles = DigitMuxCycles + 2;  // from z_i and m_i to the multiplier
  localparam int unsigned DelayCycles = 7;  // from a digit of M to the digit of V that it is compared with
  localparam int unsigned OutCycles = 11;  // from an index to its digit of the result

  logic [RadixBits-1:0] factor_q, quotient_q, q_q, modulus_q, v, m_delayed;
  logic [2*RadixBits-1:0] factor_product, q_product;
  logic [2*RadixBits:0] u_q;
  logic [EarlyCycles+2:0][RadixBits-1:0] z_q;
  logic [EarlyCycles-2:0][RadixBits-1:0] mhat_q;
  logic [DelayCycles-1:0][RadixBits-1:0] m_q;
  logic [EarlyCycles-1:0] head_q;
  logic [OutCycles-1:0] push_q, last_q, first_q;
  logic [DelayCycles-1:0] real_delayed_q;
  logic reduce_q, real_q, active_q, ge_q, last_index;
  logic [IndexBits-1:0] index_q;

  assign active_o = active_q;
  assign index_o = index_q;
  assign last_index = (index_q == IndexBits'(Digits - 1));

  // The index of the digit of M, and the valid flags of the digits of the result.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      active_q <= 1'b0;
      index_q <= '0;
      push_q <= '0;
      last_q <= '0;
      first_q <= '0;
    end else begin
      head_q <= {head_q[EarlyCycles-2:0], head_i};
      active_q <= head_i || (active_q && !last_index);
      index_q <= (head_i || !active_q) ? '0 : index_q + IndexBits'(1);
      push_q <= {push_q[OutCycles-2:0], active_q};
      last_q <= {last_q[OutCycles-2:0], active_q && last_index};
      first_q <= {first_q[OutCycles-2:0], head_q[0]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_i) reduce_q <= reduce_i;
    if (head_q[2]) real_q <= reduce_q;
  end

  perle_mul_reg2 #(
    .Width(RadixBits)
  ) u_mul_factor (
    .clk_i,
    .x_i(z_i),
    .y_i(factor_q),
    .p_o(factor_product)
  );

  perle_mul_reg2 #(
    .Width(RadixBits)
  ) u_mul_q (
    .clk_i,
    .x_i(q_q),
    .y_i(modulus_q),
    .p_o(q_product)
  );

  always_ff @(posedge clk_i) begin
    factor_q <= reduce_i ? mprime_i : RadixBits'(1);
    if (head_q[1]) quotient_q <= factor_product[RadixBits-1:0];
    if (head_q[EarlyCycles-2]) q_q <= quotient_q;
    z_q <= {z_q[EarlyCycles+1:0], z_i};
    mhat_q <= {mhat_q[EarlyCycles-3:0], m_i};
    m_q <= {m_q[DelayCycles-2:0], modulus_i};
    real_delayed_q <= {real_delayed_q[DelayCycles-2:0], real_q};
    modulus_q <= real_q ? modulus_i : mhat_q[EarlyCycles-2];
    u_q <= {1'b0, q_product};
  end

  perle_stream_sum #(
    .RadixBits(RadixBits)
  ) u_sum (
    .clk_i,
    .u_i(u_q),
    .z_i(z_q[EarlyCycles+2]),
    .z_o(v)
  );

  // V − M. ge_q is the inverted borrow: after the last digit it is 1 iff V >= M.
  assign m_delayed = m_q[DelayCycles-1];

  always_ff @(posedge clk_i) begin
    value_o <= v;
    {ge_q, diff_o} <= {1'b0, v} + {1'b0, ~m_delayed} + (RadixBits + 1)'(first_q[OutCycles-2] || ge_q);
  end

  assign push_o = push_q[OutCycles-1];
  assign last_o = last_q[OutCycles-1];
  assign ge_o = ge_q && real_delayed_q[DelayCycles-1];

  logic unused;
  assign unused = ^factor_product[2*RadixBits-1:RadixBits];

endmodule
