// SPDX-License-Identifier: Apache-2.0
//
// A delay line of several cycles, built from a memory.
//
//   data_o(t) = data_i(t − Cycles), and zero in the first Cycles cycles after a reset
//
// Ranges    Cycles >= 3
// Algorithm circular addresses: each is read one cycle before it is written again
// Left out  reset of the memory: all words are overwritten within Cycles cycles
//
// Parameters
//   Bits, Cycles   of a word; of the delay

module perle_stream_delay #(
  parameter int unsigned Bits   = 18,
  parameter int unsigned Cycles = 17
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [Bits-1:0] data_i,
  output logic [Bits-1:0] data_o
);

  localparam int unsigned Depth = Cycles - 1;  // the memory adds two cycles, one of which overlaps
  localparam int unsigned AddrBits = $clog2(Depth);

  logic [AddrBits-1:0] write_q, read_q;
  logic [Bits-1:0] word;
  logic filled_q;
  logic [1:0] shown_q;

  assign data_o = shown_q[1] ? word : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= AddrBits'(1);
      filled_q <= 1'b0;
      shown_q <= '0;
    end else begin
      write_q <= read_q;
      read_q <= (read_q == AddrBits'(Depth - 1)) ? '0 : read_q + AddrBits'(1);
      filled_q <= filled_q || (read_q == '0);
      shown_q <= {shown_q[0], filled_q || (read_q == '0)};
    end
  end

  perle_ram #(
    .Bits (Bits),
    .Depth(Depth)
  ) u_words (
    .clk_i,
    .we_i   (1'b1),
    .waddr_i(write_q),
    .wdata_i(data_i),
    .raddr_i(read_q),
    .data_o (word)
  );

endmodule
