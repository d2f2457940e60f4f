// SPDX-License-Identifier: Apache-2.0
//
// A perle_ram that is always made of block memories of an ECP5, also for a few words.
//
// The same module as ../perle_block_ram.sv, bit for bit and cycle for cycle, for this device. perle_ram
// leaves memories of fewer than 64 words to synthesis, which builds them from look-up tables, and its blocks
// are half as wide.
//
// Ranges    as perle_ram
// Algorithm blocks side by side, of 512 words of 36 bits
// Cycles    as perle_ram: data_o two cycles after raddr_i
// Left out  resets
//
// Parameters
//   Bits, Depth   of a word; words, at most 512

module perle_block_ram #(
  parameter  int unsigned Bits     = 64,
  parameter  int unsigned Depth    = 19,
  localparam int unsigned AddrBits = $clog2(Depth)
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [AddrBits-1:0] waddr_i,
  input  logic [    Bits-1:0] wdata_i,
  input  logic [AddrBits-1:0] raddr_i,
  output logic [    Bits-1:0] data_o
);

  if (Depth > 512) begin : gen_refuse
    $error("Depth must be at most 512");
  end

  if (Depth <= 512) begin : gen_wide
    localparam int unsigned Word = 36;
    localparam int unsigned Blocks = (Bits + Word - 1) / Word;

    logic [8:0] write;
    logic [13:0] read;
    logic [Blocks-1:0][Word-1:0] in;
    // verilator lint_off UNUSEDSIGNAL
    logic [Blocks-1:0][Word-1:0] out;  // the last block may have unused bits
    // verilator lint_on UNUSEDSIGNAL

    assign write = 9'(waddr_i);
    assign read = 14'(raddr_i) << 5;
    assign in = (Blocks * Word)'(wdata_i);
    assign data_o = Bits'(out);

    for (genvar n = 0; n < Blocks; n++) begin : gen_block
      logic [Word-1:0] di, dout;

      assign di = in[n];
      assign out[n] = {dout[17:0], dout[35:18]};

      PDPW16KD #(
        .DATA_WIDTH_W(Word),
        .DATA_WIDTH_R(Word),
        .REGMODE     ("OUTREG"),
        .GSR         ("DISABLED")
      ) u_block (
        .CLKW(clk_i), .CEW(we_i), .CSW0(1'b0), .CSW1(1'b0), .CSW2(1'b0), .BE0(1'b1), .BE1(1'b1), .BE2(1'b1),
        .BE3(1'b1),
        .CLKR(clk_i), .CER(1'b1), .OCER(1'b1), .CSR0(1'b0), .CSR1(1'b0), .CSR2(1'b0), .RST(1'b0),
        .ADW0(write[0]), .ADW1(write[1]), .ADW2(write[2]), .ADW3(write[3]), .ADW4(write[4]), .ADW5(write[5]),
        .ADW6(write[6]), .ADW7(write[7]), .ADW8(write[8]),
        .ADR0(read[0]), .ADR1(read[1]), .ADR2(read[2]), .ADR3(read[3]), .ADR4(read[4]), .ADR5(read[5]),
        .ADR6(read[6]), .ADR7(read[7]), .ADR8(read[8]), .ADR9(read[9]), .ADR10(read[10]), .ADR11(read[11]),
        .ADR12(read[12]), .ADR13(read[13]),
        .DI0(di[0]), .DI1(di[1]), .DI2(di[2]), .DI3(di[3]), .DI4(di[4]), .DI5(di[5]), .DI6(di[6]),
        .DI7(di[7]), .DI8(di[8]), .DI9(di[9]), .DI10(di[10]), .DI11(di[11]), .DI12(di[12]), .DI13(di[13]),
        .DI14(di[14]), .DI15(di[15]), .DI16(di[16]), .DI17(di[17]), .DI18(di[18]), .DI19(di[19]),
        .DI20(di[20]), .DI21(di[21]), .DI22(di[22]), .DI23(di[23]), .DI24(di[24]), .DI25(di[25]),
        .DI26(di[26]), .DI27(di[27]), .DI28(di[28]), .DI29(di[29]), .DI30(di[30]), .DI31(di[31]),
        .DI32(di[32]), .DI33(di[33]), .DI34(di[34]), .DI35(di[35]),
        .DO0(dout[0]), .DO1(dout[1]), .DO2(dout[2]), .DO3(dout[3]), .DO4(dout[4]), .DO5(dout[5]),
        .DO6(dout[6]), .DO7(dout[7]), .DO8(dout[8]), .DO9(dout[9]), .DO10(dout[10]), .DO11(dout[11]),
        .DO12(dout[12]), .DO13(dout[13]), .DO14(dout[14]), .DO15(dout[15]), .DO16(dout[16]), .DO17(dout[17]),
        .DO18(dout[18]), .DO19(dout[19]), .DO20(dout[20]), .DO21(dout[21]), .DO22(dout[22]), .DO23(dout[23]),
        .DO24(dout[24]), .DO25(dout[25]), .DO26(dout[26]), .DO27(dout[27]), .DO28(dout[28]), .DO29(dout[29]),
        .DO30(dout[30]), .DO31(dout[31]), .DO32(dout[32]), .DO33(dout[33]), .DO34(dout[34]), .DO35(dout[35])
      );
    end
  end

endmodule
