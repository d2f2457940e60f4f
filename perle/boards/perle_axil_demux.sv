// SPDX-License-Identifier: Apache-2.0
//
// One AXI4-Lite slave in front of several equal ones: the upper address bits choose the lane.
//
// Ranges    one write and one read at a time; a lane that does not exist answers DECERR
// Algorithm the address is taken first; data goes to the lane of the address that was taken or is on offer; the
//           next address waits until the response has been taken
// Cycles    none added to a single access; accesses do not overlap
//
// Parameters
//   Lanes      slaves               WordBits   bits of the data bus

module perle_axil_demux #(
  parameter  int unsigned Lanes    = 2,
  parameter  int unsigned WordBits = 64,
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // from the host: of an address, the bits that choose the lane
  input  logic                           axil_awvalid_i,
  output logic                           axil_awready_o,
  input  logic [LaneBits-1:0]            axil_awlane_i,
  input  logic                           axil_wvalid_i,
  output logic                           axil_wready_o,
  output logic                           axil_bvalid_o,
  input  logic                           axil_bready_i,
  output logic [1:0]                     axil_bresp_o,
  input  logic                           axil_arvalid_i,
  output logic                           axil_arready_o,
  input  logic [LaneBits-1:0]            axil_arlane_i,
  output logic                           axil_rvalid_o,
  input  logic                           axil_rready_i,
  output logic [WordBits-1:0]            axil_rdata_o,
  output logic [1:0]                     axil_rresp_o,
  // to the lanes; address, data and strobes go to all of them as they are
  output logic [Lanes-1:0]               lane_awvalid_o,
  input  logic [Lanes-1:0]               lane_awready_i,
  output logic [Lanes-1:0]               lane_wvalid_o,
  input  logic [Lanes-1:0]               lane_wready_i,
  input  logic [Lanes-1:0]               lane_bvalid_i,
  output logic [Lanes-1:0]               lane_bready_o,
  input  logic [Lanes-1:0][1:0]          lane_bresp_i,
  output logic [Lanes-1:0]               lane_arvalid_o,
  input  logic [Lanes-1:0]               lane_arready_i,
  input  logic [Lanes-1:0]               lane_rvalid_i,
  output logic [Lanes-1:0]               lane_rready_o,
  input  logic [Lanes-1:0][WordBits-1:0] lane_rdata_i,
  input  logic [Lanes-1:0][1:0]          lane_rresp_i
);

  localparam logic [1:0] DecErr = 2'b11;

  logic aw_taken_q, w_taken_q, ar_taken_q;
  logic [LaneBits-1:0] wr_lane_q, rd_lane_q, wr_lane, rd_lane;
  logic wr_known, wr_exists, rd_exists, aw_take, w_take, b_take, ar_take, r_take;

  // ---------------------------------------------------------------- writes
  assign wr_lane = aw_taken_q ? wr_lane_q : axil_awlane_i;
  assign wr_exists = (32'(wr_lane) < Lanes);
  assign wr_known = aw_taken_q || axil_awvalid_i;
  assign axil_awready_o = !aw_taken_q && (wr_exists ? lane_awready_i[wr_lane] : 1'b1);
  assign axil_wready_o = wr_known && !w_taken_q && (wr_exists ? lane_wready_i[wr_lane] : 1'b1);
  assign axil_bvalid_o = aw_taken_q && (wr_exists ? lane_bvalid_i[wr_lane] : w_taken_q);
  assign axil_bresp_o = wr_exists ? lane_bresp_i[wr_lane] : DecErr;
  assign aw_take = axil_awvalid_i && axil_awready_o;
  assign w_take = axil_wvalid_i && axil_wready_o;
  assign b_take = axil_bvalid_o && axil_bready_i;

  always_comb begin
    lane_awvalid_o = '0;
    lane_wvalid_o = '0;
    lane_bready_o = '0;
    if (wr_exists) begin
      lane_awvalid_o[wr_lane] = axil_awvalid_i && !aw_taken_q;
      lane_wvalid_o[wr_lane] = axil_wvalid_i && wr_known && !w_taken_q;
      lane_bready_o[wr_lane] = axil_bready_i && aw_taken_q;
    end
  end

  // ---------------------------------------------------------------- reads
  assign rd_lane = ar_taken_q ? rd_lane_q : axil_arlane_i;
  assign rd_exists = (32'(rd_lane) < Lanes);
  assign axil_arready_o = !ar_taken_q && (rd_exists ? lane_arready_i[rd_lane] : 1'b1);
  assign axil_rvalid_o = ar_taken_q && (rd_exists ? lane_rvalid_i[rd_lane] : 1'b1);
  assign axil_rdata_o = rd_exists ? lane_rdata_i[rd_lane] : '0;
  assign axil_rresp_o = rd_exists ? lane_rresp_i[rd_lane] : DecErr;
  assign ar_take = axil_arvalid_i && axil_arready_o;
  assign r_take = axil_rvalid_o && axil_rready_i;

  always_comb begin
    lane_arvalid_o = '0;
    lane_rready_o = '0;
    if (rd_exists) begin
      lane_arvalid_o[rd_lane] = axil_arvalid_i && !ar_taken_q;
      lane_rready_o[rd_lane] = axil_rready_i && ar_taken_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_taken_q <= 1'b0;
      w_taken_q <= 1'b0;
      ar_taken_q <= 1'b0;
      wr_lane_q <= '0;
      rd_lane_q <= '0;
    end else begin
      if (b_take) begin
        aw_taken_q <= 1'b0;
        w_taken_q <= 1'b0;
      end else begin
        if (aw_take) begin
          aw_taken_q <= 1'b1;
          wr_lane_q <= wr_lane;
        end
        if (w_take) w_taken_q <= 1'b1;
      end
      if (r_take) ar_taken_q <= 1'b0;
      else if (ar_take) begin
        ar_taken_q <= 1'b1;
        rd_lane_q <= rd_lane;
      end
    end
  end

endmodule
