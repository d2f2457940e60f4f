// SPDX-License-Identifier: Apache-2.0
//
// The board's local RAM: one port, one access per cycle.
//
//   we: M[addr] ← wdata, rdata ← wdata;     else rdata ← M[addr]
//
// Ranges    addr < Words
// Cycles    rdata is valid in the cycle after the access
// Left out  reset: the sequencer clears the RAM; writing the first word also replaces rdata
//
// Parameters
//   Words      words of the RAM
//   WordBits   bits of a word

module perle_reg_mul_ram #(
  parameter  int unsigned Words    = 256,
  parameter  int unsigned WordBits = 32,
  localparam int unsigned RamBits  = $clog2(Words)
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [ RamBits-1:0] addr_i,
  input  logic [WordBits-1:0] wdata_i,
  output logic [WordBits-1:0] rdata_o
);

  logic [WordBits-1:0] mem[Words];

  always_ff @(posedge clk_i) begin
    if (we_i) begin
      mem[addr_i] <= wdata_i;
      rdata_o <= wdata_i;
    end else begin
      rdata_o <= mem[addr_i];
    end
  end

endmodule
