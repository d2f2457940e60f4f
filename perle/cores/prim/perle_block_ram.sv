// SPDX-License-Identifier: Apache-2.0
//
// A perle_ram whose words are so wide that block memories are worth while, however few words there are.
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

  perle_ram #(
    .Bits (Bits),
    .Depth(Depth)
  ) u_ram (
    .clk_i,
    .we_i,
    .waddr_i,
    .wdata_i,
    .raddr_i,
    .data_o
  );

endmodule
