// SPDX-License-Identifier: Apache-2.0
//
// Multiplier in which two products share the row, alternating cycle by cycle: operations, ranges and
// parameters as perle_bit_systolic_mul.
//
// Ranges    for any x, y of OperandBits the running sum fits the columns
// Algorithm nedjah2002 Fig. 6 with A = x, B = y and its indices corrected, n the operands' width: both loops
//           are then as printed, i = 0 … n and j = 0 … n:
//             q_i = s_0 xor a_i·b_0 ;  x = 0, B, M or M + B by (a_i, q_i) ;  S ← (S + x)/2, column by column
//           on one row of columns (right border, n − 1 cells, left border): row i is in column j in cycle 2i
//           + j. Rows of two products alternate. OpReduce is the product by A = 1: it is at most M, and M
//           itself becomes 0. Constant time
// Cycles    latency 3n + 8 for either operation: 1 to registers at the ports, 1 load, 1 + 2n + 1 to the first
//           result bit (registered 2n + 3 cycles after the load), n − 1 more to the last, 1 to collect, 1 to
//           the FIFO, 4 through it; its last word is the response.
//           Products are accepted back to back: two every 2(n + 1) cycles, three cycles apart, so on average
//           one every n + 1; up to four are in flight
// Left out  bit-serial operands: the row could load and deliver one bit per cycle; the contract is parallel
//
// Parameters
//   Width      bits of the widest modulus
//   Contexts   moduli held by the wrapper and selected by req_ctx_i
//   TagBits    bits of the tag that travels with an operation

module perle_bit_systolic_pair
  import perle_pkg::*;
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned OperandBits = operand_bits(Width),
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                    req_valid_i,
  output logic                                                    req_ready_o,
  input  mul_op_e                                                 req_op_i,
  input  logic    [ CtxBits-1:0]                                  req_ctx_i,
  input  logic    [ TagBits-1:0]                                  req_tag_i,
  input  logic    [OperandBits-1:0]                               req_x_i,
  input  logic    [OperandBits-1:0]                               req_y_i,
  output logic                                                    rsp_valid_o,
  input  logic                                                    rsp_ready_i,
  output logic    [ TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                               rsp_z_o
);

  localparam int unsigned Rows = rows(Width);
  localparam int unsigned CountBits = $clog2(Rows + 1);

  // State of a product at column 0, besides A: number of rows that still start (and whether any, or one);
  // operation.
  typedef struct packed {
    logic active;
    logic last;
    logic [CountBits-1:0] count;
    logic reduce;
    logic first;
  } place_t;

  // Two products alternate: the row of the head starts in this cycle, that of the tail in the next.
  place_t head_q, tail_q, started;
  logic [OperandBits-1:0] a_head_q, a_tail_q;  // A, its next bit lowest
  // The ports of the previous cycle, and whether a request was accepted in it.
  logic [OperandBits-1:0] x_q, y_q;
  logic [CtxBits-1:0] ctx_q;
  logic [TagBits-1:0] tag_q;
  logic reduce_q, taken_q;
  logic [OperandBits-1:0] take;  // taken_q for each column
  logic ready_q, accept, full, push, zero;
  logic [OperandBits-1:0] z;

  assign req_ready_o = ready_q;
  assign accept = req_valid_i && ready_q;

  always_comb begin
    started.active = head_q.active && !head_q.last;
    started.last = (head_q.count == CountBits'(2));
    started.count = head_q.active ? head_q.count - CountBits'(1) : '0;
    started.reduce = head_q.reduce && !head_q.last;
    started.first = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      ready_q <= 1'b1;
      taken_q <= 1'b0;
      reduce_q <= 1'b0;
      ctx_q <= '0;
      tag_q <= '0;
    end else begin
      // The tail is free when a request accepted in the next cycle reaches the columns, and the FIFO has
      // space. Requests are at least three cycles apart, as the FIFO needs this distance between results.
      ready_q <= !accept && !taken_q && !(tail_q.active && !tail_q.last) && !full;
      taken_q <= accept;
      reduce_q <= (req_op_i == OpReduce);
      ctx_q <= req_ctx_i;
      tag_q <= req_tag_i;
      tail_q <= started;
      head_q <= tail_q;
      if (taken_q) begin
        head_q.active <= 1'b1;
        head_q.last <= 1'b0;
        head_q.count <= CountBits'(Rows);
        head_q.reduce <= reduce_q;
        head_q.first <= 1'b1;
      end
    end
  end

  perle_bit_systolic_fanout #(
    .Columns(OperandBits)
  ) u_take (
    .clk_i,
    .rst_ni,
    .d_i(accept),
    .q_o(take)
  );

  // The port registers load in every cycle, so that no enable has to reach all bits.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q <= '0;
      y_q <= '0;
      a_head_q <= '0;
      a_tail_q <= '0;
    end else begin
      x_q <= req_x_i;
      y_q <= req_y_i;
      a_head_q <= (take & x_q) | (~take & a_tail_q);
      a_tail_q <= a_head_q >> 1;
    end
  end

  perle_bit_systolic_row #(
    .Bits    (OperandBits),
    .Contexts(Contexts)
  ) u_row (
    .clk_i,
    .rst_ni,
    .mod_i,
    .load_i     (taken_q),
    .load_slot_i(take),
    .ctx_i      (ctx_q),
    .b_i        (y_q),
    .active_i   (head_q.active),
    .last_i     (head_q.last),
    .reduce_i   (head_q.reduce),
    .a_i        (head_q.reduce ? head_q.first : a_head_q[0]),
    .push_o     (push),
    .zero_o     (zero),
    .z_o        (z)
  );

  perle_bit_systolic_result_fifo #(
    .Bits   (OperandBits),
    .TagBits(TagBits),
    .Depth  (InFlight)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .open_i (taken_q),
    .tag_i  (tag_q),
    .full_o (full),
    .push_i (push),
    .zero_i (zero),
    .z_i    (z),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .tag_o  (rsp_tag_o),
    .z_o    (rsp_z_o)
  );

endmodule
