// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_bit_systolic_pair, bound in every simulation: cycle and value of the first bit of each
// result, latencies and order of all operations in flight, a stable response under backpressure, the closed
// range for legal moduli and operands, and that nothing of a product stays in the row (apart from the port
// registers, which follow the ports in every cycle).

module perle_bit_systolic_pair_sva
  import perle_pkg::*;
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  parameter  int unsigned OperandBits = 1025,
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  // named as the core's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                                                    clk_i,
  input logic                                                    rst_ni,
  input logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input logic                                                    req_valid_i,
  input logic                                                    req_ready_o,
  input mul_op_e                                                 req_op_i,
  input logic    [ CtxBits-1:0]                                  req_ctx_i,
  input logic    [ TagBits-1:0]                                  req_tag_i,
  input logic    [OperandBits-1:0]                               req_x_i,
  input logic    [OperandBits-1:0]                               req_y_i,
  input logic                                                    rsp_valid_o,
  input logic                                                    rsp_ready_i,
  input logic    [ TagBits-1:0]                                  rsp_tag_o,
  input logic    [OperandBits-1:0]                               rsp_z_o,
  input logic                                                    first_made,  // z_0 is being registered
  input logic                                                    first_bit,   // register of z_0
  input logic                                                    leftover
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Wide = OperandBits + 1;
  localparam int unsigned Latency = mul_cycles(Width);
  localparam int unsigned FirstBit = EntryCycles + first_bit_cycles(Width);
  // cycles from an accepted response to the next one, if that waits
  localparam int unsigned After = 3;
  // so long after the last response all rows have left the columns, and S has been shifted out
  localparam int unsigned Quiet = 2 * OperandBits + 4;

  typedef struct packed {
    int unsigned accepted;
    logic legal;
    logic reduce;
    logic [OperandBits-1:0] m;
  } entry_t;

  entry_t entries_q[InFlight];
  entry_t head;
  int unsigned now_q, requests_q, answered_q, begun_q, idle_q, left_q, due;
  logic [OperandBits-1:0] m;
  logic [Wide-1:0] twice;
  logic pending, first_here_q;
  logic [FirstBit-1:1] accepted_q;  // bit i: a request was accepted i cycles ago
  logic [InFlight-1:0] first_bits_q;

  assign m = mod_i[req_ctx_i][ConstM];
  assign twice = {m, 1'b0};
  assign head = entries_q[answered_q%InFlight];
  assign pending = (requests_q != answered_q);
  assign due = (answered_q != 0 && left_q + After > head.accepted + Latency) ?
      left_q + After : head.accepted + Latency;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= 0;
      requests_q <= 0;
      answered_q <= 0;
      left_q <= 0;
      idle_q <= 0;
      begun_q <= 0;
      accepted_q <= '0;
      first_here_q <= 1'b0;
      first_bits_q <= '0;
    end else begin
      now_q <= now_q + 1;
      accepted_q <= {accepted_q[FirstBit-2:1], req_valid_i && req_ready_o};
      first_here_q <= first_made;
      if (first_here_q) begin
        first_bits_q[begun_q%InFlight] <= first_bit;
        begun_q <= begun_q + 1;
      end
      if (req_valid_i && req_ready_o) begin
        requests_q <= requests_q + 1;
        entries_q[requests_q%InFlight].accepted <= now_q;
        entries_q[requests_q%InFlight].legal <= m[0] && (m > OperandBits'(1)) && !m[Width] &&
            (Wide'(req_y_i) < twice) && ((req_op_i == OpReduce) || (Wide'(req_x_i) < twice));
        entries_q[requests_q%InFlight].reduce <= (req_op_i == OpReduce);
        entries_q[requests_q%InFlight].m <= m;
      end
      if (rsp_valid_o && rsp_ready_i) begin
        answered_q <= answered_q + 1;
        left_q <= now_q;
      end
      idle_q <= (pending || req_valid_i) ? 0 : idle_q + 1;
    end
  end

  // responses are After cycles apart: AssertLatency below checks the exact cycle
  perle_mul_contract_sva #(
    .InFlight   (InFlight),
    .TagBits    (TagBits),
    .OperandBits(OperandBits),
    .Exact      (1'b0)
  ) u_contract (
    .*,
    .latency_i(Latency)
  );

  // the first bit is computed one cycle earlier: for every product, and for nothing else
  AssertFirstBit : assert property (@(posedge clk_i) disable iff (!rst_ni)
      first_made == accepted_q[FirstBit-1]);
  AssertFirstBitIsTheResults : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && !head.reduce) |-> (rsp_z_o[0] == first_bits_q[answered_q%InFlight]));
  // the response of the oldest operation comes exactly when due
  AssertLatency : assert property (@(posedge clk_i) disable iff (!rst_ni)
      pending |-> (rsp_valid_o == (now_q >= due)));
  AssertClosed : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && head.legal) |->
      (Wide'(rsp_z_o) < (head.reduce ? {1'b0, head.m} : {head.m, 1'b0})));
  AssertNothingStays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (idle_q > Quiet) |-> !leftover);

endmodule

bind perle_bit_systolic_pair perle_bit_systolic_pair_sva #(
  .Width      (Width),
  .Contexts   (Contexts),
  .TagBits    (TagBits),
  .OperandBits(OperandBits)
) u_sva (
  .*,
  .first_made(u_row.u_collect.made[0]),
  .first_bit(u_row.u_collect.head_q[0]),
  .leftover((head_q != '0) || (tail_q != '0) || (a_head_q != '0) || (a_tail_q != '0) ||
      (|u_queue.slot_q) ||
      (u_row.u_operands.slot_head_q != '0) || (u_row.u_operands.slot_tail_q != '0) ||
      (u_row.u_operands.b_head_q != '0) || (u_row.u_operands.b_tail_q != '0) ||
      (u_row.u_operands.mb_head_q != '0) || (u_row.u_operands.mb_tail_q != '0) ||
      (u_row.u_operands.k_q != '0) || (u_row.u_operands.load_q != '0) ||
      (u_row.u_cells.a_q != '0) || (u_row.u_cells.q_q != '0) || (u_row.u_cells.c_q != '0) ||
      (u_row.u_cells.s_q != '0) || (u_row.u_left.wait_q || u_row.u_left.top_q || u_row.u_left.s_o) ||
      (u_row.u_right.a_o || u_row.u_right.q_o || u_row.u_right.carry_o) ||
      (u_row.u_collect.head_q != '0) || (u_row.u_collect.tail_q != '0) ||
      (u_row.u_collect.last_q != '0) || (u_row.u_collect.equal_q != '0))
);
