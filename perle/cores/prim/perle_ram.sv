// SPDX-License-Identifier: Apache-2.0
//
// A memory with a write port and a read port, as block memories have.
//
// Ranges    addresses below Depth. A word is not read in the cycle in which it is written
// Cycles    data_o two cycles after raddr_i: the output of a block memory is slow, so a register follows it
// Left out  resets: a word that is read before it was written is never used
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

  (* no_rw_check *) logic [Bits-1:0] mem[Depth];
  logic [Bits-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    word_q <= mem[raddr_i];
    data_o <= word_q;
  end

endmodule
