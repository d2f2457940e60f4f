// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: the multiplier of an ECP5's DSP block with the block's registers and with vectors as ports.
//
// Yosys infers the multiplier but leaves the registers outside the block, which adds a routing delay.
//
// Ranges    x, y in [0, 2^18); p in [0, 2^36)
// Cycles    p_o holds the product two cycles after the factors
// Left out  the block's pipeline register

module perle_ecp5_mul (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic [17:0] x_i,
  input  logic [17:0] y_i,
  output logic [35:0] p_o
);

  MULT18X18D #(
    .REG_INPUTA_CLK("CLK0"),
    .REG_INPUTB_CLK("CLK0"),
    .REG_OUTPUT_CLK("CLK0"),
    .GSR           ("DISABLED")
  ) u_block (
    .CLK0(clk_i), .CE0(en_i), .RST0(1'b0),
    .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
    .A0(x_i[0]), .A1(x_i[1]), .A2(x_i[2]), .A3(x_i[3]), .A4(x_i[4]), .A5(x_i[5]),
    .A6(x_i[6]), .A7(x_i[7]), .A8(x_i[8]), .A9(x_i[9]), .A10(x_i[10]), .A11(x_i[11]),
    .A12(x_i[12]), .A13(x_i[13]), .A14(x_i[14]), .A15(x_i[15]), .A16(x_i[16]), .A17(x_i[17]),
    .B0(y_i[0]), .B1(y_i[1]), .B2(y_i[2]), .B3(y_i[3]), .B4(y_i[4]), .B5(y_i[5]),
    .B6(y_i[6]), .B7(y_i[7]), .B8(y_i[8]), .B9(y_i[9]), .B10(y_i[10]), .B11(y_i[11]),
    .B12(y_i[12]), .B13(y_i[13]), .B14(y_i[14]), .B15(y_i[15]), .B16(y_i[16]), .B17(y_i[17]),
    .P0(p_o[0]), .P1(p_o[1]), .P2(p_o[2]), .P3(p_o[3]), .P4(p_o[4]), .P5(p_o[5]),
    .P6(p_o[6]), .P7(p_o[7]), .P8(p_o[8]), .P9(p_o[9]), .P10(p_o[10]), .P11(p_o[11]),
    .P12(p_o[12]), .P13(p_o[13]), .P14(p_o[14]), .P15(p_o[15]), .P16(p_o[16]), .P17(p_o[17]),
    .P18(p_o[18]), .P19(p_o[19]), .P20(p_o[20]), .P21(p_o[21]), .P22(p_o[22]), .P23(p_o[23]),
    .P24(p_o[24]), .P25(p_o[25]), .P26(p_o[26]), .P27(p_o[27]), .P28(p_o[28]), .P29(p_o[29]),
    .P30(p_o[30]), .P31(p_o[31]), .P32(p_o[32]), .P33(p_o[33]), .P34(p_o[34]), .P35(p_o[35])
  );

endmodule
