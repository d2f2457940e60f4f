// SPDX-License-Identifier: Apache-2.0
//
// The rules of AXI4-Lite at a port, for a model checker: one side of the port is taken to keep them, the other one
// has to.
//
//   host   an address and data on offer stay as they are until they are taken
//   slave  a response has a request before it that has none yet, a write's both its address and its data; a response
//          that waits stays as it is; no more than Most accesses of a kind are open; an access that is complete has
//          its response within Latest cycles, in which nobody keeps it waiting
//
// Ranges     after a reset nothing is open
//
// Parameters
//   Slave    1: the slave is checked, the host is free within its rules; 0: the other way round
//   Most     accesses that a slave has taken and not yet answered
//   Latest   cycles to an answer (0: any)

module perle_trust_axil
  import perle_bus_pkg::*;
#(
  parameter bit          Slave  = 1'b1,
  parameter int unsigned Most   = 2,
  parameter int unsigned Latest = 8
) (
  input logic      clk_i,
  input logic      rst_ni,
  input logic      slow_i,  // an answer has to wait for somebody else: the cycle does not count
  input axil_req_t req_i,
  input axil_rsp_t rsp_i
);

  logic past_q = 1'b0;  // no reset in the cycle before
  axil_req_t req_q;
  axil_rsp_t rsp_q;
  logic [2:0] aw_open_q, w_open_q, ar_open_q, aw_open, w_open, ar_open;
  logic [4:0] wr_age_q, rd_age_q;

  assign aw_open = aw_open_q + 3'(req_i.awvalid && rsp_i.awready) - 3'(rsp_i.bvalid && req_i.bready);
  assign w_open = w_open_q + 3'(req_i.wvalid && rsp_i.wready) - 3'(rsp_i.bvalid && req_i.bready);
  assign ar_open = ar_open_q + 3'(req_i.arvalid && rsp_i.arready) - 3'(rsp_i.rvalid && req_i.rready);

  logic waits;  // for the host or as slow_i tells: responses to writes and reads leave in their order
  assign waits = slow_i || (rsp_i.bvalid && !req_i.bready) || (rsp_i.rvalid && !req_i.rready);

  always_ff @(posedge clk_i) begin
    past_q <= rst_ni;
    req_q <= req_i;
    rsp_q <= rsp_i;
    {aw_open_q, w_open_q, ar_open_q} <= rst_ni ? {aw_open, w_open, ar_open} : '0;
    if (!rst_ni || rsp_i.bvalid || aw_open_q == '0 || w_open_q == '0) wr_age_q <= '0;
    else if (!waits) wr_age_q <= wr_age_q + 5'd1;
    if (!rst_ni || rsp_i.rvalid || ar_open_q == '0) rd_age_q <= '0;
    else if (!waits) rd_age_q <= rd_age_q + 5'd1;
  end

  logic aw_stays, w_stays, ar_stays, b_stays, r_stays, answered, few, timely;
  assign aw_stays = !(req_q.awvalid && !rsp_q.awready)
                    || (req_i.awvalid && {req_i.awaddr, req_i.awprot} == {req_q.awaddr, req_q.awprot});
  assign w_stays = !(req_q.wvalid && !rsp_q.wready)
                   || (req_i.wvalid && {req_i.wdata, req_i.wstrb} == {req_q.wdata, req_q.wstrb});
  assign ar_stays = !(req_q.arvalid && !rsp_q.arready)
                    || (req_i.arvalid && {req_i.araddr, req_i.arprot} == {req_q.araddr, req_q.arprot});
  assign b_stays = !(rsp_q.bvalid && !req_q.bready) || (rsp_i.bvalid && rsp_i.bresp == rsp_q.bresp);
  assign r_stays = !(rsp_q.rvalid && !req_q.rready)
                   || (rsp_i.rvalid && {rsp_i.rdata, rsp_i.rresp} == {rsp_q.rdata, rsp_q.rresp});
  assign answered = !(rsp_i.bvalid && (aw_open_q == '0 || w_open_q == '0))
                    && !(rsp_i.rvalid && ar_open_q == '0);
  assign few = 32'(aw_open_q) <= Most && 32'(w_open_q) <= Most && 32'(ar_open_q) <= Most;
  assign timely = Latest == 0 || (32'(wr_age_q) <= Latest && 32'(rd_age_q) <= Latest);

  if (Slave) begin : gen_slave
    always_comb begin
      if (rst_ni && past_q) assume (aw_stays && w_stays && ar_stays);
      if (rst_ni && past_q) AssertStays : assert (b_stays && r_stays);
      if (rst_ni && past_q) AssertAnswered : assert (answered);
      if (rst_ni && past_q) AssertFew : assert (few);
      if (rst_ni && past_q) AssertTimely : assert (timely);
    end
  end else begin : gen_host
    always_comb begin
      if (rst_ni && past_q) AssertOffer : assert (aw_stays && w_stays && ar_stays);
      if (rst_ni && past_q) assume (b_stays && r_stays);
      if (rst_ni && past_q) assume (answered && few);
      if (!rst_ni || !past_q) assume (!rsp_i.bvalid && !rsp_i.rvalid);
    end
  end

endmodule
