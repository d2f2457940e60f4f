// SPDX-License-Identifier: Apache-2.0
//
// A tile: computes modular products of four contexts, with operands and results in its memories.
//
//   z ≡ x·y·R^-1 (mod M), R = β^N, β = 2^(3·RadixBits)
//
// Ranges    x, y, z in [0, 2·Mt), N = blocks_i of the context in [3, MaxBlocks]; M̂ < β^(N−1), its block N − 1
//           is written as zero
// Algorithm memory X holds x and q, memory Y holds y and M̂; the blocks of a number are at successive
//           addresses. A request gives the addresses; z is written to the same address in one memory or both,
//           and may overwrite x or y. The next request of the same context may use z
// Cycles    a context has one cycle in four, its turn; a modular product takes N² + N + 5 turns for N >= 5,
//           27 for N = 4, 22 for N = 3 (averages of schedule.py, while requests always wait)
// Left out  exponents, constants of a modulus, `reduce`, zeroization of the memories
//
// Parameters
//   RadixBits   k, bits of a digit
//   MaxBlocks   most blocks of a modulus
//   AddrBits    bits of an address of either memory
//   Sizes       1: all contexts have the same N; Contexts: each has its own
//   Erase       1: the queue of results is overwritten with zeros (perle_tile_results)

module perle_tile
  import perle_tile_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter int unsigned MaxBlocks = 39,
  parameter int unsigned AddrBits  = 10,
  parameter int unsigned Sizes     = 1,
  parameter bit          Erase     = 1'b0,
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [   Sizes-1:0][IndexBits-1:0] blocks_i,  // that of a context may change only while it is idle
  // requests; one per context may wait
  input  logic                 req_valid_i,
  output logic                 req_ready_o,   // of context req_ctx_i
  input  logic [  CtxBits-1:0] req_ctx_i,
  input  logic [ AddrBits-1:0] req_x_i,
  input  logic [ AddrBits-1:0] req_y_i,
  input  logic [ AddrBits-1:0] req_z_i,
  input  logic [ AddrBits-1:0] req_m_i,       // address of q in X and of M̂ in Y
  input  logic [          1:0] req_write_i,   // whether z is written to X, to Y
  output logic [ Contexts-1:0] busy_o,
  // accesses of the host, while a port is free; reads are of memory X
  input  logic                 host_valid_i,
  output logic                 host_ready_o,
  input  logic [          1:0] host_write_i,  // X, Y; 0: read
  input  logic [ AddrBits-1:0] host_addr_i,
  input  logic [BlockBits-1:0] host_data_i,
  output logic                 host_valid_o,
  output logic [BlockBits-1:0] host_data_o
);

  typedef struct packed {
    logic [AddrBits-1:0] x;
    logic [AddrBits-1:0] y;
    logic [AddrBits-1:0] z;
    logic [AddrBits-1:0] m;
    logic [1:0] write;
  } request_t;

  request_t request_mem[2*Contexts];
  request_t request;
  logic [Contexts-1:0] waiting_q, bank_q, started, running, complete;
  logic accept;

  // requests
  assign req_ready_o = !waiting_q[req_ctx_i];
  assign accept = req_valid_i && req_ready_o;
  assign busy_o = running | waiting_q | ~complete;

  always_ff @(posedge clk_i) begin
    if (accept) request_mem[{req_ctx_i, bank_q[req_ctx_i]}] <= '{
        req_x_i, req_y_i, req_z_i, req_m_i, req_write_i
    };
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      bank_q <= '1;
    end else begin
      waiting_q <= waiting_q & ~started;
      if (accept) begin
        waiting_q[req_ctx_i] <= 1'b1;
        bank_q[req_ctx_i] <= !bank_q[req_ctx_i];
      end
    end
  end

  // the operation: issued, then with its addresses at stage 0
  logic full, reserve, free, take, empty, put;
  op_t issued, op_q;
  logic made, made_result;
  logic [CtxBits-1:0] issued_ctx, ctx_q, made_ctx;
  logic [CtxBits-1:0] turn;
  logic bank, quotient, write, renew, write_q;
  logic [Sizes-1:0][IndexBits-1:0] top_q;
  logic [IndexBits-1:0] a, b, index, index_q;
  logic [CtxBits-1:0] wanted_ctx;
  logic [IndexBits-1:0] wanted;
  logic missing;
  logic [AddrBits-1:0] put_addr, b_addr, x_base_q, y_base_q, z_base_q, xa_q, xb_q, ya_q, yb_q, host_addr_q;
  logic [BlockBits-1:0] put_data, put_q, quotient_block, block, host_data_q;
  logic [1:0] host_write_q, put_write_q, put_write, z_write_q;
  logic host_q;
  logic [2:0] read_q;

  assign take = free && !empty && !put;
  assign host_ready_o = free && !take;

  perle_tile_sequencer #(
    .MaxBlocks(MaxBlocks),
    .Sizes    (Sizes)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .top_i     (top_q),
    .waiting_i (waiting_q),
    .started_o (started),
    .running_o (running),
    .wanted_ctx_o(wanted_ctx),
    .wanted_o  (wanted),
    .missing_i (missing),
    .full_i    (full),
    .reserve_o (reserve),
    .free_o    (free),
    .turn_o    (turn),
    .op_o      (issued),
    .ctx_o     (issued_ctx),
    .bank_o    (bank),
    .quotient_o(quotient),
    .write_o   (write),
    .renew_o   (renew),
    .a_o       (a),
    .b_o       (b),
    .index_o   (index)
  );

  assign request = request_mem[{turn, bank}];
  assign b_addr = put ? put_addr : host_addr_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned n = 0; n < Sizes; n++) top_q[n] <= blocks_i[n] - IndexBits'(1);
    host_addr_q <= host_addr_i;
    host_write_q <= host_write_i;
    host_data_q <= host_data_i;
    ctx_q <= issued_ctx;
    index_q <= index;
    x_base_q <= quotient ? request.m : request.x;
    y_base_q <= quotient ? request.m : request.y;
    z_base_q <= request.z;
    z_write_q <= request.write;
    xa_q <= x_base_q + AddrBits'(a);
    ya_q <= y_base_q + AddrBits'(a);
    xb_q <= (put || host_q) ? b_addr : x_base_q + AddrBits'(b);
    yb_q <= (put || host_q) ? b_addr : y_base_q + AddrBits'(b);
    put_q <= put ? put_data : host_data_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q <= '0;
      write_q <= 1'b0;
      host_q <= 1'b0;
      put_write_q <= '0;
      read_q <= '0;
    end else begin
      op_q <= issued;
      write_q <= write;
      host_q <= host_valid_i && host_ready_o;
      put_write_q <= put ? put_write : host_write_q & {2{host_q}};
      read_q <= {read_q[1:0], host_q && host_write_q == '0};
    end
  end

  // memories
  logic [BlockBits-1:0] xa, xb, ya, yb;

  assign host_valid_o = read_q[2];
  assign host_data_o = xb;

  perle_tile_memory #(
    .Bits (BlockBits),
    .Depth(1 << AddrBits)
  ) u_memory_x (
    .clk_i,
    .a_we_i  (write_q),
    .a_addr_i(xa_q),
    .a_data_i(quotient_block),
    .a_data_o(xa),
    .b_we_i  (put_write_q[0]),
    .b_addr_i(xb_q),
    .b_data_i(put_q),
    .b_data_o(xb)
  );

  perle_tile_memory #(
    .Bits (BlockBits),
    .Depth(1 << AddrBits)
  ) u_memory_y (
    .clk_i,
    .a_we_i  (1'b0),
    .a_addr_i(ya_q),
    .a_data_i('0),
    .a_data_o(ya),
    .b_we_i  (put_write_q[1]),
    .b_addr_i(yb_q),
    .b_data_i(put_q),
    .b_data_o(yb)
  );

  perle_tile_datapath #(
    .RadixBits(RadixBits),
    .MaxBlocks(MaxBlocks)
  ) u_datapath (
    .clk_i,
    .rst_ni,
    .op_i    (op_q),
    .ctx_i   (ctx_q),
    .index_i (index_q),
    .xa_i    (xa),
    .xb_i    (xb),
    .ya_i    (ya),
    .yb_i    (yb),
    .made_o  (made),
    .result_o(made_result),
    .ctx_o   (made_ctx),
    .block_o (block)
  );

  perle_tile_results #(
    .BlockBits(BlockBits),
    .MaxBlocks(MaxBlocks),
    .AddrBits (AddrBits),
    .Sizes    (Sizes),
    .Erase    (Erase)
  ) u_results (
    .clk_i,
    .rst_ni,
    .top_i         (top_q),
    .made_i        (made),
    .result_i      (made_result),
    .ctx_i         (made_ctx),
    .block_i       (block),
    .quotient_ctx_i(ctx_q),
    .quotient_o    (quotient_block),
    .reserve_i     (reserve),
    .full_o        (full),
    .take_i        (take),
    .empty_o       (empty),
    .put_o         (put),
    .put_addr_o    (put_addr),
    .put_data_o    (put_data),
    .put_write_o   (put_write),
    .renew_i       (renew),
    .renew_ctx_i   (issued_ctx),
    .renew_addr_i  (z_base_q),
    .renew_write_i (z_write_q),
    .wanted_ctx_i  (wanted_ctx),
    .wanted_i      (wanted),
    .missing_o     (missing),
    .complete_o    (complete)
  );

endmodule
