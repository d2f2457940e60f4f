// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned multiplier with its registers, in the DSP block of an ECP5.
//
// The same module as ../perle_tile_leaf_mul.sv, bit for bit and cycle for cycle, for this device: the
// registers are those of the DSP block.
//
// Ranges    x, y in [0, 2^Width), Width <= 18; p in [0, 2^(2·Width))
// Cycles    p_o holds the product two cycles after x_i and y_i, three with the pipeline register
// Left out  enable and reset
//
// Parameters
//   Width    bits of a factor
//   Middle   1: with the pipeline register inside the multiplier

module perle_tile_leaf_mul #(
  parameter int unsigned Width  = 18,
  parameter bit          Middle = 1'b0
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  logic [17:0] x, y;
  // verilator lint_off UNUSEDSIGNAL
  logic [35:0] p;  // the upper bits are zero for narrow factors
  // verilator lint_on UNUSEDSIGNAL

  assign x = 18'(x_i);
  assign y = 18'(y_i);
  assign p_o = p[2*Width-1:0];

  MULT18X18D #(
    .REG_INPUTA_CLK  ("CLK0"),
    .REG_INPUTB_CLK  ("CLK0"),
    .REG_PIPELINE_CLK(Middle ? "CLK0" : "NONE"),
    .REG_OUTPUT_CLK  ("CLK0"),
    .GSR             ("DISABLED")
  ) u_block (
    .CLK0(clk_i), .CE0(1'b1), .RST0(1'b0),
    .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
    .A0(x[0]), .A1(x[1]), .A2(x[2]), .A3(x[3]), .A4(x[4]), .A5(x[5]), .A6(x[6]), .A7(x[7]), .A8(x[8]),
    .A9(x[9]), .A10(x[10]), .A11(x[11]), .A12(x[12]), .A13(x[13]), .A14(x[14]), .A15(x[15]), .A16(x[16]),
    .A17(x[17]),
    .B0(y[0]), .B1(y[1]), .B2(y[2]), .B3(y[3]), .B4(y[4]), .B5(y[5]), .B6(y[6]), .B7(y[7]), .B8(y[8]),
    .B9(y[9]), .B10(y[10]), .B11(y[11]), .B12(y[12]), .B13(y[13]), .B14(y[14]), .B15(y[15]), .B16(y[16]),
    .B17(y[17]),
    .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]), .P5(p[5]), .P6(p[6]), .P7(p[7]), .P8(p[8]),
    .P9(p[9]), .P10(p[10]), .P11(p[11]), .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]), .P16(p[16]),
    .P17(p[17]), .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]), .P24(p[24]),
    .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]), .P30(p[30]), .P31(p[31]), .P32(p[32]),
    .P33(p[33]), .P34(p[34]), .P35(p[35])
  );

endmodule
