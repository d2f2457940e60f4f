// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned multiplier with its output register, in the multiplier block of a Virtex-II.
//
// The same module as ../perle_mul_reg.sv, bit for bit and cycle for cycle, for this device: its register is the block's.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product one cycle after en_i
// Left out  factors of more than 17 bits: the block is signed; they are left to synthesis, registers and all
//
// Parameters
//   Width   bits of a factor; the block takes 17 unsigned bits

module perle_mul_reg #(
  parameter int unsigned Width = 17
) (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  if (Width <= 17) begin : gen_block
    // Narrower factors leave the upper bits zero, as does the sign.
    // verilator lint_off UNUSEDSIGNAL
    logic [35:0] p;
    // verilator lint_on UNUSEDSIGNAL

    assign p_o = p[2*Width-1:0];

    MULT18X18S u_block (
      .C (clk_i),
      .CE(en_i),
      .R (1'b0),
      .A (18'(x_i)),
      .B (18'(y_i)),
      .P (p)
    );
  end else begin : gen_inferred
    always_ff @(posedge clk_i) begin
      if (en_i) p_o <= (2 * Width)'(x_i) * (2 * Width)'(y_i);
    end
  end

endmodule
