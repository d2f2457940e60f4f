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
// Cycles    3n + 3 for either operation: 1 load, 1 + 2n + 1 to the first result bit made (in a register after
//           2n + 3), n − 1 more to the last, 1 to gather, 1 to the queue.
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

  // What column 0 has to know of a product: rows that still start, the operation, and A, its next bit lowest.
  typedef struct packed {
    logic [CountBits-1:0] count;
    logic reduce;
    logic [OperandBits-1:0] a;
  } slot_t;

  // Two products take turns: the head's row starts in this cycle, the tail's in the next.
  slot_t head_q, tail_q, started;
  logic accept, full, active, last, push;
  logic [OperandBits-1:0] z;

  assign req_ready_o = (tail_q.count == '0) && !full;
  assign accept = req_valid_i && req_ready_o;
  assign active = (head_q.count != '0);
  assign last = (head_q.count == CountBits'(1));

  always_comb begin
    started.count = active ? head_q.count - CountBits'(1) : '0;
    started.reduce = head_q.reduce && !last;
    started.a = head_q.a >> 1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      tail_q <= started;
      head_q <= tail_q;
      if (accept) begin
        head_q.count <= CountBits'(Rows);
        head_q.reduce <= (req_op_i == OpReduce);
        head_q.a <= (req_op_i == OpReduce) ? OperandBits'(1) : req_x_i;
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
    .active_i(active),
    .last_i  (last),
    .reduce_i(head_q.reduce),
    .a_i     (head_q.a[0]),
    .push_o  (push),
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
    .z_i    (z),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .tag_o  (rsp_tag_o),
    .z_o    (rsp_z_o)
  );

endmodule
