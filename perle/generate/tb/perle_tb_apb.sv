// SPDX-License-Identifier: Apache-2.0
//
// perle_tb_host as an APB master: a setup cycle, then the access phase until PREADY.
//
// Parameters  as perle_tb_host

module perle_tb_apb #(
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
  output logic                psel_o,
  output logic                penable_o,
  output logic [AddrBits-1:0] paddr_o,
  output logic                pwrite_o,
  output logic [WordBits-1:0] pwdata_o,
  input  logic                pready_i,
  input  logic [WordBits-1:0] prdata_i,
  input  logic                pslverr_i,
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
    .rdata_i(prdata_i),
    .irq_i(irq_i)
  );

  logic setup_done;

  assign psel_o = req;
  assign penable_o = req && setup_done;
  assign paddr_o = addr;
  assign pwrite_o = write;
  assign pwdata_o = write ? wdata : 'x;
  assign ack = penable_o && pready_i;
  assign error = pslverr_i;

  always_ff @(posedge clk_o) setup_done <= rst_no && req && !ack;

endmodule
