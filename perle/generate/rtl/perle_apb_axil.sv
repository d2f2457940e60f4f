// SPDX-License-Identifier: Apache-2.0
//
// Bridge from APB (version 4, with PSTRB and PSLVERR) to an AXI4-Lite slave.
//
// Ranges    whole words of 32 bits; PSLVERR is set for every response other than OKAY
// Algorithm the access starts in its setup cycle; PREADY is 1 in the cycle of the slave's response
// Cycles    as perle_axil_master
//
// Parameters
//   AddrBits   bits of a byte address          WordBits   bits of the data bus

module perle_apb_axil #(
  parameter int unsigned AddrBits = 14,
  parameter int unsigned WordBits = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // APB
  input  logic                  psel_i,
  input  logic                  penable_i,
  input  logic [AddrBits-1:0]   paddr_i,
  input  logic [2:0]            pprot_i,
  input  logic                  pwrite_i,
  input  logic [WordBits-1:0]   pwdata_i,
  input  logic [WordBits/8-1:0] pstrb_i,
  output logic                  pready_o,
  output logic [WordBits-1:0]   prdata_o,
  output logic                  pslverr_o,
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

  logic start, idle, done, error;
  logic [WordBits-1:0] rdata;

  // u_master is idle in every setup cycle, because the previous access ended with PREADY.
  assign start = psel_i && !penable_i && idle;
  assign pready_o = done;
  assign prdata_o = done ? rdata : '0;
  assign pslverr_o = done && error;

  perle_axil_master #(
    .AddrBits(AddrBits),
    .WordBits(WordBits)
  ) u_master (
    .clk_i,
    .rst_ni,
    .start_i (start),
    .write_i (pwrite_i),
    .addr_i  (paddr_i),
    .prot_i  (pprot_i),
    .wdata_i (pwdata_i),
    .wstrb_i (pstrb_i),
    .idle_o  (idle),
    .done_o  (done),
    .error_o (error),
    .rdata_o (rdata),
    .axil_awvalid_o,
    .axil_awready_i,
    .axil_awaddr_o,
    .axil_awprot_o,
    .axil_wvalid_o,
    .axil_wready_i,
    .axil_wdata_o,
    .axil_wstrb_o,
    .axil_bvalid_i,
    .axil_bready_o,
    .axil_bresp_i,
    .axil_arvalid_o,
    .axil_arready_i,
    .axil_araddr_o,
    .axil_arprot_o,
    .axil_rvalid_i,
    .axil_rready_o,
    .axil_rdata_i,
    .axil_rresp_i
  );

endmodule
