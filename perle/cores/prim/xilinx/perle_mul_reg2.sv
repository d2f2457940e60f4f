// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned multiplier with registers, made of a multiplier block of a Virtex-II.
//
// The same module as ../perle_mul_reg2.sv, bit for bit and cycle for cycle, for this device: the output
// register is in the block; the input registers are outside, as the block has none.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product two cycles after x_i and y_i
// Left out  factors of more than 17 bits, which do not fit the signed block: multiplier and output register
//           are left to synthesis
//
// Parameters
//   Width   bits of a factor; the block takes 17 unsigned bits

module perle_mul_reg2 #(
  parameter int unsigned Width = 17
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  logic [Width-1:0] x_q, y_q;

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
  end

  if (Width <= 17) begin : gen_block
    // The upper bits are zero: the sign, and what narrower factors leave.
    // verilator lint_off UNUSEDSIGNAL
    logic [35:0] p;
    // verilator lint_on UNUSEDSIGNAL

    assign p_o = p[2*Width-1:0];

    MULT18X18S u_block (
      .C (clk_i),
      .CE(1'b1),
      .R (1'b0),
      .A (18'(x_q)),
      .B (18'(y_q)),
      .P (p)
    );
  end else begin : gen_inferred
    always_ff @(posedge clk_i) begin
      p_o <= (2 * Width)'(x_q) * (2 * Width)'(y_q);
    end
  end

endmodule
