// SPDX-License-Identifier: Apache-2.0
//
// Buffers between data path and memories: one quotient block per context, until its diagonal; a queue of
// blocks of results, until port B of both memories is free.
//
// Ranges    at most WaitingBlocks blocks in the data path or the queue: the sequencer waits for full_o = 0
// Algorithm blocks of results are written in the order of arrival, those of a context to successive addresses
// Cycles    put_o with address and data in the cycle after take_i. A quotient block is available in the cycle
//           after made_i
//
// Parameters
//   BlockBits   bits of a block
//   MaxBlocks   most blocks of a modulus
//   AddrBits    bits of an address of the memories
//   Sizes       1: all contexts have the same N; Contexts: each has its own
//   Erase       1: while the queue is empty, zeros overwrite its entries, one per cycle. Needed where few
//               products follow that would overwrite them

module perle_tile_results
  import perle_tile_pkg::*;
#(
  parameter int unsigned BlockBits = 54,
  parameter int unsigned MaxBlocks = 39,
  parameter int unsigned AddrBits  = 10,
  parameter int unsigned Sizes     = 1,
  parameter bit          Erase     = 1'b0,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [   Sizes-1:0][IndexBits-1:0] top_i,  // N − 1
  // blocks of quotients and results from the data path
  input  logic                 made_i,
  input  logic                 result_i,
  input  logic [  CtxBits-1:0] ctx_i,
  input  logic [BlockBits-1:0] block_i,
  // the quotient block of a context
  input  logic [  CtxBits-1:0] quotient_ctx_i,
  output logic [BlockBits-1:0] quotient_o,
  // the queue of results; take_i not in two successive cycles, as incrementing an address takes two
  input  logic                 reserve_i,
  output logic                 full_o,
  input  logic                 take_i,
  output logic                 empty_o,
  output logic                 put_o,
  output logic [ AddrBits-1:0] put_addr_o,
  output logic [BlockBits-1:0] put_data_o,
  output logic [          1:0] put_write_o,  // to X, to Y
  // new destination of the results of a context; not in a cycle with take_i
  input  logic                 renew_i,
  input  logic [  CtxBits-1:0] renew_ctx_i,
  input  logic [ AddrBits-1:0] renew_addr_i,
  input  logic [          1:0] renew_write_i,
  // whether a block of a context's last result is not written yet: context, block and answer in successive
  // cycles
  input  logic [  CtxBits-1:0] wanted_ctx_i,
  input  logic [IndexBits-1:0] wanted_i,
  output logic                 missing_o,
  output logic [ Contexts-1:0] complete_o
);

  localparam int unsigned PlaceBits = $clog2(WaitingBlocks);
  localparam logic [PlaceBits:0] One = (PlaceBits + 1)'(1);
  localparam logic [PlaceBits:0] Most = (PlaceBits + 1)'(WaitingBlocks - 1);

  logic [BlockBits-1:0] quotient_mem[Contexts];
  logic [BlockBits-1:0] result_mem[WaitingBlocks];
  logic [CtxBits-1:0] ctx_mem[WaitingBlocks];
  logic [AddrBits-1:0] addr_mem[Contexts];
  logic [1:0] write_mem[Contexts];
  logic [IndexBits-1:0] written_mem[Contexts];
  logic [PlaceBits-1:0] in_q, out_q, put_place_q, place;
  logic [PlaceBits:0] queued_q, reserved_q;
  logic [CtxBits-1:0] put_ctx_q, at;
  logic [IndexBits-1:0] written, found_q;
  logic incomplete_q;
  logic [CtxBits-1:0] last_ctx_q;
  logic [CtxBits-1:0] renew_ctx_q;
  logic [AddrBits-1:0] after_q, renew_addr_q;
  logic [IndexBits-1:0] written_q;
  logic [1:0] renew_write_q;
  logic push, erase, last_q, counts_q, renew_q;

  assign push = made_i && result_i;
  assign quotient_o = quotient_mem[quotient_ctx_i];
  assign put_addr_o = addr_mem[put_ctx_q];
  assign put_write_o = write_mem[put_ctx_q];
  assign put_data_o = result_mem[put_place_q];
  assign written = written_mem[put_ctx_q];
  assign at = renew_q ? renew_ctx_q : last_ctx_q;

  if (Erase) begin : gen_erase
    logic [PlaceBits-1:0] erased_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) erased_q <= '0;
      else if (erase) erased_q <= erased_q + PlaceBits'(1);
    end
    assign erase = empty_o && !push && !put_o;
    assign place = push ? in_q : erased_q;
  end else begin : gen_keep
    assign erase = 1'b0;
    assign place = in_q;
  end

  always_ff @(posedge clk_i) begin
    if (made_i && !result_i) quotient_mem[ctx_i] <= block_i;
    if (push || erase) begin
      result_mem[place] <= erase ? '0 : block_i;
      ctx_mem[place] <= erase ? '0 : ctx_i;
    end
    after_q <= put_addr_o + AddrBits'(1);
    written_q <= written + IndexBits'(1);
    renew_ctx_q <= renew_ctx_i;
    renew_addr_q <= renew_addr_i;
    renew_write_q <= renew_write_i;
    if (renew_q) write_mem[renew_ctx_q] <= renew_write_q;
    if (renew_q || counts_q) begin
      addr_mem[at] <= renew_q ? renew_addr_q : after_q;
      written_mem[at] <= renew_q ? '0 : written_q;
    end
    put_ctx_q <= ctx_mem[out_q];
    put_place_q <= out_q;
    last_ctx_q <= put_ctx_q;
    incomplete_q <= !complete_o[wanted_ctx_i];
    found_q <= written_mem[wanted_ctx_i];
    missing_o <= incomplete_q && (found_q <= wanted_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      queued_q <= '0;
      reserved_q <= '0;
      put_o <= 1'b0;
      last_q <= 1'b0;
      counts_q <= 1'b0;
      renew_q <= 1'b0;
      empty_o <= 1'b1;
      full_o <= 1'b0;
      complete_o <= '1;
    end else begin
      if (push) in_q <= in_q + PlaceBits'(1);
      if (take_i) out_q <= out_q + PlaceBits'(1);
      if (push != take_i) queued_q <= queued_q + (push ? One : '1);
      if (reserve_i != take_i) reserved_q <= reserved_q + (reserve_i ? One : '1);
      put_o <= take_i;
      if (push != take_i) empty_o <= take_i && (queued_q == One);
      // the next operation is already decided: one place is reserved for it
      if (reserve_i != take_i) full_o <= (reserved_q >= (reserve_i ? Most - One : Most + One));
      last_q <= put_o && (written == top_i[(Sizes > 1) ? put_ctx_q : '0]);
      if (last_q) complete_o[last_ctx_q] <= 1'b1;
      counts_q <= put_o;
      renew_q <= renew_i;
      if (renew_q) complete_o[renew_ctx_q] <= 1'b0;
    end
  end

endmodule
