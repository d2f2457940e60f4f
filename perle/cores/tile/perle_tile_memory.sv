// SPDX-License-Identifier: Apache-2.0
//
// A memory with two ports that read and write, as block memories have: a port outputs the word that it writes
// (write-through).
//
// Ranges    a word that a port writes is not read by the other one in that cycle
// Cycles    a_data_o and b_data_o two cycles after the addresses
// Left out  resets
//
// Parameters
//   Bits, Depth   of a word; words

module perle_tile_memory #(
  parameter  int unsigned Bits     = 54,
  parameter  int unsigned Depth    = 1024,
  localparam int unsigned AddrBits = $clog2(Depth)
) (
  input  logic                clk_i,
  input  logic                a_we_i,
  input  logic [AddrBits-1:0] a_addr_i,
  input  logic [    Bits-1:0] a_data_i,
  output logic [    Bits-1:0] a_data_o,
  input  logic                b_we_i,
  input  logic [AddrBits-1:0] b_addr_i,
  input  logic [    Bits-1:0] b_data_i,
  output logic [    Bits-1:0] b_data_o
);

  logic [Bits-1:0] mem[Depth];
  logic [Bits-1:0] a_word_q, b_word_q;

  always_ff @(posedge clk_i) begin
    if (a_we_i) mem[a_addr_i] <= a_data_i;
    if (b_we_i) mem[b_addr_i] <= b_data_i;
    a_word_q <= a_we_i ? a_data_i : mem[a_addr_i];
    b_word_q <= b_we_i ? b_data_i : mem[b_addr_i];
    a_data_o <= a_word_q;
    b_data_o <= b_word_q;
  end

endmodule
