// SPDX-License-Identifier: Apache-2.0
//
// Several boards with one multiplier: lane i has the registers, operands and exponentiator of a board, at
// byte address i·2^14 of the common bus; the multiplier serves the lanes in turn. This saturates a pipelined
// multiplier, which a single exponentiation cannot, as each of its products depends on the last one.
//
// Ranges    as perle_board, for each lane
// Cycles    as perle_board; a product may have to wait for those of other lanes
// Errors    as perle_board, for each lane; an address beyond the last lane: DECERR
//
// Parameters
//   Lanes        boards, 2 and more
//   others       as perle_board

module perle_board_lanes
  import perle_pkg::*;
  import perle_bus_pkg::*;
#(
  parameter  int unsigned Lanes       = 2,
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned ConstCount  = 3,
  parameter  int unsigned WindowBits  = 4,
  parameter  int unsigned TagBits     = 4,
  parameter  logic [31:0] FamilyId    = 32'd1,
  parameter  logic [31:0] ConfigHash  = 32'd0,
  localparam int unsigned LaneBits    = $clog2(Lanes)
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,

  // AXI4-Lite, and the lane of each address
  input  logic [LaneBits-1:0]                                aw_lane_i,
  input  logic [LaneBits-1:0]                                ar_lane_i,
  input  axil_req_t                                          axil_i,
  output axil_rsp_t                                          axil_o,
  output logic [Lanes-1:0]                                   irq_o,

  // Multiplier
  output logic [Lanes-1:0][ConstCount-1:0][OperandBits-1:0]  mod_o,
  output logic                                               req_valid_o,
  input  logic                                               req_ready_i,
  output mul_op_e                                            req_op_o,
  output logic [LaneBits-1:0]                                req_ctx_o,
  output logic [TagBits-1:0]                                 req_tag_o,
  output logic [OperandBits-1:0]                             req_x_o,
  output logic [OperandBits-1:0]                             req_y_o,
  input  logic                                               rsp_valid_i,
  output logic                                               rsp_ready_o,
  input  logic [TagBits-1:0]                                 rsp_tag_i,
  input  logic [OperandBits-1:0]                             rsp_z_i
);

  axil_req_t [Lanes-1:0] axil_req;
  axil_rsp_t [Lanes-1:0] axil_rsp;
  logic    [Lanes-1:0]                  req_valid, req_ready, rsp_valid, rsp_ready;
  mul_op_e [Lanes-1:0]                  req_op;
  logic    [Lanes-1:0]                  req_early, req_forward;
  logic    [Lanes-1:0][TagBits-1:0]     req_tag, rsp_tag;
  logic    [Lanes-1:0][OperandBits-1:0] req_x, req_y;

  perle_axil_demux #(
    .Lanes(Lanes)
  ) u_demux (
    .clk_i,
    .rst_ni,
    .aw_lane_i,
    .ar_lane_i,
    .axil_i,
    .axil_o,
    .lane_o   (axil_req),
    .lane_i   (axil_rsp)
  );

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    perle_board #(
      .Width       (Width),
      .OperandBits (OperandBits),
      .ConstCount  (ConstCount),
      .WindowBits  (WindowBits),
      .TagBits     (TagBits),
      .FamilyId    (FamilyId),
      .ConfigHash  (ConfigHash),
      .Lanes       (Lanes),
      .Lane        (i)
    ) u_board (
      .clk_i,
      .rst_ni,
      .axil_i         (axil_req[i]),
      .axil_o         (axil_rsp[i]),
      .irq_o          (irq_o[i]),
      .mod_o          (mod_o[i]),
      .req_valid_o    (req_valid[i]),
      .req_ready_i    (req_ready[i]),
      .req_op_o       (req_op[i]),
      .req_early_o    (req_early[i]),
      .req_forward_o  (req_forward[i]),
      .req_tag_o      (req_tag[i]),
      .req_x_o        (req_x[i]),
      .req_y_o        (req_y[i]),
      .rsp_valid_i    (rsp_valid[i]),
      .rsp_ready_o    (rsp_ready[i]),
      .rsp_tag_i      (rsp_tag[i]),
      .rsp_z_i
    );
  end

  // no forwarding: a product may be followed by one of another lane
  logic unused;
  assign unused = ^{req_early, req_forward};

  perle_mul_share #(
    .Lanes       (Lanes),
    .OperandBits (OperandBits),
    .TagBits     (TagBits)
  ) u_share (
    .clk_i,
    .rst_ni,
    .lane_req_valid_i (req_valid),
    .lane_req_ready_o (req_ready),
    .lane_req_op_i    (req_op),
    .lane_req_x_i     (req_x),
    .lane_req_y_i     (req_y),
    .lane_req_tag_i   (req_tag),
    .lane_rsp_valid_o (rsp_valid),
    .lane_rsp_ready_i (rsp_ready),
    .lane_rsp_tag_o   (rsp_tag),
    .req_valid_o,
    .req_ready_i,
    .req_op_o,
    .req_ctx_o,
    .req_tag_o,
    .req_x_o,
    .req_y_o,
    .rsp_valid_i,
    .rsp_ready_o,
    .rsp_tag_i
  );

endmodule
