// SPDX-License-Identifier: Apache-2.0
//
// The registers of a board, for a model checker: perle_board_regs, of three constants and 32-bit words, between any
// host that keeps the rules of AXI4-Lite and any exponentiator, which answers each read once.
//
//   bus       the rules of a slave; SLVERR where an address has no register that can be read or written, and only
//             there; ID reads as PERL
//   commands  a start, a zeroization for each write to CONTROL with its bit, and for nothing else; no start with both
//   words     a word written to an operand bank reaches it once, with the address of its write; none that was
//             partial, and none of another address
//   irq_o     from the end of an operation to the next start
//
// Ranges    a write's address and data are offered in the same cycle, and a word that is written to a bank says
//           its address in its low bits: so it is seen when data goes astray
// Left out  words that are written in the cycle of a start: they are lost, and flagged

module perle_trust_regs
  import perle_pkg::*;
  import perle_bus_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input axil_req_t           host_i,
  input logic                rd_ack_i,
  input logic [WordBits-1:0] rd_data_i,
  input logic                busy_i,
  input logic                done_i,
  input err_t                err_i,
  input logic [63:0]         cycles_i
);

  localparam int unsigned ConstCount = 3;
  localparam logic [AddrBits-1:0] Command = 'h28, Control = 'h30, LastRegister = 'h50, Banks = 'h1000,
                                  Result = 'h3000;
  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic first_q = 1'b1;
  logic irq;
  axil_rsp_t host;
  host_req_t exp;

  perle_board_regs #(
    .Width      (64),
    .OperandBits(96),
    .ConstCount (ConstCount)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .axil_i(host_i),
    .axil_o(host),
    .irq_o (irq),
    .host_o(exp),
    .rd_ack_i,
    .rd_data_i,
    .busy_i,
    .done_i,
    .err_i,
    .cycles_i
  );

  logic read_q;  // the exponentiator has a read to answer
  perle_trust_axil #(
    .Slave (1'b1),
    .Most  (4),
    .Latest(6)
  ) u_host (
    .clk_i,
    .rst_ni,
    .slow_i(read_q),
    .req_i (host_i),
    .rsp_i (host)
  );

  // A write is complete when the later one of its address and its data is taken.
  logic aw_on_q, w_on_q, complete;
  logic [AddrBits-1:0] aw_q, aw;
  logic [WordBits-1:0] w_q, w;
  logic [WordBits/8-1:0] strb_q, strb;
  assign aw = host_i.awvalid ? host_i.awaddr : aw_q;
  assign w = host_i.wvalid ? host_i.wdata : w_q;
  assign strb = host_i.wvalid ? host_i.wstrb : strb_q;
  assign complete = (host_i.awvalid || host_i.wvalid) && (!host_i.awvalid || host.awready)
                    && (!host_i.wvalid || host.wready);

  function automatic logic in_bank(logic [AddrBits-1:0] address);
    return address >= Banks && address < Banks + 14'h400 * 14'(4 + ConstCount);
  endfunction

  always_comb begin
    if (first_q) assume (!rst_ni);
    assume (host_i.awvalid == ((aw_on_q || w_on_q) ? aw_on_q : host_i.wvalid));
    if (aw_on_q || w_on_q) assume (host_i.wvalid == w_on_q);
    if (host_i.awvalid && host_i.wvalid && in_bank(aw)) assume (w[AddrBits-1:0] == aw);
    if (!read_q) assume (!rd_ack_i);
  end

  // What is still to come of the writes that are complete: starts, zeroizations, words.
  logic [2:0] starts_q, zeroes_q, words_q, starts, zeroes, words;
  logic astray_q;  // a word was written when a command began
  logic [2:0] wr_open_q, rd_open_q;
  logic [AddrBits-1:0] read_at_q, wrote_at_q;
  logic controls, takes;
  assign controls = complete && aw[AddrBits-1:3] == Control[AddrBits-1:3] && !aw[2] && strb[0];
  assign takes = complete && in_bank(aw) && (&strb);
  assign starts = starts_q + 3'(controls && w[0] && !w[1]);
  assign zeroes = zeroes_q + 3'(controls && w[1]);
  assign words = words_q + 3'(takes);

  logic done_q;
  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    aw_on_q <= rst_ni && host_i.awvalid && !host.awready;
    w_on_q <= rst_ni && host_i.wvalid && !host.wready;
    {aw_q, w_q, strb_q} <= {aw, w, strb};
    starts_q <= rst_ni ? starts - 3'(exp.start) : '0;
    zeroes_q <= rst_ni ? zeroes - 3'(exp.zeroize) : '0;
    words_q <= rst_ni ? words - 3'(exp.wr_valid) : '0;
    astray_q <= rst_ni && (astray_q || ((exp.start || exp.zeroize) && words != '0));
    read_q <= rst_ni && (read_q || exp.rd_valid) && !rd_ack_i;
    wr_open_q <= rst_ni ? wr_open_q + 3'(complete) - 3'(host.bvalid && host_i.bready) : '0;
    rd_open_q <= rst_ni ? rd_open_q + 3'(host_i.arvalid && host.arready)
                          - 3'(host.rvalid && host_i.rready) : '0;
    if (host_i.arvalid && host.arready) read_at_q <= host_i.araddr;
    if (complete) wrote_at_q <= aw;
    done_q <= rst_ni && ((done_q && !(exp.start && !busy_i)) || done_i);
  end

  logic readable, writable;
  assign readable = (read_at_q <= LastRegister + 14'd3 && !read_at_q[2]
                     && read_at_q[AddrBits-1:3] != Control[AddrBits-1:3])
                    || (read_at_q >= Result && read_at_q < Result + 14'h400);
  assign writable = in_bank(wrote_at_q)
                    || (!wrote_at_q[2] && (wrote_at_q[AddrBits-1:3] == Command[AddrBits-1:3]
                                           || wrote_at_q[AddrBits-1:3] == Control[AddrBits-1:3]));

  always_comb begin
    if (rst_ni && !first_q) begin
      AssertStart : assert (!exp.start || starts != '0);
      AssertZeroize : assert (!exp.zeroize || zeroes != '0);
      AssertWord : assert (!exp.wr_valid || words != '0 || astray_q);
      AssertNoneLost : assert (wr_open_q != '0 || {starts_q, zeroes_q} == '0);
      AssertNoWordLost : assert (wr_open_q != '0 || words_q == '0 || astray_q);
      AssertPlace : assert (!exp.wr_valid || (in_bank(exp.wr_data[AddrBits-1:0])
                            && Banks + {exp.wr_bank, exp.wr_word[7:0], exp.wr_data[1:0]}
                               == exp.wr_data[AddrBits-1:0]));
      AssertOneRead : assert (!(exp.rd_valid && read_q));
      if (rd_open_q == 3'd1 && host.rvalid) begin
        AssertReadable : assert (host.rresp == (readable ? Okay : SlvErr));
        AssertMagic : assert (read_at_q[AddrBits-1:2] != '0 || host.rdata == 32'h5045_524C);
      end
      if (wr_open_q == 3'd1 && host.bvalid) begin
        AssertWritable : assert (host.bresp == (writable ? Okay : SlvErr));
      end
      AssertIrq : assert (irq == (done_q && !(exp.start && !busy_i)));
    end
  end

endmodule
