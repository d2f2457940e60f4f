// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_stream_mul, bound in every simulation: latencies and order of all operations in flight,
// the initiation interval, a stable response under backpressure, the closed range for legal moduli and
// operands, and no result without a request.

module perle_stream_mul_sva
  import perle_pkg::*;
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned RadixBits   = 18,
  parameter  int unsigned Fold        = 1,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  parameter  int unsigned OperandBits = 1044,
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
  input logic                                                    clear,    // while memories are cleared
  input logic                                                    push      // the PE chain outputs a digit
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Digits = digits(Width, RadixBits, Fold);
  localparam int unsigned Latency = mul_cycles(Digits, Fold);
  localparam int unsigned InFlight = in_flight(Digits, Fold);
  localparam int unsigned Turn = Digits + 1;
  localparam int unsigned Round = turns(Digits, Fold) * Turn;
  localparam int unsigned WideBits = OperandBits + RadixBits + 1;

  typedef logic [WideBits-1:0] wide_t;

  typedef struct packed {
    logic legal;
    logic reduce;
    logic [OperandBits-1:0] m;
    wide_t limit;
  } entry_t;

  entry_t entries_q[InFlight];
  int unsigned accepted_q[InFlight];
  entry_t head;
  int unsigned now_q, requests_q, answered_q, last_q, pushed_q;
  logic [OperandBits-1:0] m;
  wide_t limit;
  logic pending, waited_q, admits;

  assign m = mod_i[req_ctx_i][ConstM];
  // 2·Mt = 2·(M̂·β − 1)
  assign limit = ((wide_t'(mod_i[req_ctx_i][ConstMhat]) << RadixBits) - wide_t'(1)) << 1;
  assign head = entries_q[answered_q%InFlight];
  assign pending = (requests_q != answered_q);

  // a product may start whole turns after the last one, unless a pass of another product is due
  always_comb begin
    admits = (Fold == 1) ? (now_q - last_q >= Turn) : ((now_q - last_q) % Turn == 0);
    for (int unsigned i = 0; i < InFlight; i++) begin
      if ((Fold > 1) && (i < requests_q) && (now_q - accepted_q[i] < Fold * Round) &&
          ((now_q - accepted_q[i]) % Round == 0)) begin
        admits = 1'b0;
      end
    end
    if ((Fold > 1) && (now_q - last_q >= Fold * Round)) admits = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= 0;
      requests_q <= 0;
      answered_q <= 0;
      last_q <= 0;
      pushed_q <= 0;
      waited_q <= 1'b0;
    end else begin
      now_q <= now_q + 1;
      if (req_valid_i && req_ready_o) begin
        requests_q <= requests_q + 1;
        last_q <= now_q;
        accepted_q[requests_q%InFlight] <= now_q;
        entries_q[requests_q%InFlight].legal <= m[0] && (m > OperandBits'(1)) && ((m >> Width) == '0) &&
            (wide_t'(req_y_i) < limit) && ((req_op_i == OpReduce) || (wide_t'(req_x_i) < limit));
        entries_q[requests_q%InFlight].reduce <= (req_op_i == OpReduce);
        entries_q[requests_q%InFlight].m <= m;
        entries_q[requests_q%InFlight].limit <= limit;
      end
      if (rsp_valid_o && rsp_ready_i) answered_q <= answered_q + 1;
      if (push) pushed_q <= pushed_q + 1;
      // after a response has been stalled, others may be late until none is in flight
      waited_q <= (waited_q || (rsp_valid_o && !rsp_ready_i)) && pending;
    end
  end

  perle_mul_contract_sva #(
    .InFlight   (InFlight),
    .TagBits    (TagBits),
    .OperandBits(OperandBits)
  ) u_contract (
    .*,
    .latency_i(Latency)
  );

  // requests wait only for a turn, unless responses are stalled and the queue is full
  AssertInterval : assert property (@(posedge clk_i) disable iff (!rst_ni)
      ((requests_q != 0) && !waited_q && !clear) |-> (req_ready_o == admits));
  AssertTurn : assert property (@(posedge clk_i) disable iff (!rst_ni)
      ((requests_q != 0) && req_ready_o) |-> admits);
  AssertDigits : assert property (@(posedge clk_i) disable iff (!rst_ni)
      pushed_q <= requests_q * Digits);
  AssertClosed : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && head.legal) |-> (wide_t'(rsp_z_o) < (head.reduce ? wide_t'(head.m) : head.limit)));
endmodule

bind perle_stream_mul perle_stream_mul_sva #(
  .Width      (Width),
  .RadixBits  (RadixBits),
  .Fold       (Fold),
  .Contexts   (Contexts),
  .TagBits    (TagBits),
  .OperandBits(OperandBits)
) u_sva (
  .*
);
