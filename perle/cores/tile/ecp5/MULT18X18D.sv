// SPDX-License-Identifier: Apache-2.0
//
// The multiplier of an ECP5's DSP block, as far as perle_tile_leaf_mul uses it: a model for simulation;
// synthesis uses the ports only and treats the module as a black box.
//
// Ranges    A, B in [0, 2^18); P in [0, 2^36). Unsigned only
// Cycles    P two cycles after A and B, three with the pipeline register
// Left out  signed factors, C, cascades, clocks, enables and resets other than number 0
//
// Parameters
//   REG_INPUTA_CLK, REG_INPUTB_CLK, REG_OUTPUT_CLK   "CLK0": a register there
//   REG_PIPELINE_CLK                                 "NONE": no register there; "CLK0": one
//   GSR                                              "DISABLED": the global reset does not reach the
//                                                    registers

// Names are the device maker's.
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module MULT18X18D #(
  parameter string REG_INPUTA_CLK   = "NONE",
  parameter string REG_INPUTB_CLK   = "NONE",
  parameter string REG_PIPELINE_CLK = "NONE",
  parameter string REG_OUTPUT_CLK   = "NONE",
  parameter string GSR              = "ENABLED"
) (
  input  logic CLK0, CE0, RST0,
  // verilator lint_off UNUSEDSIGNAL
  input  logic SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,  // 0: unsigned, factors from A and B
  // verilator lint_on UNUSEDSIGNAL
  input  logic A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11,
  input  logic A12, A13, A14, A15, A16, A17,
  input  logic B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11,
  input  logic B12, B13, B14, B15, B16, B17,
  output logic P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11,
  output logic P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
  output logic P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);

  logic [17:0] a, b, a_in, b_in;
  logic [35:0] p, product;

  assign a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  assign b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = p;

  always_ff @(posedge CLK0) begin
    if (RST0) begin
      a_in <= '0;
      b_in <= '0;
      p <= '0;
    end else if (CE0) begin
      a_in <= a;
      b_in <= b;
      p <= product;
    end
  end

  if (REG_PIPELINE_CLK == "CLK0") begin : gen_pipeline
    always_ff @(posedge CLK0) begin
      if (RST0) product <= '0;
      else if (CE0) product <= 36'(a_in) * 36'(b_in);
    end
  end else begin : gen_no_pipeline
    assign product = 36'(a_in) * 36'(b_in);
  end

  if (REG_INPUTA_CLK != "CLK0" || REG_INPUTB_CLK != "CLK0" || REG_OUTPUT_CLK != "CLK0" ||
      GSR != "DISABLED") begin : gen_refuse
    $error("MULT18X18D: only what perle_tile_leaf_mul uses of it is described");
  end

endmodule
