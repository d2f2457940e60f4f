// SPDX-License-Identifier: Apache-2.0
//
// perle_ram in block memories of an ECP5, however few its words are.
//
// The same module as ../perle_block_ram.sv, bit for bit and cycle for cycle, for this device: perle_ram leaves fewer
// than 64 words to synthesis, which makes look-up tables of them.
//
// Ranges    as perle_ram
// Cycles    as perle_ram: data_o two cycles after raddr_i
// Left out  resets
//
// Parameters
//   Bits, Depth   of a word; words

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

  localparam int unsigned BlockDepth = (Depth < 64) ? 64 : Depth;
  localparam int unsigned BlockBits = $clog2(BlockDepth);

  perle_ram #(
    .Bits (Bits),
    .Depth(BlockDepth)
  ) u_ram (
    .clk_i,
    .we_i,
    .waddr_i(BlockBits'(waddr_i)),
    .wdata_i,
    .raddr_i(BlockBits'(raddr_i)),
    .data_o
  );

endmodule
