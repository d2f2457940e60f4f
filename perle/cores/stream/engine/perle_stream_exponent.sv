// SPDX-License-Identifier: Apache-2.0
//
// The exponents of all lanes: bit_o = bit pos_i of the exponent of lane lane_i.
//
// Ranges    bits beyond the slot are 0
// Cycles    latency ExponentCycles, one bit per cycle
//
// Parameters
//   Lanes, Words, WordBits   slots, and their shape
//   PosBits                  bits of a position

module perle_stream_exponent #(
  parameter  int unsigned Lanes    = 14,
  parameter  int unsigned Words    = 17,
  parameter  int unsigned WordBits = 64,
  parameter  int unsigned PosBits  = 11,
  localparam int unsigned LaneBits = $clog2(Lanes),
  localparam int unsigned AddrBits = $clog2(Lanes * Words)
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [AddrBits-1:0] waddr_i,
  input  logic [WordBits-1:0] wdata_i,
  input  logic [LaneBits-1:0] lane_i,
  input  logic [ PosBits-1:0] pos_i,
  output logic                bit_o
);

  localparam int unsigned BitIdx = $clog2(WordBits);
  localparam int unsigned Parts = WordBits / 8;

  logic [AddrBits-1:0] base, base_q, word_q, addr_q;
  logic [LaneBits-1:0] lane_q;
  logic [PosBits-1:0] pos_q;
  logic [4:0] inside_q;
  logic [3:0][BitIdx-1:0] index_q;
  logic [BitIdx-4:0] low_q;
  logic [WordBits-1:0] word;
  logic [Parts-1:0] part_q;

  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Words),
    .Bits  (AddrBits)
  ) u_base (
    .index_i(lane_q),
    .base_o (base)
  );

  perle_ram #(
    .Bits (WordBits),
    .Depth(Lanes * Words)
  ) u_words (
    .clk_i,
    .we_i,
    .waddr_i,
    .wdata_i,
    .raddr_i(addr_q),
    .data_o (word)
  );

  always_ff @(posedge clk_i) begin
    lane_q <= lane_i;
    pos_q <= pos_i;
    base_q <= base;
    word_q <= ((pos_q >> BitIdx) < PosBits'(Words)) ? AddrBits'(pos_q >> BitIdx) : '0;
    addr_q <= base_q + word_q;
    inside_q <= {inside_q[3:0], (pos_q >> BitIdx) < PosBits'(Words)};
    index_q <= {index_q[2:0], pos_q[BitIdx-1:0]};
    for (int unsigned i = 0; i < Parts; i++) part_q[i] <= word[8*i+32'(index_q[3][2:0])];
    low_q <= index_q[3][BitIdx-1:3];
    bit_o <= inside_q[4] && part_q[low_q];
  end

endmodule
