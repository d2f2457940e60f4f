// SPDX-License-Identifier: Apache-2.0
//
// Several boards over one engine: lane i has the registers of a board of its own, at byte address i·2^14 of the common
// bus. The engine, which has operands and results of all lanes in its memories, is on the other side: one word port
// and one command port for all, as the bus has one access at a time, and flags for each.
//
// Times   as perle_board; a read of a result takes as long as the engine takes to answer
// Errors  as perle_board, each lane its own; an address beyond the last lane: DECERR
//
// Parameters
//   Lanes        boards, 2 and more
//   others       as perle_board

module perle_board_engine
  import perle_pkg::*;
#(
  parameter  int unsigned Lanes       = 2,
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned WordBits    = 64,
  parameter  int unsigned ConstCount  = 3,
  parameter  int unsigned WindowBits  = 4,
  parameter  logic [31:0] FamilyId    = 32'd1,
  parameter  logic [31:0] ConfigHash  = 32'd0,
  localparam int unsigned LaneBits    = $clog2(Lanes)
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,

  // AXI4-Lite
  input  logic                                               axil_awvalid_i,
  output logic                                               axil_awready_o,
  input  logic [LaneBits+13:0]                               axil_awaddr_i,
  input  logic [2:0]                                         axil_awprot_i,
  input  logic                                               axil_wvalid_i,
  output logic                                               axil_wready_o,
  input  logic [WordBits-1:0]                                axil_wdata_i,
  input  logic [WordBits/8-1:0]                              axil_wstrb_i,
  output logic                                               axil_bvalid_o,
  input  logic                                               axil_bready_i,
  output logic [1:0]                                         axil_bresp_o,
  input  logic                                               axil_arvalid_i,
  output logic                                               axil_arready_o,
  input  logic [LaneBits+13:0]                               axil_araddr_i,
  input  logic [2:0]                                         axil_arprot_i,
  output logic                                               axil_rvalid_o,
  input  logic                                               axil_rready_i,
  output logic [WordBits-1:0]                                axil_rdata_o,
  output logic [1:0]                                         axil_rresp_o,
  output logic [Lanes-1:0]                                   irq_o,

  // Engine
  output logic                                               wr_valid_o,
  output logic [LaneBits-1:0]                                wr_lane_o,
  output logic [3:0]                                         wr_bank_o,
  output logic [8:0]                                         wr_word_o,
  output logic [WordBits-1:0]                                wr_data_o,
  output logic                                               rd_valid_o,
  output logic [LaneBits-1:0]                                rd_lane_o,
  output logic [8:0]                                         rd_word_o,
  input  logic                                               rd_ack_i,
  input  logic [WordBits-1:0]                                rd_data_i,
  output logic                                               start_o,
  output logic                                               zeroize_o,
  output logic [LaneBits-1:0]                                cmd_lane_o,
  output logic [1:0]                                         cmd_op_o,
  output logic [1:0]                                         cmd_mode_o,
  output logic [12:0]                                        cmd_elen_o,
  input  logic [Lanes-1:0]                                   busy_i,
  input  logic [Lanes-1:0]                                   done_i,
  input  err_t [Lanes-1:0]                                   err_i,
  input  logic [Lanes-1:0][31:0]                             cycles_i
);

  localparam int unsigned Words   = (OperandBits + WordBits - 1) / WordBits;
  localparam int unsigned Banks = int'(BankConst) + ConstCount;

  logic    [Lanes-1:0]                  awvalid, awready, wvalid, wready, bvalid, bready;
  logic    [Lanes-1:0]                  arvalid, arready, rvalid, rready;
  logic    [Lanes-1:0][1:0]             bresp, rresp;
  logic    [Lanes-1:0][WordBits-1:0]    rdata;
  logic    [Lanes-1:0]                  wr_valid, rd_valid, start, zeroize;
  logic    [Lanes-1:0][3:0]             wr_bank;
  logic    [Lanes-1:0][8:0]             wr_word, rd_word;
  logic    [Lanes-1:0][WordBits-1:0]    wr_data;
  logic    [Lanes-1:0][1:0]             cmd_op, cmd_mode;
  logic    [Lanes-1:0][12:0]            cmd_elen;
  logic    [LaneBits-1:0]               rd_lane_q;
  logic    [Lanes-1:0]                  begun_q, busy;
  err_t    [Lanes-1:0]                  err;

  perle_axil_demux #(
    .Lanes    (Lanes),
    .WordBits (WordBits)
  ) u_demux (
    .clk_i,
    .rst_ni,
    .axil_awvalid_i,
    .axil_awready_o,
    .axil_awlane_i  (axil_awaddr_i[LaneBits+13:14]),
    .axil_wvalid_i,
    .axil_wready_o,
    .axil_bvalid_o,
    .axil_bready_i,
    .axil_bresp_o,
    .axil_arvalid_i,
    .axil_arready_o,
    .axil_arlane_i  (axil_araddr_i[LaneBits+13:14]),
    .axil_rvalid_o,
    .axil_rready_i,
    .axil_rdata_o,
    .axil_rresp_o,
    .lane_awvalid_o (awvalid),
    .lane_awready_i (awready),
    .lane_wvalid_o  (wvalid),
    .lane_wready_i  (wready),
    .lane_bvalid_i  (bvalid),
    .lane_bready_o  (bready),
    .lane_bresp_i   (bresp),
    .lane_arvalid_o (arvalid),
    .lane_arready_i (arready),
    .lane_rvalid_i  (rvalid),
    .lane_rready_o  (rready),
    .lane_rdata_i   (rdata),
    .lane_rresp_i   (rresp)
  );

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    perle_board_regs #(
      .Width       (Width),
      .OperandBits (OperandBits),
      .WordBits    (WordBits),
      .ConstCount  (ConstCount),
      .WindowBits  (WindowBits),
      .FamilyId    (FamilyId),
      .ConfigHash  (ConfigHash),
      .Lanes       (Lanes),
      .Lane        (i)
    ) u_registers (
      .clk_i,
      .rst_ni,
      .axil_awvalid_i (awvalid[i]),
      .axil_awready_o (awready[i]),
      .axil_awaddr_i  (axil_awaddr_i[13:0]),
      .axil_awprot_i,
      .axil_wvalid_i  (wvalid[i]),
      .axil_wready_o  (wready[i]),
      .axil_wdata_i,
      .axil_wstrb_i,
      .axil_bvalid_o  (bvalid[i]),
      .axil_bready_i  (bready[i]),
      .axil_bresp_o   (bresp[i]),
      .axil_arvalid_i (arvalid[i]),
      .axil_arready_o (arready[i]),
      .axil_araddr_i  (axil_araddr_i[13:0]),
      .axil_arprot_i,
      .axil_rvalid_o  (rvalid[i]),
      .axil_rready_i  (rready[i]),
      .axil_rdata_o   (rdata[i]),
      .axil_rresp_o   (rresp[i]),
      .irq_o          (irq_o[i]),
      .wr_valid_o     (wr_valid[i]),
      .wr_bank_o    (wr_bank[i]),
      .wr_word_o      (wr_word[i]),
      .wr_data_o      (wr_data[i]),
      .rd_valid_o     (rd_valid[i]),
      .rd_word_o      (rd_word[i]),
      .rd_ack_i       (rd_ack_i && (rd_lane_q == LaneBits'(i))),
      .rd_data_i,
      .start_o        (start[i]),
      .cmd_op_o       (cmd_op[i]),
      .cmd_mode_o     (cmd_mode[i]),
      .cmd_elen_o     (cmd_elen[i]),
      .zeroize_o         (zeroize[i]),
      .busy_i         (busy[i]),
      .done_i         (done_i[i]),
      .err_i          (err[i]),
      .cycles_i       (64'(cycles_i[i]))
    );

    // The engine takes a command a cycle after it came, and nothing of what comes for a busy lane.
    always_comb begin
      err[i] = err_i[i];
      err[i].start_busy  = busy[i] && (start[i] || zeroize[i]);
      err[i].access_busy = busy[i] && (wr_valid[i] || rd_valid[i]);
      if (wr_valid[i] && !busy[i] && (32'(wr_bank[i]) >= Banks || 32'(wr_word[i]) >= Words)) begin
        err[i].command = 1'b1;
      end
    end
  end

  assign busy = busy_i | begun_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= '0;
    else begun_q <= start | zeroize;
  end

  // One access at a time: what comes is of one lane, the others say nothing. A busy lane's does not go on, but for
  // a read, which has to be answered: with a word beyond the line, which is zero.
  assign wr_valid_o = |(wr_valid & ~busy);
  assign rd_valid_o = |rd_valid;
  assign start_o    = |(start & ~busy);
  assign zeroize_o     = |(zeroize & ~busy);

  always_comb begin
    wr_lane_o   = '0;
    wr_bank_o = '0;
    wr_word_o   = '0;
    wr_data_o   = '0;
    rd_lane_o   = '0;
    rd_word_o   = '0;
    cmd_lane_o  = '0;
    cmd_op_o    = '0;
    cmd_mode_o  = '0;
    cmd_elen_o  = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      if (wr_valid[i]) begin
        wr_lane_o   |= LaneBits'(i);
        wr_bank_o |= wr_bank[i];
        wr_word_o   |= wr_word[i];
        wr_data_o   |= wr_data[i];
      end
      if (rd_valid[i]) begin
        rd_lane_o |= LaneBits'(i);
        rd_word_o |= busy[i] ? '1 : rd_word[i];
      end
      if (start[i] || zeroize[i]) begin
        cmd_lane_o |= LaneBits'(i);
        cmd_op_o   |= cmd_op[i];
        cmd_mode_o |= cmd_mode[i];
        cmd_elen_o |= cmd_elen[i];
      end
    end
  end

  // A lane waits for the word it asked for before it takes another access.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_lane_q <= '0;
    else if (rd_valid_o) rd_lane_q <= rd_lane_o;
  end

endmodule
