// SPDX-License-Identifier: Apache-2.0
//
// Memory for every second digit of the results that wait; a word is cleared after it was read.
//
// Ranges    at least two cycles from a push to the next, and from a pop to the next
// Algorithm a word that was read is cleared in the next cycle or, if that cycle has a push, in the one after
//           it
// Cycles    data_o two cycles after pop_i
// Left out  reset: the parent writes zeros after a reset
//
// Parameters
//   Bits, Depth   of a word; words, a power of 2

module perle_stream_result_ram #(
  parameter  int unsigned Bits     = 36,
  parameter  int unsigned Depth    = 512,
  localparam int unsigned AddrBits = $clog2(Depth)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                push_i,
  input  logic [AddrBits-1:0] push_addr_i,
  input  logic [    Bits-1:0] data_i,
  input  logic                pop_i,
  input  logic [AddrBits-1:0] pop_addr_i,
  output logic [    Bits-1:0] data_o
);

  logic forget_q;
  logic [AddrBits-1:0] forget_addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      forget_q <= 1'b0;
      forget_addr_q <= '0;
    end else begin
      forget_q <= pop_i || (forget_q && push_i);
      if (pop_i) forget_addr_q <= pop_addr_i;
    end
  end

  perle_ram #(
    .Bits (Bits),
    .Depth(Depth)
  ) u_words (
    .clk_i,
    .we_i   (push_i || forget_q),
    .waddr_i(push_i ? push_addr_i : forget_addr_q),
    .wdata_i(push_i ? data_i : '0),
    .raddr_i(pop_addr_i),
    .data_o
  );

endmodule
