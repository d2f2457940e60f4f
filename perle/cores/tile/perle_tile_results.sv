// SPDX-License-Identifier: Apache-2.0
//
// Where blocks are between the data path and the memories: quotient blocks, one of each context, until their
// diagonal; blocks of results in a queue, until port B of both memories is free.
//
// Ranges    at most WaitingBlocks blocks on their way or in the queue: whoever issues their operations sees full_o
// Algorithm results are written in the order in which they come, each context's one after the other from an address on
// Cycles    take_i, then put_o with its address a cycle later; data_o another cycle later. A quotient block is there the
//           cycle after it was made
//
// Parameters
//   BlockBits   of a block
//   MaxBlocks   most blocks of a modulus
//   AddrBits    of an address of the memories

module perle_tile_results
  import perle_tile_pkg::*;
#(
  parameter int unsigned BlockBits = 54,
  parameter int unsigned MaxBlocks = 39,
  parameter int unsigned AddrBits  = 10,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [IndexBits-1:0]                blocks_i,
  // blocks that were made, of a quotient or of a result
  input  logic                                made_i,
  input  logic                                result_i,
  input  logic [  CtxBits-1:0]                ctx_i,
  input  logic [BlockBits-1:0]                block_i,
  // the quotient block of a context
  input  logic [  CtxBits-1:0]                quotient_ctx_i,
  output logic [BlockBits-1:0]                quotient_o,
  // the queue of results
  input  logic                                reserve_i,
  output logic                                full_o,
  input  logic                                take_i,
  output logic                                empty_o,
  output logic                                put_o,
  output logic [ AddrBits-1:0]                put_addr_o,
  output logic [BlockBits-1:0]                put_data_o,
  // where the results of a context go, and how many blocks are there: all are at rest
  input  logic                                renew_i,
  input  logic [  CtxBits-1:0]                renew_ctx_i,
  input  logic [ AddrBits-1:0]                renew_addr_i,
  output logic [ Contexts-1:0][IndexBits-1:0] written_o,
  output logic [ Contexts-1:0]                complete_o
);

  localparam int unsigned PlaceBits = $clog2(WaitingBlocks);

  logic [BlockBits-1:0] quotient_mem[Contexts];
  logic [BlockBits-1:0] result_mem[WaitingBlocks];
  logic [CtxBits-1:0] ctx_mem[WaitingBlocks];
  logic [PlaceBits-1:0] in_q, out_q;
  logic [PlaceBits:0] queued_q, reserved_q;
  logic [Contexts-1:0][AddrBits-1:0] addr_q;
  logic [CtxBits-1:0] put_ctx;
  logic push, last;

  assign push = made_i && result_i;
  assign quotient_o = quotient_mem[quotient_ctx_i];
  assign empty_o = (queued_q == '0);
  assign full_o = reserved_q[PlaceBits];
  assign put_ctx = ctx_mem[out_q];
  assign put_addr_o = addr_q[put_ctx];
  assign put_data_o = result_mem[out_q];
  assign last = (written_o[put_ctx] + IndexBits'(1) == blocks_i);
  for (genvar n = 0; n < Contexts; n++) begin : gen_complete
    assign complete_o[n] = (written_o[n] == '1);
  end

  always_ff @(posedge clk_i) begin
    if (made_i && !result_i) quotient_mem[ctx_i] <= block_i;
    if (push) begin
      result_mem[in_q] <= block_i;
      ctx_mem[in_q] <= ctx_i;
    end
    if (put_o) addr_q[put_ctx] <= addr_q[put_ctx] + AddrBits'(1);
    if (renew_i) addr_q[renew_ctx_i] <= renew_addr_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      queued_q <= '0;
      reserved_q <= '0;
      put_o <= 1'b0;
      written_o <= '1;
    end else begin
      if (push) in_q <= in_q + PlaceBits'(1);
      if (put_o) out_q <= out_q + PlaceBits'(1);
      queued_q <= queued_q + (PlaceBits + 1)'(push) - (PlaceBits + 1)'(take_i);
      reserved_q <= reserved_q + (PlaceBits + 1)'(reserve_i) - (PlaceBits + 1)'(take_i);
      put_o <= take_i;
      // all of them there is more than any number
      if (put_o) written_o[put_ctx] <= last ? '1 : written_o[put_ctx] + IndexBits'(1);
      if (renew_i) written_o[renew_ctx_i] <= '0;
    end
  end

endmodule
