// SPDX-License-Identifier: Apache-2.0
//
// The block memory of an ECP5, as far as perle_ram uses it: a model for simulation; synthesis uses the ports
// only and treats the module as a black box.
//
// Ranges    16 Kbit and parity: 1024 words of 18 bits, 2048 of 9, 4096 of 4, 8192 of 2, 16384 of 1. The
//           address of a word starts at bit 4, 3, 2, 1 or 0 of ADA and ADB; at 18 bits ADA1 and ADA0 enable
//           the bytes
// Cycles    DOB one cycle after ADB, two with the output register
// Left out  reading by port A, writing by port B, unequal widths, chip selects, enables and resets
//
// Parameters
//   DATA_WIDTH_A, DATA_WIDTH_B   bits of a word, equal here
//   REGMODE_B                    "NOREG": no register at the output; "OUTREG": one
//   GSR                          "DISABLED": the global reset does not reach the registers

// Names are the device maker's.
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module DP16KD #(
  parameter int    DATA_WIDTH_A = 18,
  parameter int    DATA_WIDTH_B = 18,
  parameter string REGMODE_B    = "NOREG",
  parameter string GSR          = "ENABLED"
) (
  input  logic CLKA, CLKB, WEA, WEB,
  // verilator lint_off UNUSEDSIGNAL
  input  logic CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  // verilator lint_on UNUSEDSIGNAL
  input  logic ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  input  logic ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  input  logic DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8,
  input  logic DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
  output logic DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8,
  output logic DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);

  logic [13:0] ada, adb, write, read;  // addresses at the ports, and the word addresses in them
  logic [17:0] word, dob;
  // verilator lint_off UNUSEDSIGNAL
  logic [17:0] dia;  // narrow words do not use the upper bits
  // verilator lint_on UNUSEDSIGNAL
  logic [DATA_WIDTH_A-1:0] mem[16384];  // words of 18 bits use the first 1024 entries

  assign ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  assign adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  assign dia = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
    DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
    DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
  } = dob;

  // The shift is not a localparam: synthesis would take it for a parameter of the device.
  assign write = ada >> ((DATA_WIDTH_A == 18) ? 4 : (DATA_WIDTH_A == 9) ? 3 : $clog2(DATA_WIDTH_A));
  assign read = adb >> ((DATA_WIDTH_A == 18) ? 4 : (DATA_WIDTH_A == 9) ? 3 : $clog2(DATA_WIDTH_A));

  always_ff @(posedge CLKA) begin
    if (WEA && (DATA_WIDTH_A != 18 || ada[1:0] == 2'b11)) mem[write] <= dia[DATA_WIDTH_A-1:0];
  end

  always_ff @(posedge CLKB) word <= 18'(mem[read]);

  if (REGMODE_B == "OUTREG") begin : gen_output
    always_ff @(posedge CLKB) dob <= word;
  end else begin : gen_no_output
    assign dob = word;
  end

  if (DATA_WIDTH_A != DATA_WIDTH_B || GSR != "DISABLED") begin : gen_unsupported
    $error("equal widths and no global reset");
  end

  logic unused;
  assign unused = WEB;

endmodule
