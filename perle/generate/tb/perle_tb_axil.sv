// SPDX-License-Identifier: Apache-2.0
//
// perle_tb_host as an AXI4-Lite master: address and data are sent together, responses are accepted at once.
//
// Parameters  as perle_tb_host

module perle_tb_axil #(
  parameter int WordBits = 64,
  parameter int AddrBits = 14,
  parameter int Lanes    = 1,
  parameter int LineBits = 128,
  parameter int Patience = 100000,
  parameter int Checks   = 1,
  parameter int Lines    = 8
) (
  output logic                clk_o,
  output logic                rst_no,
  output logic                awvalid_o,
  input  logic                awready_i,
  output logic [AddrBits-1:0] awaddr_o,
  output logic                wvalid_o,
  input  logic                wready_i,
  output logic [WordBits-1:0] wdata_o,
  input  logic                bvalid_i,
  output logic                bready_o,
  input  logic [1:0]          bresp_i,
  output logic                arvalid_o,
  input  logic                arready_i,
  output logic [AddrBits-1:0] araddr_o,
  input  logic                rvalid_i,
  output logic                rready_o,
  input  logic [WordBits-1:0] rdata_i,
  input  logic [1:0]          rresp_i,
  input  logic [Lanes-1:0]    irq_i
);

  logic req, ack, error;
  logic write;
  logic [AddrBits-1:0] addr;
  logic [WordBits-1:0] wdata;

  perle_tb_host #(
    .WordBits(WordBits),
    .AddrBits(AddrBits),
    .Lanes(Lanes),
    .LineBits(LineBits),
    .Patience(Patience),
    .Checks(Checks),
    .Lines(Lines)
  ) u_host (
    .clk_o(clk_o),
    .rst_no(rst_no),
    .req_o(req),
    .write_o(write),
    .addr_o(addr),
    .wdata_o(wdata),
    .ack_i(ack),
    .error_i(error),
    .rdata_i(rdata_i),
    .irq_i(irq_i)
  );

  logic aw_taken, w_taken, ar_taken;

  assign awvalid_o = req && write && !aw_taken;
  assign wvalid_o = req && write && !w_taken;
  assign arvalid_o = req && !write && !ar_taken;
  assign awaddr_o = awvalid_o ? addr : 'x;
  assign araddr_o = arvalid_o ? addr : 'x;
  assign wdata_o = wvalid_o ? wdata : 'x;
  assign bready_o = 1'b1;
  assign rready_o = 1'b1;
  assign ack = req && (write ? bvalid_i : rvalid_i);
  assign error = ((write ? bresp_i : rresp_i) != 2'b00);

  always_ff @(posedge clk_o) begin
    if (!rst_no || ack) begin
      {aw_taken, w_taken, ar_taken} <= '0;
    end else begin
      if (awvalid_o && awready_i) aw_taken <= 1'b1;
      if (wvalid_o && wready_i) w_taken <= 1'b1;
      if (arvalid_o && arready_i) ar_taken <= 1'b1;
    end
  end

  // A ready is checked only with its valid: it may depend on an address that is X while not valid.
  always @(posedge clk_o) begin
    if (rst_no && ((awvalid_o & awready_i) ^ (wvalid_o & wready_i) ^ (arvalid_o & arready_i) ^
        bvalid_i ^ rvalid_i) === 1'bx) begin
      $fatal(1, "FAIL X in a handshake of the bus");
    end
  end

endmodule
