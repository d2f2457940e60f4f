// SPDX-License-Identifier: Apache-2.0
//
// Last step out of the Montgomery domain, shared by all tiles: z·β^-1 mod M, digit by digit.
//
//   V = (z + q·M)/β, q = −z/M mod β, and V or V − M
//
// Ranges    z is a product by β, so that V < 2·M (model.leave). With reduced_i = 0 any z is passed unchanged
// Algorithm for each of the three digits of β, the lowest first: q_s = z_s·m′ mod 2^k, z ← z + q_s·M·2^(k·s).
//           Then M is subtracted, and the borrow selects the result
// Cycles    leave_cycles of perle_tile_pkg from go_i to done_o. Nothing depends on a value
// Zeroize   writing zeros to all digits overwrites everything that depends on an earlier z
//
// Parameters
//   RadixBits   k
//   Digits      3·N

module perle_tile_leave #(
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Digits    = 60,
  localparam int unsigned IndexBits = $clog2(Digits + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // writes of digits of z, while idle
  input  logic                 we_i,
  input  logic [IndexBits-1:0] waddr_i,
  input  logic [RadixBits-1:0] digit_i,
  input  logic                 go_i,
  output logic                 done_o,
  // digits of M, two cycles after their index; m′ mod 2^k, stable
  output logic [IndexBits-1:0] m_index_o,
  input  logic [RadixBits-1:0] m_i,
  input  logic [RadixBits-1:0] mprime_i,
  // reads of digits of z; digit i of the result is at index i + 3
  input  logic                 reduced_i,
  input  logic [IndexBits-1:0] raddr_i,
  output logic [RadixBits-1:0] digit_o
);

  localparam int unsigned Steps = 3;
  localparam int unsigned Stages = 6;  // from an index to its sum
  localparam logic [2:0] Multiplied = 3'd5;

  typedef enum logic [1:0] {
    Idle     = 2'd0,
    Quotient = 2'd1,
    Sum      = 2'd2,
    Drain    = 2'd3
  } state_t;

  state_t state_q;
  // distributed RAM for any number of digits: a block memory is too slow without its output register
  (* ram_style = "distributed" *) logic [RadixBits-1:0] z_mem[Digits];
  (* ram_style = "distributed" *) logic [RadixBits-1:0] diff_mem[Digits];
  logic [1:0] step_q;
  logic [2:0] wait_q;
  logic [IndexBits-1:0] index_q, at;
  logic [Stages-1:0] valid_q;
  logic [Stages-1:0][IndexBits-1:0] index_delayed_q;
  logic [RadixBits-1:0] q_q, z_q, factor;
  logic [1:0][RadixBits-1:0] m_delayed_q;
  logic [2*RadixBits-1:0] product;
  logic [2*RadixBits:0] sum_q, total;
  logic [RadixBits:0] carry_q, apart_q, diff;
  logic borrow_q, subtracts, first;

  assign subtracts = (step_q == 2'(Steps));
  assign at = we_i ? waddr_i : index_delayed_q[Stages-2];
  assign first = (state_q == Quotient);

  // the multiplier computes q_s in state Quotient, q_s·M otherwise; the subtraction does not use it
  assign factor = first ? mprime_i : m_i;
  perle_mul_reg2 #(
    .Width(RadixBits)
  ) u_mul (
    .clk_i,
    .x_i(first ? z_q : q_q),
    .y_i(factor),
    .p_o(product)
  );

  assign total = sum_q + (2 * RadixBits + 1)'(carry_q);
  assign diff = apart_q - (RadixBits + 1)'(borrow_q);

  always_ff @(posedge clk_i) begin
    z_q <= first ? z_mem[IndexBits'(step_q)] : z_mem[index_delayed_q[Stages-4]];
    sum_q <= (2 * RadixBits + 1)'(product) + (2 * RadixBits + 1)'(z_q);
    apart_q <= {1'b0, z_q} - {1'b0, m_delayed_q[1]};
    m_delayed_q <= {m_delayed_q[0], m_i};
    index_delayed_q <= {index_delayed_q[Stages-2:0], index_q};
    if (first || we_i) begin
      q_q <= we_i ? '0 : product[RadixBits-1:0];
      carry_q <= '0;
      borrow_q <= 1'b0;
    end else if (valid_q[Stages-2]) begin
      carry_q <= (RadixBits + 1)'(total >> RadixBits);
      borrow_q <= diff[RadixBits];
    end
    // a write overwrites the last difference as well
    if (we_i || (valid_q[Stages-2] && !subtracts)) z_mem[at] <= we_i ? digit_i : total[RadixBits-1:0];
    if (we_i || (valid_q[Stages-2] && subtracts)) diff_mem[at] <= we_i ? digit_i : diff[RadixBits-1:0];
  end

  assign digit_o = (reduced_i && !borrow_q) ? diff_mem[raddr_i] : z_mem[raddr_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      step_q <= '0;
      wait_q <= '0;
      index_q <= '0;
      m_index_o <= '0;
      valid_q <= '0;
      done_o <= 1'b0;
    end else begin
      done_o <= 1'b0;
      wait_q <= (state_q == Quotient || state_q == Drain) ? wait_q + 3'd1 : '0;
      valid_q <= {valid_q[Stages-2:0], state_q == Sum};
      unique case (state_q)
        Idle: begin
          step_q <= '0;
          if (go_i) state_q <= Quotient;
        end
        Quotient: begin
          index_q <= IndexBits'(step_q);
          m_index_o <= '0;
          if (wait_q == Multiplied) state_q <= Sum;
        end
        Sum: begin
          index_q <= index_q + IndexBits'(1);
          m_index_o <= m_index_o + IndexBits'(1);
          if (index_q == IndexBits'(Digits - 1)) state_q <= Drain;
        end
        default: if (wait_q == Multiplied) begin
          step_q <= step_q + 2'd1;
          state_q <= subtracts ? Idle : Quotient;
          done_o <= subtracts;
        end
      endcase
    end
  end

endmodule
