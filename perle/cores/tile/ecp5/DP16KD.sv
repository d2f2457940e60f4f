// SPDX-License-Identifier: Apache-2.0
//
// The block memory of an ECP5 with both of its ports, as far as perle_tile_memory and perle_ram use it: a
// model for simulation; synthesis uses the ports only and treats the module as a black box.
//
// Ranges    16 Kbit and parity: 1024 words of 18 bits, 2048 of 9, 4096 of 4, 8192 of 2, 16384 of 1. The
//           address of a word starts at bit 4, 3, 2, 1 or 0 of ADA and ADB; at 18 bits ADA1, ADA0 and ADB1,
//           ADB0 enable bytes
// Cycles    DOA, DOB two cycles after ADA, ADB, with the output registers
// Left out  unequal widths, chip selects, enables and resets
//
// Parameters
//   DATA_WIDTH_A, DATA_WIDTH_B   bits of a word, equal here
//   REGMODE_A, REGMODE_B         "OUTREG": a register at the output; of port A only if that port is read
//   WRITEMODE_A, WRITEMODE_B     "WRITETHROUGH": a written word is output too; "NORMAL": for a port that only
//                                reads or is not read
//   GSR                          "DISABLED": the global reset does not reach the registers

// Names are the device maker's.
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module DP16KD #(
  parameter int    DATA_WIDTH_A = 18,
  parameter int    DATA_WIDTH_B = 18,
  parameter string REGMODE_A    = "NOREG",
  parameter string REGMODE_B    = "NOREG",
  parameter string WRITEMODE_A  = "NORMAL",
  parameter string WRITEMODE_B  = "NORMAL",
  parameter string GSR          = "ENABLED"
) (
  input  logic CLKA, CLKB, WEA, WEB,
  // verilator lint_off UNUSEDSIGNAL
  input  logic CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input  logic ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  input  logic ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  // verilator lint_on UNUSEDSIGNAL
  input  logic DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13,
  DIA14, DIA15, DIA16, DIA17,
  input  logic DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13,
  DIB14, DIB15, DIB16, DIB17,
  output logic DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13,
  DOA14, DOA15, DOA16, DOA17,
  output logic DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13,
  DOB14, DOB15, DOB16, DOB17
);

  logic [17:0] dia, dib, doa, dob, a_word, b_word;
  logic [13:0] ada, adb, a_at, b_at;
  logic a_we, b_we;
  // Both ports write, as in the device. Words of 18 bits use the first 1024 entries.
  // verilator lint_off MULTIDRIVEN
  logic [DATA_WIDTH_A-1:0] mem[16384];
  // verilator lint_on MULTIDRIVEN

  assign ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  assign adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  assign dia = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3,
    DIA2, DIA1, DIA0
  };
  assign dib = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
    DIB2, DIB1, DIB0
  };
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3,
    DOA2, DOA1, DOA0
  } = doa;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3,
    DOB2, DOB1, DOB0
  } = dob;
  // The shift is not a localparam: synthesis would take it for a parameter of the device.
  assign a_at = ada >> ((DATA_WIDTH_A == 18) ? 4 : (DATA_WIDTH_A == 9) ? 3 : $clog2(DATA_WIDTH_A));
  assign b_at = adb >> ((DATA_WIDTH_A == 18) ? 4 : (DATA_WIDTH_A == 9) ? 3 : $clog2(DATA_WIDTH_A));
  assign a_we = WEA && (DATA_WIDTH_A != 18 || ada[1:0] == 2'b11);
  assign b_we = WEB && (DATA_WIDTH_A != 18 || adb[1:0] == 2'b11);

  always_ff @(posedge CLKA) begin
    if (a_we) mem[a_at] <= dia[DATA_WIDTH_A-1:0];
    a_word <= a_we ? dia : 18'(mem[a_at]);
    doa <= a_word;
  end

  always_ff @(posedge CLKB) begin
    if (b_we) mem[b_at] <= dib[DATA_WIDTH_A-1:0];
    b_word <= b_we ? dib : 18'(mem[b_at]);
    dob <= b_word;
  end

  if (DATA_WIDTH_A != DATA_WIDTH_B || REGMODE_B != "OUTREG" || GSR != "DISABLED" ||
      (WRITEMODE_A == "WRITETHROUGH") != (REGMODE_A == "OUTREG")) begin : gen_other
    $error("DP16KD: only what perle_tile_memory and perle_ram use of it is described");
  end

  logic unused;
  assign unused = (WRITEMODE_B == "NORMAL");

endmodule
