// SPDX-License-Identifier: Apache-2.0
//
// perle_tb_host as a Wishbone master: classic cycles, CYC and STB until ACK or ERR.
//
// Parameters  as perle_tb_host

module perle_tb_wishbone #(
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
  output logic                cyc_o,
  output logic                stb_o,
  output logic                we_o,
  output logic [AddrBits-1:0] adr_o,
  output logic [WordBits-1:0] dat_o,
  input  logic                ack_i,
  input  logic                err_i,
  input  logic [WordBits-1:0] dat_i,
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
    .rdata_i(dat_i),
    .irq_i(irq_i)
  );

  assign cyc_o = req;
  assign stb_o = req;
  assign we_o = write;
  assign adr_o = addr;
  assign dat_o = write ? wdata : 'x;
  assign ack = req && (ack_i || err_i);
  assign error = err_i;

endmodule
