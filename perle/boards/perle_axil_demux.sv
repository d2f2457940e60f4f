// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite demultiplexer: one slave port in front of several equal slaves; the upper address bits select the
// lane.
//
// Ranges    one write and one read at a time; the response for a lane that does not exist is DECERR
// Algorithm write data go to the lane of the address that was accepted or is being offered; the next address
//           is accepted only after the response has been
// Cycles    none added to a single access; accesses do not overlap
//
// Parameters
//   Lanes   slaves

module perle_axil_demux
  import perle_bus_pkg::*;
#(
  parameter  int unsigned Lanes    = 2,
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from the host, with the lane of each address
  input  logic [LaneBits-1:0]   aw_lane_i,
  input  logic [LaneBits-1:0]   ar_lane_i,
  input  axil_req_t             axil_i,
  output axil_rsp_t             axil_o,
  // to the lanes: address, data and strobes go to all of them
  output axil_req_t [Lanes-1:0] lane_o,
  input  axil_rsp_t [Lanes-1:0] lane_i
);

  localparam logic [1:0] DecErr = 2'b11;

  logic aw_taken_q, w_taken_q, ar_taken_q;
  logic [LaneBits-1:0] wr_lane_q, rd_lane_q, wr_lane, rd_lane;
  logic wr_known, wr_exists, rd_exists, aw_take, w_take, b_take, ar_take, r_take;

  // ---------------------------------------------------------------- writes
  assign wr_lane = aw_taken_q ? wr_lane_q : aw_lane_i;
  assign wr_exists = (32'(wr_lane) < Lanes);
  assign wr_known = aw_taken_q || axil_i.awvalid;
  assign axil_o.awready = !aw_taken_q && (wr_exists ? lane_i[wr_lane].awready : 1'b1);
  assign axil_o.wready = wr_known && !w_taken_q && (wr_exists ? lane_i[wr_lane].wready : 1'b1);
  assign axil_o.bvalid = aw_taken_q && (wr_exists ? lane_i[wr_lane].bvalid : w_taken_q);
  assign axil_o.bresp = wr_exists ? lane_i[wr_lane].bresp : DecErr;
  assign aw_take = axil_i.awvalid && axil_o.awready;
  assign w_take = axil_i.wvalid && axil_o.wready;
  assign b_take = axil_o.bvalid && axil_i.bready;

  // ---------------------------------------------------------------- reads
  assign rd_lane = ar_taken_q ? rd_lane_q : ar_lane_i;
  assign rd_exists = (32'(rd_lane) < Lanes);
  assign axil_o.arready = !ar_taken_q && (rd_exists ? lane_i[rd_lane].arready : 1'b1);
  assign axil_o.rvalid = ar_taken_q && (rd_exists ? lane_i[rd_lane].rvalid : 1'b1);
  assign axil_o.rdata = rd_exists ? lane_i[rd_lane].rdata : '0;
  assign axil_o.rresp = rd_exists ? lane_i[rd_lane].rresp : DecErr;
  assign ar_take = axil_i.arvalid && axil_o.arready;
  assign r_take = axil_o.rvalid && axil_i.rready;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic writes, reads;  // the write or read is for this lane
    assign writes = (wr_lane == LaneBits'(i));
    assign reads = (rd_lane == LaneBits'(i));
    always_comb begin
      lane_o[i] = axil_i;
      lane_o[i].awvalid = writes && axil_i.awvalid && !aw_taken_q;
      lane_o[i].wvalid = writes && axil_i.wvalid && wr_known && !w_taken_q;
      lane_o[i].bready = writes && axil_i.bready && aw_taken_q;
      lane_o[i].arvalid = reads && axil_i.arvalid && !ar_taken_q;
      lane_o[i].rready = reads && axil_i.rready && ar_taken_q;
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
