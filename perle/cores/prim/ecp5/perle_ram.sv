// SPDX-License-Identifier: Apache-2.0
//
// A memory with a write port and a read port, in block memories of an ECP5.
//
// The same module as ../perle_ram.sv, bit for bit and cycle for cycle, for this device: data_o is the output
// register of the blocks. Yosys leaves that register outside, and the output of a block without it is valid
// only 4.3 ns after the clock edge.
//
// Ranges    addresses below Depth. A word is not read in the cycle in which it is written
// Algorithm blocks side by side, each as deep as the memory, so that no multiplexer follows their outputs; a
//           memory of more than 16384 words, the depth of the deepest block, has banks of them
// Cycles    data_o two cycles after raddr_i
// Left out  memories of fewer than 64 words: they are left to synthesis
//
// Parameters
//   Bits, Depth   of a word; words

module perle_ram #(
  parameter  int unsigned Bits     = 18,
  parameter  int unsigned Depth    = 1024,
  localparam int unsigned AddrBits = $clog2(Depth)
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [AddrBits-1:0] waddr_i,
  input  logic [    Bits-1:0] wdata_i,
  input  logic [AddrBits-1:0] raddr_i,
  output logic [    Bits-1:0] data_o
);

  if (Depth >= 64) begin : gen_blocks
    localparam int unsigned Banks = (Depth + 16383) / 16384;
    localparam int unsigned Word = (Depth <= 1024) ? 18 : (Depth <= 2048) ? 9 :
        (Depth <= 4096) ? 4 : (Depth <= 8192) ? 2 : 1;
    localparam int unsigned Skipped = (Word == 18) ? 4 : (Word == 9) ? 3 : $clog2(Word);
    localparam int unsigned Blocks = (Bits + Word - 1) / Word;

    logic [13:0] ada, adb;
    logic [Blocks*Word-1:0] in;
    // verilator lint_off UNUSEDSIGNAL
    logic [Banks-1:0][Blocks*Word-1:0] out;  // the last block may have unused bits
    // verilator lint_on UNUSEDSIGNAL
    logic [Banks-1:0] we;

    // at 18 bits the two lowest address bits are byte enables
    assign ada = (14'(waddr_i) << Skipped) | ((Word == 18) ? 14'd3 : 14'd0);
    assign adb = 14'(raddr_i) << Skipped;
    assign in = (Blocks * Word)'(wdata_i);

    if (Banks == 1) begin : gen_one
      assign we = we_i;
      assign data_o = out[0][Bits-1:0];
    end else begin : gen_banks
      logic [1:0][AddrBits-15:0] bank_q;

      assign we = Banks'(we_i) << (waddr_i >> 14);
      assign data_o = out[bank_q[1]][Bits-1:0];
      always_ff @(posedge clk_i) bank_q <= {bank_q[0], raddr_i[AddrBits-1:14]};
    end

    for (genvar n = 0; n < Banks * Blocks; n++) begin : gen_block
      localparam int unsigned Bank = n / Blocks;
      localparam int unsigned Part = n % Blocks;
      logic [17:0] dia;
      // verilator lint_off UNUSEDSIGNAL
      logic [17:0] dob;  // narrow words do not use the upper bits
      // verilator lint_on UNUSEDSIGNAL

      assign dia = 18'(in[Part*Word+:Word]);
      assign out[Bank][Part*Word+:Word] = dob[Word-1:0];

      DP16KD #(
        .DATA_WIDTH_A(Word),
        .DATA_WIDTH_B(Word),
        .REGMODE_B   ("OUTREG"),
        .GSR         ("DISABLED")
      ) u_block (
        .CLKA(clk_i), .CEA(1'b1), .OCEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
        .WEA(we[Bank]),
        .CLKB(clk_i), .CEB(1'b1), .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .WEB(1'b0),
        .ADA0(ada[0]), .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]),
        .ADA5(ada[5]), .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]), .ADA9(ada[9]),
        .ADA10(ada[10]), .ADA11(ada[11]), .ADA12(ada[12]), .ADA13(ada[13]),
        .ADB0(adb[0]), .ADB1(adb[1]), .ADB2(adb[2]), .ADB3(adb[3]), .ADB4(adb[4]),
        .ADB5(adb[5]), .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]),
        .ADB10(adb[10]), .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]),
        .DIA0(dia[0]), .DIA1(dia[1]), .DIA2(dia[2]), .DIA3(dia[3]), .DIA4(dia[4]), .DIA5(dia[5]),
        .DIA6(dia[6]), .DIA7(dia[7]), .DIA8(dia[8]), .DIA9(dia[9]), .DIA10(dia[10]), .DIA11(dia[11]),
        .DIA12(dia[12]), .DIA13(dia[13]), .DIA14(dia[14]), .DIA15(dia[15]), .DIA16(dia[16]), .DIA17(dia[17]),
        .DOB0(dob[0]), .DOB1(dob[1]), .DOB2(dob[2]), .DOB3(dob[3]), .DOB4(dob[4]), .DOB5(dob[5]),
        .DOB6(dob[6]), .DOB7(dob[7]), .DOB8(dob[8]), .DOB9(dob[9]), .DOB10(dob[10]), .DOB11(dob[11]),
        .DOB12(dob[12]), .DOB13(dob[13]), .DOB14(dob[14]), .DOB15(dob[15]), .DOB16(dob[16]), .DOB17(dob[17])
      );
    end
  end else begin : gen_inferred
    (* no_rw_check *) logic [Bits-1:0] mem[Depth];
    logic [Bits-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
      word_q <= mem[raddr_i];
      data_o <= word_q;
    end
  end

endmodule
