// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite master with one access at a time; the bridges from other buses use it.
//
// Ranges    whole words; error_o is 1 for every response other than OKAY
// Algorithm the request is registered, so it may be withdrawn; address and data stay valid until accepted
// Cycles    one before the slave sees the request; done_o is 1 in the cycle of the slave's response
//
// Parameters
//   AddrBits   bits of a byte address          WordBits   bits of the data bus

module perle_axil_master #(
  parameter int unsigned AddrBits = 14,
  parameter int unsigned WordBits = 64
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // accepted while idle_o is 1
  input  logic                  start_i,
  input  logic                  write_i,
  input  logic [AddrBits-1:0]   addr_i,
  input  logic [2:0]            prot_i,
  input  logic [WordBits-1:0]   wdata_i,
  input  logic [WordBits/8-1:0] wstrb_i,
  output logic                  idle_o,
  output logic                  done_o,
  output logic                  error_o,
  output logic [WordBits-1:0]   rdata_o,
  // AXI4-Lite
  output logic                  axil_awvalid_o,
  input  logic                  axil_awready_i,
  output logic [AddrBits-1:0]   axil_awaddr_o,
  output logic [2:0]            axil_awprot_o,
  output logic                  axil_wvalid_o,
  input  logic                  axil_wready_i,
  output logic [WordBits-1:0]   axil_wdata_o,
  output logic [WordBits/8-1:0] axil_wstrb_o,
  input  logic                  axil_bvalid_i,
  output logic                  axil_bready_o,
  input  logic [1:0]            axil_bresp_i,
  output logic                  axil_arvalid_o,
  input  logic                  axil_arready_i,
  output logic [AddrBits-1:0]   axil_araddr_o,
  output logic [2:0]            axil_arprot_o,
  input  logic                  axil_rvalid_i,
  output logic                  axil_rready_o,
  input  logic [WordBits-1:0]   axil_rdata_i,
  input  logic [1:0]            axil_rresp_i
);

  logic busy_q, write_q;
  logic [AddrBits-1:0] addr_q;
  logic [2:0] prot_q;

  assign idle_o = !busy_q;
  assign axil_awaddr_o = addr_q;
  assign axil_araddr_o = addr_q;
  assign axil_awprot_o = prot_q;
  assign axil_arprot_o = prot_q;
  assign axil_bready_o = busy_q && write_q;
  assign axil_rready_o = busy_q && !write_q;
  assign done_o = busy_q && (write_q ? axil_bvalid_i : axil_rvalid_i);
  assign error_o = write_q ? (axil_bresp_i != 2'b00) : (axil_rresp_i != 2'b00);
  assign rdata_o = axil_rdata_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      axil_awvalid_o <= 1'b0;
      axil_wvalid_o <= 1'b0;
      axil_arvalid_o <= 1'b0;
    end else if (!busy_q) begin
      busy_q <= start_i;
      axil_awvalid_o <= start_i && write_i;
      axil_wvalid_o <= start_i && write_i;
      axil_arvalid_o <= start_i && !write_i;
    end else begin
      if (done_o) busy_q <= 1'b0;
      if (axil_awready_i) axil_awvalid_o <= 1'b0;
      if (axil_wready_i) axil_wvalid_o <= 1'b0;
      if (axil_arready_i) axil_arvalid_o <= 1'b0;
    end
  end

  // The data is cleared after an access, so that no operand stays here.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, addr_q, prot_q, axil_wdata_o, axil_wstrb_o} <= '0;
    end else if (!busy_q && start_i) begin
      {write_q, addr_q, prot_q} <= {write_i, addr_i, prot_i};
      {axil_wdata_o, axil_wstrb_o} <= write_i ? {wdata_i, wstrb_i} : '0;
    end else if (done_o) begin
      axil_wdata_o <= '0;
    end
  end

endmodule
