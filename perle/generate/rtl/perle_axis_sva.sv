// SPDX-License-Identifier: Apache-2.0
//
// Assertions on perle_axis: an answer stays stable until it is accepted, the word port has one access at a
// time, and no write or start goes to a busy lane.

module perle_axis_sva #(
  parameter  int unsigned Lanes    = 1,
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                m_axis_tvalid_i,
  input logic                m_axis_tready_i,
  input logic [63:0]         m_axis_tdata_i,
  input logic                m_axis_tlast_i,
  input logic                wr_valid_i,
  input logic [LaneBits-1:0] wr_lane_i,
  input logic                rd_valid_i,
  input logic [LaneBits-1:0] rd_lane_i,
  input logic                start_i,
  input logic                zeroize_i,
  input logic [LaneBits-1:0] cmd_lane_i,
  input logic [Lanes-1:0]    used_i,
  input logic [Lanes-1:0]    busy_i
);

  AnswerStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    m_axis_tvalid_i && !m_axis_tready_i |=>
      m_axis_tvalid_i && $stable(m_axis_tdata_i) && $stable(m_axis_tlast_i));
  OneAccess: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $onehot0({wr_valid_i, rd_valid_i, start_i, zeroize_i}));
  WriteToFree: assert property (@(posedge clk_i) disable iff (!rst_ni)
    wr_valid_i |-> !busy_i[wr_lane_i] && !used_i[wr_lane_i]);
  StartOfFree: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i || zeroize_i |-> !busy_i[cmd_lane_i] && !used_i[cmd_lane_i]);
  ReadOfEnded: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rd_valid_i |-> !busy_i[rd_lane_i] && used_i[rd_lane_i]);

endmodule

bind perle_axis perle_axis_sva #(
  .Lanes(Lanes)
) u_sva (
  .clk_i,
  .rst_ni,
  .m_axis_tvalid_i(m_axis_tvalid_o),
  .m_axis_tready_i,
  .m_axis_tdata_i(m_axis_tdata_o),
  .m_axis_tlast_i(m_axis_tlast_o),
  .wr_valid_i(wr_valid_o),
  .wr_lane_i(wr_lane_o),
  .rd_valid_i(rd_valid_o),
  .rd_lane_i(rd_lane_o),
  .start_i(start_o),
  .zeroize_i(zeroize_o),
  .cmd_lane_i(cmd_lane_o),
  .used_i(used_q),
  .busy_i
);
