// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite rules for the accesses of perle_axil_master: valid, address and data stay stable until accepted,
// and no access starts while a response is outstanding.

module perle_axil_master_sva #(
  parameter int unsigned AddrBits = 14,
  parameter int unsigned WordBits = 64
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                idle_i,
  input logic                done_i,
  input logic                axil_awvalid_i,
  input logic                axil_awready_i,
  input logic [AddrBits-1:0] axil_awaddr_i,
  input logic                axil_wvalid_i,
  input logic                axil_wready_i,
  input logic [WordBits-1:0] axil_wdata_i,
  input logic                axil_arvalid_i,
  input logic                axil_arready_i,
  input logic [AddrBits-1:0] axil_araddr_i
);

  AwStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_awvalid_i && !axil_awready_i |=> axil_awvalid_i && $stable(axil_awaddr_i));
  WStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_wvalid_i && !axil_wready_i |=> axil_wvalid_i && $stable(axil_wdata_i));
  ArStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_arvalid_i && !axil_arready_i |=> axil_arvalid_i && $stable(axil_araddr_i));
  OneAtATime: assert property (@(posedge clk_i) disable iff (!rst_ni)
    (axil_awvalid_i || axil_wvalid_i || axil_arvalid_i || done_i) |-> !idle_i);
  NotBoth: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(axil_arvalid_i && (axil_awvalid_i || axil_wvalid_i)));
  DoneOnce: assert property (@(posedge clk_i) disable iff (!rst_ni) done_i |=> idle_i);
  DoneTaken: assert property (@(posedge clk_i) disable iff (!rst_ni)
    done_i |-> !(axil_awvalid_i || axil_wvalid_i || axil_arvalid_i));

endmodule

bind perle_axil_master perle_axil_master_sva #(
  .AddrBits(AddrBits),
  .WordBits(WordBits)
) u_sva (
  .clk_i,
  .rst_ni,
  .idle_i(idle_o),
  .done_i(done_o),
  .axil_awvalid_i(axil_awvalid_o),
  .axil_awready_i,
  .axil_awaddr_i(axil_awaddr_o),
  .axil_wvalid_i(axil_wvalid_o),
  .axil_wready_i,
  .axil_wdata_i(axil_wdata_o),
  .axil_arvalid_i(axil_arvalid_o),
  .axil_arready_i,
  .axil_araddr_i(axil_araddr_o)
);
