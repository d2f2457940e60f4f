// SPDX-License-Identifier: Apache-2.0
//
// Several boards in front of one engine: lane i has the registers of a board, at byte address i·2^14 of the
// common bus. The engine has the operands and results of all lanes in its memories. All lanes share one word
// port and one command port to it, as the bus has one access at a time; busy, done and the flags are
// separate.
//
// Ranges    as perle_board, for each lane
// Cycles    as perle_board; a read of a result takes as long as the engine takes to answer
// Errors    as perle_board, for each lane; an address beyond the last lane: DECERR
//
// Parameters
//   Lanes        boards, 2 and more
//   others       as perle_board

module perle_board_engine
  import perle_pkg::*;
  import perle_bus_pkg::*;
#(
  parameter  int unsigned Lanes       = 2,
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned ConstCount  = 3,
  parameter  int unsigned WindowBits  = 4,
  parameter  logic [31:0] FamilyId    = 32'd1,
  parameter  logic [31:0] ConfigHash  = 32'd0,
  localparam int unsigned LaneBits    = $clog2(Lanes)
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,

  // AXI4-Lite, and the lane of each address
  input  logic [LaneBits-1:0]                                aw_lane_i,
  input  logic [LaneBits-1:0]                                ar_lane_i,
  input  axil_req_t                                          axil_i,
  output axil_rsp_t                                          axil_o,
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

  localparam int unsigned Words = (OperandBits + WordBits - 1) / WordBits;
  localparam int unsigned Banks = int'(BankConst) + ConstCount;

  axil_req_t [Lanes-1:0] axil_req;
  axil_rsp_t [Lanes-1:0] axil_rsp;
  host_req_t [Lanes-1:0] host;
  logic      [LaneBits-1:0] rd_lane_q;
  logic      [Lanes-1:0] wr_valid, rd_valid, start, zeroize, begun_q, busy;
  err_t      [Lanes-1:0] err;

  perle_axil_demux #(
    .Lanes(Lanes)
  ) u_demux (
    .clk_i,
    .rst_ni,
    .aw_lane_i,
    .ar_lane_i,
    .axil_i,
    .axil_o,
    .lane_o   (axil_req),
    .lane_i   (axil_rsp)
  );

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    perle_board_regs #(
      .Width       (Width),
      .OperandBits (OperandBits),
      .ConstCount  (ConstCount),
      .WindowBits  (WindowBits),
      .FamilyId    (FamilyId),
      .ConfigHash  (ConfigHash),
      .Lanes       (Lanes),
      .Lane        (i)
    ) u_registers (
      .clk_i,
      .rst_ni,
      .axil_i         (axil_req[i]),
      .axil_o         (axil_rsp[i]),
      .irq_o          (irq_o[i]),
      .host_o         (host[i]),
      .rd_ack_i       (rd_ack_i && (rd_lane_q == LaneBits'(i))),
      .rd_data_i,
      .busy_i         (busy[i]),
      .done_i         (done_i[i]),
      .err_i          (err[i]),
      .cycles_i       (64'(cycles_i[i]))
    );

    assign wr_valid[i] = host[i].wr_valid;
    assign rd_valid[i] = host[i].rd_valid;
    assign start[i] = host[i].start;
    assign zeroize[i] = host[i].zeroize;

    // The engine's busy_i rises one cycle after a command; accesses to a busy lane are refused here.
    always_comb begin
      err[i] = err_i[i];
      err[i].start_busy  = busy[i] && (start[i] || zeroize[i]);
      err[i].access_busy = busy[i] && (wr_valid[i] || rd_valid[i]);
      if (wr_valid[i] && !busy[i] && (32'(host[i].wr_bank) >= Banks || 32'(host[i].wr_word) >= Words)) begin
        err[i].command = 1'b1;
      end
    end
  end

  // In the cycle of done_i the registers do not show its flags yet: the lane is busy until they do.
  assign busy = busy_i | begun_q | done_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= '0;
    else begun_q <= start | zeroize;
  end

  // One access at a time: the requests of all other lanes are 0. Those of a busy lane are not passed on,
  // except a read, which has to be answered: it reads a word beyond the operand, which is zero.
  assign wr_valid_o = |(wr_valid & ~busy);
  assign rd_valid_o = |rd_valid;
  assign start_o    = |(start & ~busy);
  assign zeroize_o  = |(zeroize & ~busy);

  always_comb begin
    wr_lane_o  = '0;
    wr_bank_o  = '0;
    wr_word_o  = '0;
    wr_data_o  = '0;
    rd_lane_o  = '0;
    rd_word_o  = '0;
    cmd_lane_o  = '0;
    cmd_op_o    = '0;
    cmd_mode_o  = '0;
    cmd_elen_o  = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      if (wr_valid[i]) begin
        wr_lane_o |= LaneBits'(i);
        wr_bank_o |= host[i].wr_bank;
        wr_word_o |= host[i].wr_word;
        wr_data_o |= host[i].wr_data;
      end
      if (rd_valid[i]) begin
        rd_lane_o |= LaneBits'(i);
        rd_word_o |= busy[i] ? '1 : host[i].rd_word;
      end
      if (start[i] || zeroize[i]) begin
        cmd_lane_o |= LaneBits'(i);
        cmd_op_o   |= host[i].cmd_op;
        cmd_mode_o |= host[i].cmd_mode;
        cmd_elen_o |= host[i].cmd_elen;
      end
    end
  end

  // A lane accepts no further access until its word has been read.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_lane_q <= '0;
    else if (rd_valid_o) rd_lane_q <= rd_lane_o;
  end

endmodule
