// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_karatsuba_mul, bound in every simulation: the cycles of every operation until its
// result is stored, one response for each request and in their order, a stable response under backpressure,
// at most one operation per slot of the loop, and space for every result.

module perle_karatsuba_mul_sva
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned LeafWidth    = 17,
  parameter int unsigned LimbWidth    = 33,
  parameter int unsigned WithStep4    = 0,
  parameter int unsigned HalfProducts = 0,
  parameter int unsigned SplitLeaf    = 0,
  parameter int unsigned Fold         = 0,
  parameter int unsigned TagBits      = 4,
  parameter int unsigned OperandBits  = 514
) (
  // named as the core's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   req_valid_i,
  input logic                   req_ready_o,
  input logic [    TagBits-1:0] req_tag_i,
  input logic                   rsp_valid_o,
  input logic                   rsp_ready_i,
  input logic [    TagBits-1:0] rsp_tag_o,
  input logic [OperandBits-1:0] rsp_z_o,
  input logic                   deliver
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Latency = mul_cycles(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, WithStep4,
                                               HalfProducts);
  localparam int unsigned Depth = depth(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, HalfProducts);
  localparam int unsigned Threads = slots(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, HalfProducts);
  localparam int unsigned Places = places(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, WithStep4,
                                          HalfProducts);

  // accepted_q[i]: a request was accepted i + 1 cycles ago
  logic [Latency-2:0] accepted_q;
  int unsigned loop_q;
  logic accept, exits;

  assign accept = req_valid_i && req_ready_o;
  assign exits = accepted_q[3*Depth-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accepted_q <= '0;
      loop_q <= 0;
    end else begin
      accepted_q <= {accepted_q[Latency-3:0], accept};
      loop_q <= loop_q + 32'(accept) - 32'(exits);
    end
  end

  perle_mul_contract_sva #(
    .InFlight   (Places),
    .TagBits    (TagBits),
    .OperandBits(OperandBits)
  ) u_contract (
    .*,
    .latency_i(Latency)
  );

  // a result is stored two cycles before its earliest response
  AssertDelivery : assert property (@(posedge clk_i) disable iff (!rst_ni)
      deliver == accepted_q[Latency-3]);
  AssertNext : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (accepted_q[Latency-2] && (!rsp_valid_o || rsp_ready_i)) |=> rsp_valid_o);
  AssertLoop : assert property (@(posedge clk_i) disable iff (!rst_ni) loop_q <= Threads);

endmodule

bind perle_karatsuba_mul perle_karatsuba_mul_sva #(
  .LeafWidth   (LeafWidth),
  .LimbWidth   (LimbWidth),
  .WithStep4   (WithStep4),
  .HalfProducts(HalfProducts),
  .SplitLeaf   (SplitLeaf),
  .Fold        (Fold),
  .TagBits     (TagBits),
  .OperandBits (OperandBits)
) u_sva (
  .*
);
