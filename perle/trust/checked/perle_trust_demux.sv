// SPDX-License-Identifier: Apache-2.0
//
// A board's lanes behind one AXI4-Lite port, for a model checker: perle_axil_demux between any host and any three
// slaves, which keep the rules of the bus.
//
//   towards the host   the rules of a slave; a lane that does not exist answers DECERR
//   towards a lane     the rules of a host; what is exchanged with a lane is exchanged with the host in the same cycle,
//                      and is of the access whose address named that lane
//   progress           an access waits for its lane, for the access of its kind before it, and for nothing else
//
// Left out   how long a lane may take

module perle_trust_demux
  import perle_bus_pkg::*;
#(
  localparam int unsigned Lanes    = 3,
  localparam int unsigned LaneBits = 2
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [LaneBits-1:0]   aw_lane_i,
  input logic [LaneBits-1:0]   ar_lane_i,
  input axil_req_t             host_i,
  input axil_rsp_t [Lanes-1:0] lane_i
);

  logic first_q = 1'b1;
  axil_rsp_t host;
  axil_req_t [Lanes-1:0] lane;

  perle_axil_demux #(
    .Lanes(Lanes)
  ) u_demux (
    .clk_i,
    .rst_ni,
    .aw_lane_i,
    .ar_lane_i,
    .axil_i(host_i),
    .axil_o(host),
    .lane_o(lane),
    .lane_i
  );

  perle_trust_axil #(
    .Slave (1'b1),
    .Most  (1),
    .Latest(0)
  ) u_host (
    .clk_i,
    .rst_ni,
    .slow_i(1'b0),
    .req_i (host_i),
    .rsp_i (host)
  );

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    perle_trust_axil #(
      .Slave (1'b0),
      .Most  (1),
      .Latest(0)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .slow_i(1'b0),
      .req_i (lane[i]),
      .rsp_i (lane_i[i])
    );
  end

  // The lane of the write and of the read that are open, and those of the addresses on offer in the cycle before.
  logic aw_open_q, w_open_q, ar_open_q, aw_offered_q, ar_offered_q;
  logic [LaneBits-1:0] wr_lane_q, rd_lane_q, aw_lane_q, ar_lane_q, wr_lane, rd_lane;
  assign wr_lane = aw_open_q ? wr_lane_q : aw_lane_i;
  assign rd_lane = ar_open_q ? rd_lane_q : ar_lane_i;

  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    {aw_lane_q, ar_lane_q} <= {aw_lane_i, ar_lane_i};
    aw_offered_q <= rst_ni && host_i.awvalid && !host.awready;
    ar_offered_q <= rst_ni && host_i.arvalid && !host.arready;
    if (!rst_ni || (host.bvalid && host_i.bready)) aw_open_q <= 1'b0;
    else if (host_i.awvalid && host.awready) {aw_open_q, wr_lane_q} <= {1'b1, aw_lane_i};
    if (!rst_ni || (host.bvalid && host_i.bready)) w_open_q <= 1'b0;
    else if (host_i.wvalid && host.wready) w_open_q <= 1'b1;
    if (!rst_ni || (host.rvalid && host_i.rready)) ar_open_q <= 1'b0;
    else if (host_i.arvalid && host.arready) {ar_open_q, rd_lane_q} <= {1'b1, ar_lane_i};
  end

  always_comb begin
    if (first_q) assume (!rst_ni);
    if (rst_ni && aw_offered_q) assume (aw_lane_i == aw_lane_q);
    if (rst_ni && ar_offered_q) assume (ar_lane_i == ar_lane_q);
  end

  logic [Lanes-1:0] writes, reads;  // the lane of the write, of the read; none where it does not exist
  for (genvar i = 0; i < Lanes; i++) begin : gen_which
    assign writes[i] = (wr_lane == LaneBits'(i));
    assign reads[i] = (rd_lane == LaneBits'(i));
    always_comb begin
      if (rst_ni && !first_q) begin
        AssertAw : assert ((lane[i].awvalid && lane_i[i].awready)
                           == (writes[i] && host_i.awvalid && host.awready));
        AssertW : assert ((lane[i].wvalid && lane_i[i].wready)
                          == (writes[i] && host_i.wvalid && host.wready));
        AssertB : assert ((lane_i[i].bvalid && lane[i].bready)
                          == (writes[i] && host.bvalid && host_i.bready));
        AssertAr : assert ((lane[i].arvalid && lane_i[i].arready)
                           == (reads[i] && host_i.arvalid && host.arready));
        AssertR : assert ((lane_i[i].rvalid && lane[i].rready)
                          == (reads[i] && host.rvalid && host_i.rready));
        AssertAwGoes : assert (!(writes[i] && !aw_open_q && lane_i[i].awready) || host.awready);
        AssertWGoes : assert (!(writes[i] && (aw_open_q || host_i.awvalid) && !w_open_q && lane_i[i].wready)
                              || host.wready);
        AssertBGoes : assert (!(writes[i] && aw_open_q && lane_i[i].bvalid) || host.bvalid);
        AssertArGoes : assert (!(reads[i] && !ar_open_q && lane_i[i].arready) || host.arready);
        AssertRGoes : assert (!(reads[i] && ar_open_q && lane_i[i].rvalid) || host.rvalid);
        AssertBresp : assert (!(writes[i] && host.bvalid) || host.bresp == lane_i[i].bresp);
        AssertRdata : assert (!(reads[i] && host.rvalid)
                              || {host.rdata, host.rresp} == {lane_i[i].rdata, lane_i[i].rresp});
        AssertData : assert (!lane[i].wvalid
                             || {lane[i].wdata, lane[i].wstrb} == {host_i.wdata, host_i.wstrb});
        AssertAddress : assert (!lane[i].awvalid || lane[i].awaddr == host_i.awaddr);
        AssertReadAddress : assert (!lane[i].arvalid || lane[i].araddr == host_i.araddr);
      end
    end
  end

  always_comb begin
    if (rst_ni && !first_q) begin
      AssertNoWrite : assert (!(host.bvalid && writes == '0) || host.bresp == 2'b11);
      AssertNoRead : assert (!(host.rvalid && reads == '0) || host.rresp == 2'b11);
      AssertNoAwGoes : assert (writes != '0 || aw_open_q || host.awready);
      AssertNoWGoes : assert (writes != '0 || w_open_q || !(aw_open_q || host_i.awvalid) || host.wready);
      AssertNoBGoes : assert (writes != '0 || !(aw_open_q && w_open_q) || host.bvalid);
      AssertNoReadGoes : assert (reads != '0 || (ar_open_q ? host.rvalid : host.arready));
    end
  end

endmodule
