// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned multiplier with registers at its inputs and output, in the DSP block of an ECP5.
//
// The same module as ../perle_mul_reg2.sv, bit for bit and cycle for cycle, for this device: the registers
// are those of the DSP block.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product two cycles after x_i and y_i, a new product every cycle
// Left out  factors of more than 18 bits: multiplier and registers are left to synthesis
//
// Parameters
//   Width   bits of a factor; the block takes 18 unsigned bits

module perle_mul_reg2 #(
  parameter int unsigned Width = 17
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  if (Width <= 18) begin : gen_block
    // Narrower factors leave the upper bits zero.
    // verilator lint_off UNUSEDSIGNAL
    logic [35:0] p;
    // verilator lint_on UNUSEDSIGNAL

    assign p_o = p[2*Width-1:0];

    perle_ecp5_mul u_mul (
      .clk_i,
      .en_i(1'b1),
      .x_i(18'(x_i)),
      .y_i(18'(y_i)),
      .p_o(p)
    );
  end else begin : gen_inferred
    logic [Width-1:0] x_q, y_q;

    always_ff @(posedge clk_i) begin
      x_q <= x_i;
      y_q <= y_i;
      p_o <= (2 * Width)'(x_q) * (2 * Width)'(y_q);
    end
  end

endmodule
