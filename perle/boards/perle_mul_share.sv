// SPDX-License-Identifier: Apache-2.0
//
// Shares one multiplier (contract.md) between several lanes; every lane has the ports of a multiplier.
//
// Ranges    as the multiplier's; lane i uses context i
// Algorithm round-robin arbitration. The tag of a request is the number of its lane, and the response goes to
//           that lane. As each lane has at most one operation in flight, its own tag is kept here
// Cycles    none added: a request of a lane can be accepted in the cycle of its last response
// Left out  independent backpressure: a lane that does not accept its response stalls the responses behind it
//
// Parameters
//   Lanes         1…2^TagBits                OperandBits   bits of an operand
//   TagBits       bits of the multiplier's tag

module perle_mul_share
  import perle_pkg::*;
#(
  parameter  int unsigned Lanes       = 2,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned CtxBits     = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // lanes
  input  logic    [Lanes-1:0]                  lane_req_valid_i,
  output logic    [Lanes-1:0]                  lane_req_ready_o,
  input  mul_op_e [Lanes-1:0]                  lane_req_op_i,
  input  logic    [Lanes-1:0][OperandBits-1:0] lane_req_x_i,
  input  logic    [Lanes-1:0][OperandBits-1:0] lane_req_y_i,
  input  logic    [Lanes-1:0][TagBits-1:0]     lane_req_tag_i,
  output logic    [Lanes-1:0]                  lane_rsp_valid_o,
  input  logic    [Lanes-1:0]                  lane_rsp_ready_i,
  output logic    [Lanes-1:0][TagBits-1:0]     lane_rsp_tag_o,
  // multiplier
  output logic                                 req_valid_o,
  input  logic                                 req_ready_i,
  output mul_op_e                              req_op_o,
  output logic    [CtxBits-1:0]                req_ctx_o,
  output logic    [TagBits-1:0]                req_tag_o,
  output logic    [OperandBits-1:0]            req_x_o,
  output logic    [OperandBits-1:0]            req_y_o,
  input  logic                                 rsp_valid_i,
  output logic                                 rsp_ready_o,
  input  logic    [TagBits-1:0]                rsp_tag_i
);

  logic [CtxBits-1:0] first_q, chosen, answered;
  logic [Lanes-1:0][TagBits-1:0] tag_q;
  logic locked_q;  // a request that was offered and not accepted may not be withdrawn
  logic [CtxBits-1:0] offered_q;

  always_comb begin
    chosen = first_q;
    // the lowest requesting lane at or above first_q, otherwise the lowest of all
    for (int unsigned i = Lanes; i > 0; i--) if (lane_req_valid_i[i-1]) chosen = CtxBits'(i - 1);
    for (int unsigned i = Lanes; i > 0; i--) begin
      if (lane_req_valid_i[i-1] && CtxBits'(i - 1) >= first_q) chosen = CtxBits'(i - 1);
    end
    if (locked_q) chosen = offered_q;
  end

  assign req_valid_o = lane_req_valid_i[chosen];
  assign req_op_o = lane_req_op_i[chosen];
  assign req_ctx_o = chosen;
  assign req_tag_o = TagBits'(chosen);
  assign req_x_o = lane_req_x_i[chosen];
  assign req_y_o = lane_req_y_i[chosen];
  assign answered = rsp_tag_i[CtxBits-1:0];
  assign rsp_ready_o = lane_rsp_ready_i[answered];
  assign lane_rsp_tag_o = tag_q;

  if (TagBits > CtxBits) begin : gen_unused
    logic unused_tag;
    assign unused_tag = ^rsp_tag_i[TagBits-1:CtxBits];
  end

  always_comb begin
    lane_req_ready_o = '0;
    lane_req_ready_o[chosen] = req_ready_i;
    lane_rsp_valid_o = '0;
    lane_rsp_valid_o[answered] = rsp_valid_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      offered_q <= '0;
      locked_q <= 1'b0;
      tag_q <= '0;
    end else if (req_valid_o) begin
      locked_q  <= !req_ready_i;
      offered_q <= chosen;
      if (req_ready_i) begin
        first_q <= (chosen == CtxBits'(Lanes - 1)) ? '0 : chosen + CtxBits'(1);
        tag_q[chosen] <= lane_req_tag_i[chosen];
      end
    end
  end

endmodule
