// SPDX-License-Identifier: Apache-2.0
//
// A block memory of an ECP5 with a write port and a read port, both twice as wide as those of DP16KD, as far
// as perle_block_ram uses it: a model for simulation; synthesis uses the ports only and treats the module as
// a black box.
//
// Ranges    512 words of 36 bits. The address of a word starts at bit 5 of ADR
// Algorithm in the device this is a DP16KD whose port B is read as DO17 … DO0: these hold DI35 … DI18, and
//           DO35 … DO18 hold DI17 … DI0
// Cycles    DO one cycle after ADR, two with the output register
// Left out  other widths, byte enables, chip selects, enables of the read port, resets
//
// Parameters
//   DATA_WIDTH_W, DATA_WIDTH_R   bits of a word, 36 here
//   REGMODE                      "NOREG": no register at the output; "OUTREG": one
//   GSR                          "DISABLED": the global reset does not reach the registers

// Names are the device maker's.
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module PDPW16KD #(
  parameter int    DATA_WIDTH_W = 36,
  parameter int    DATA_WIDTH_R = 36,
  parameter string REGMODE      = "NOREG",
  parameter string GSR          = "ENABLED"
) (
  input  logic CLKW, CEW, CLKR,
  // verilator lint_off UNUSEDSIGNAL
  input  logic BE0, BE1, BE2, BE3, CSW0, CSW1, CSW2, CER, OCER, CSR0, CSR1, CSR2, RST,
  input  logic ADR0, ADR1, ADR2, ADR3, ADR4, ADR5, ADR6, ADR7, ADR8, ADR9, ADR10, ADR11, ADR12, ADR13,
  // verilator lint_on UNUSEDSIGNAL
  input  logic ADW0, ADW1, ADW2, ADW3, ADW4, ADW5, ADW6, ADW7, ADW8,
  input  logic DI0, DI1, DI2, DI3, DI4, DI5, DI6, DI7, DI8, DI9, DI10, DI11, DI12, DI13, DI14, DI15, DI16,
  DI17, DI18, DI19, DI20, DI21, DI22, DI23, DI24, DI25, DI26, DI27, DI28, DI29, DI30, DI31, DI32, DI33, DI34,
  DI35,
  output logic DO0, DO1, DO2, DO3, DO4, DO5, DO6, DO7, DO8, DO9, DO10, DO11, DO12, DO13, DO14, DO15, DO16,
  DO17, DO18, DO19, DO20, DO21, DO22, DO23, DO24, DO25, DO26, DO27, DO28, DO29, DO30, DO31, DO32, DO33, DO34,
  DO35
);

  logic [8:0] write, read;
  logic [35:0] di, word, dout;
  logic [35:0] mem[512];

  assign write = {ADW8, ADW7, ADW6, ADW5, ADW4, ADW3, ADW2, ADW1, ADW0};
  assign read = {ADR13, ADR12, ADR11, ADR10, ADR9, ADR8, ADR7, ADR6, ADR5};
  assign di = {
    DI35, DI34, DI33, DI32, DI31, DI30, DI29, DI28, DI27, DI26, DI25, DI24, DI23, DI22, DI21, DI20, DI19,
    DI18, DI17, DI16, DI15, DI14, DI13, DI12, DI11, DI10, DI9, DI8, DI7, DI6, DI5, DI4, DI3, DI2, DI1, DI0
  };
  assign {
    DO35, DO34, DO33, DO32, DO31, DO30, DO29, DO28, DO27, DO26, DO25, DO24, DO23, DO22, DO21, DO20, DO19,
    DO18, DO17, DO16, DO15, DO14, DO13, DO12, DO11, DO10, DO9, DO8, DO7, DO6, DO5, DO4, DO3, DO2, DO1, DO0
  } = dout;

  always_ff @(posedge CLKW) if (CEW) mem[write] <= di;

  always_ff @(posedge CLKR) word <= {mem[read][17:0], mem[read][35:18]};

  if (REGMODE == "OUTREG") begin : gen_output
    always_ff @(posedge CLKR) dout <= word;
  end else begin : gen_no_output
    assign dout = word;
  end

  if (DATA_WIDTH_W != 36 || DATA_WIDTH_R != 36 || GSR != "DISABLED") begin : gen_unsupported
    $error("words of 36 bits and no global reset");
  end

endmodule
