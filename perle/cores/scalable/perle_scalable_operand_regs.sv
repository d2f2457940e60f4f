// SPDX-License-Identifier: Apache-2.0
//
// Operand registers: yz, which holds y and later z, and x, which is shifted by the digits of a pass.
//
//   load_i:  yz ← y_i, x ← x_i;  one_i: x ← 1;  shift_i: x ← x / 2^PassBits
//   write_i: word 0 (first_i) or the next word of yz ← word_i of the next cycle
//
// Ranges    at most one of load, one and shift per cycle; no word is written while operands are loaded
// Cycles    one
// Left out  reset: loading the operands of a product overwrites all bits
//
// Parameters
//   WordWidth   w          Words   of an operand          PassBits   bits of x that a pass uses
//   CopyBits    bits of yz and of x that one copy of the control signals drives

module perle_scalable_operand_regs #(
  parameter  int unsigned WordWidth   = 16,
  parameter  int unsigned Words       = 17,
  parameter  int unsigned PassBits    = 16,
  parameter  int unsigned CopyBits    = 32,
  localparam int unsigned OperandBits = Words * WordWidth,
  // including the bit below x, for Booth digits
  localparam int unsigned XBits       = ((PassBits > OperandBits) ? PassBits : OperandBits) + 1,
  localparam int unsigned Copies      = (XBits + CopyBits - 1) / CopyBits
) (
  input  logic                   clk_i,
  input  logic [     Copies-1:0] load_i,
  input  logic [     Copies-1:0] one_i,
  input  logic [     Copies-1:0] shift_i,
  input  logic [OperandBits-1:0] x_i,
  input  logic [OperandBits-1:0] y_i,
  input  logic                   write_i,
  input  logic                   first_i,
  input  logic [  WordWidth-1:0] word_i,
  output logic [     PassBits:0] x_o,  // the digits of a pass and the next lower bit
  output logic [OperandBits-1:0] yz_o
);

  logic [XBits-1:0] x_q, x_next, x_loaded;
  logic [Words-1:0] write_q;

  assign x_o = x_q[PassBits:0];
  assign x_loaded = XBits'({x_i, 1'b0});
  assign x_next = x_q >> PassBits;

  for (genvar i = 0; i < XBits; i++) begin : gen_x
    always_ff @(posedge clk_i) begin
      if (load_i[i/CopyBits]) x_q[i] <= x_loaded[i];
      else if (one_i[i/CopyBits]) x_q[i] <= (i == 1);
      else if (shift_i[i/CopyBits]) x_q[i] <= x_next[i];
    end
  end

  for (genvar i = 0; i < OperandBits; i++) begin : gen_y
    always_ff @(posedge clk_i) begin
      if (load_i[i/CopyBits]) yz_o[i] <= y_i[i];
      else if (write_q[i/WordWidth]) yz_o[i] <= word_i[i%WordWidth];
    end
  end

  always_ff @(posedge clk_i) write_q <= !write_i ? '0 : first_i ? Words'(1) : write_q << 1;

endmodule
