// SPDX-License-Identifier: Apache-2.0
//
// Bridge from Wishbone (B4, classic cycles) to an AXI4-Lite slave.
//
// Ranges    ADR is a byte address; SEL are the write strobes; ERR is set for every response other than OKAY
// Algorithm an access starts with CYC and STB. If the master drops them before ACK or ERR, the access gets no
//           response, and the next one starts only after the slave has responded
// Cycles    as perle_axil_master; ACK or ERR in the cycle of the slave's response
//
// Parameters
//   AddrBits   bits of a byte address          WordBits   bits of the data bus

module perle_wishbone_axil #(
  parameter int unsigned AddrBits = 14,
  parameter int unsigned WordBits = 64
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Wishbone
  input  logic                  cyc_i,
  input  logic                  stb_i,
  input  logic                  we_i,
  input  logic [AddrBits-1:0]   adr_i,
  input  logic [WordBits-1:0]   dat_i,
  input  logic [WordBits/8-1:0] sel_i,
  output logic                  ack_o,
  output logic                  err_o,
  output logic [WordBits-1:0]   dat_o,
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

  logic wanted, idle, done, error, waits_q;
  logic [WordBits-1:0] rdata;

  assign wanted = cyc_i && stb_i;
  assign ack_o = done && wanted && waits_q && !error;
  assign err_o = done && wanted && waits_q && error;
  assign dat_o = ack_o ? rdata : '0;

  // 1 while the master has kept CYC and STB since the current access started
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= wanted && (idle || waits_q) && !done;
  end

  perle_axil_master #(
    .AddrBits(AddrBits),
    .WordBits(WordBits)
  ) u_master (
    .clk_i,
    .rst_ni,
    .start_i (wanted && idle),
    .write_i (we_i),
    .addr_i  (adr_i),
    .prot_i  (3'b000),
    .wdata_i (dat_i),
    .wstrb_i (sel_i),
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
