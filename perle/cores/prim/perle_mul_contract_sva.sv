// SPDX-License-Identifier: Apache-2.0
//
// Assertions of the contract of all modular multipliers (cores/contract.md), bound in every simulation:
// latency of each operation, order, tags, a response that is held until it is accepted, and the number of
// operations in flight.
//
// Ranges    latency_i is the latency, in cycles, of the request at the port
// Algorithm a queue holds the operations in flight in the order of their requests. A response comes exactly
//           `latency` cycles after its request. After a response was stalled (backpressure), those behind it
//           may come later, never earlier. With Exact = 0 responses may always come later; the family checks
//           their distance
// Left out  values: the testbench compares them with the model
//
// Parameters
//   InFlight               most operations in flight
//   TagBits, OperandBits   as the multiplier
//   Exact                  whether responses come exactly at their latency

module perle_mul_contract_sva #(
  parameter int unsigned InFlight    = 1,
  parameter int unsigned TagBits     = 4,
  parameter int unsigned OperandBits = 1025,
  parameter bit          Exact       = 1'b1
) (
  // named as the multiplier's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                   clk_i,
  input logic                   rst_ni,
  input int unsigned            latency_i,
  input logic                   req_valid_i,
  input logic                   req_ready_o,
  input logic [    TagBits-1:0] req_tag_i,
  input logic                   rsp_valid_o,
  input logic                   rsp_ready_i,
  input logic [    TagBits-1:0] rsp_tag_o,
  input logic [OperandBits-1:0] rsp_z_o
  // verilog_lint: waive-stop port-name-suffix
);

  typedef struct packed {
    int unsigned due;
    logic [TagBits-1:0] tag;
  } entry_t;

  entry_t entries_q[InFlight];
  entry_t head;
  int unsigned now_q, accepted_q, answered_q;
  logic pending, delayed_q;

  assign head = entries_q[answered_q%InFlight];
  assign pending = (accepted_q != answered_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= 0;
      accepted_q <= 0;
      answered_q <= 0;
      delayed_q <= 1'b0;
    end else begin
      now_q <= now_q + 1;
      if (req_valid_i && req_ready_o) begin
        accepted_q <= accepted_q + 1;
        entries_q[accepted_q%InFlight] <= '{due: now_q + latency_i, tag: req_tag_i};
      end
      if (rsp_valid_o && rsp_ready_i) answered_q <= answered_q + 1;
      delayed_q <= (delayed_q || (rsp_valid_o && !rsp_ready_i)) && (InFlight > 1) && pending;
    end
  end

  AssertLatency : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (Exact && pending && !delayed_q) |-> (rsp_valid_o == (now_q >= head.due)));
  AssertNotEarlier : assert property (@(posedge clk_i) disable iff (!rst_ni)
      rsp_valid_o |-> (pending && (now_q >= head.due)));
  AssertInFlight : assert property (@(posedge clk_i) disable iff (!rst_ni)
      accepted_q - answered_q <= InFlight);
  AssertTag : assert property (@(posedge clk_i) disable iff (!rst_ni)
      rsp_valid_o |-> (rsp_tag_o == head.tag));
  AssertHeld : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && !rsp_ready_i) |=> (rsp_valid_o && $stable(rsp_z_o)));

endmodule
