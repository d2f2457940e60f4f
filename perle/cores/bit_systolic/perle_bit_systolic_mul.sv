// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(n+1), n = Width + 1
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width.
//           OpMul     x, y in [0, 2·M) → z in [0, 2·M), so that results feed back unchanged
//           OpReduce  y in [0, 2·M)    → z in [0, M)
//           Any x, y of OperandBits keep every bit of the row within its column
// Algorithm nedjah2002 Fig. 6 with A = x, B = y and its indices corrected, n the operands' width: both loops are then
//           as printed, i = 0 … n and j = 0 … n:
//             q_i = s_0 xor a_i·b_0 ;  x = 0, B, M or M + B by (a_i, q_i) ;  S ← (S + x)/2, column by column
//           on one row of columns (right border, n − 1 cells, left border): row i is in column j in cycle 2i + j.
//           Rows of two products alternate. OpReduce is the product by A = 1: it ends at or below M, and M itself
//           becomes 0. No data-dependent time
// Cycles    3n + 5 for either operation: 1 load, 1 + 2n + 1 to the first result bit made (in a register after
//           2n + 3), n − 1 more to the last, 1 to gather, 1 to the queue, 1 there, 1 to the response's register.
//           Products are accepted back to back: two in consecutive cycles every 2(n + 1), on average one every
//           n + 1; up to four are in flight
// Left out  bit-serial operands: the array would take and give them a bit a cycle, the contract is parallel
//
// Parameters
//   Width      bits of the widest modulus
//   Contexts   moduli held by the wrapper and selected by req_ctx_i
//   TagBits    bits of the tag that travels with an operation

module perle_bit_systolic_mul
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

  // What column 0 has to know of a product: rows that still start (whether any, whether one), the operation, and A,
  // its next bit lowest.
  typedef struct packed {
    logic active;
    logic last;
    logic [CountBits-1:0] count;
    logic reduce;
    logic first;
    logic [OperandBits-1:0] a;
  } slot_t;

  // Two products take turns: the head's row starts in this cycle, the tail's in the next.
  slot_t head_q, tail_q, started;
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
    started.a = head_q.a >> 1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      ready_q <= 1'b1;
    end else begin
      // the next cycle's tail is free, and the queue has a place then
      ready_q <= !started.active && !full;
      tail_q <= started;
      head_q <= tail_q;
      if (accept) begin
        head_q.active <= 1'b1;
        head_q.last <= 1'b0;
        head_q.count <= CountBits'(Rows);
        head_q.reduce <= (req_op_i == OpReduce);
        head_q.first <= 1'b1;
        head_q.a <= req_x_i;
      end
    end
  end

  perle_bit_systolic_row #(
    .Bits    (OperandBits),
    .Contexts(Contexts)
  ) u_row (
    .clk_i,
    .rst_ni,
    .mod_i,
    .load_i  (accept),
    .ctx_i   (req_ctx_i),
    .b_i     (req_y_i),
    .active_i(head_q.active),
    .last_i  (head_q.last),
    .reduce_i(head_q.reduce),
    .a_i     (head_q.reduce ? head_q.first : head_q.a[0]),
    .push_o  (push),
    .zero_o  (zero),
    .z_o     (z)
  );

  perle_bit_systolic_queue #(
    .Bits   (OperandBits),
    .TagBits(TagBits),
    .Depth  (InFlight)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .open_i (accept),
    .tag_i  (req_tag_i),
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
