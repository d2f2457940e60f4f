// SPDX-License-Identifier: Apache-2.0
//
// perle_tb_host on the word port of an exponentiator, or of an engine with lanes. This module has the
// registers of a board that the file needs, at a board's addresses, so that the same file tests both.
//
// Parameters  as perle_tb_host; CycleBits: bits of the cycle counter

module perle_tb_exp #(
  parameter int WordBits  = 64,
  parameter int AddrBits  = 14,
  parameter int Lanes     = 1,
  parameter int CycleBits = 64,
  parameter int LineBits  = 128,
  parameter int Patience  = 100000,
  parameter int Checks    = 1,
  parameter int Lines     = 8,
  parameter int LaneBits  = Lanes > 1 ? $clog2(Lanes) : 1
) (
  output logic                            clk_o,
  output logic                            rst_no,
  output logic                            wr_valid_o,
  output logic [LaneBits-1:0]             wr_lane_o,
  output logic [3:0]                      wr_bank_o,
  output logic [8:0]                      wr_word_o,
  output logic [WordBits-1:0]             wr_data_o,
  output logic                            rd_valid_o,
  output logic [LaneBits-1:0]             rd_lane_o,
  output logic [8:0]                      rd_word_o,
  input  logic                            rd_ack_i,
  input  logic [WordBits-1:0]             rd_data_i,
  output logic                            start_o,
  output logic                            zeroize_o,
  output logic [LaneBits-1:0]             cmd_lane_o,
  output logic [1:0]                      cmd_op_o,
  output logic [1:0]                      cmd_mode_o,
  output logic [12:0]                     cmd_elen_o,
  input  logic [Lanes-1:0]                busy_i,
  input  logic [Lanes-1:0]                done_i,
  input  logic [Lanes-1:0][6:0]           err_i,
  input  logic [Lanes-1:0][CycleBits-1:0] cycles_i
);

  // addresses of a board, and bits of CONTROL
  localparam logic [13:0] Command = 14'h0028;
  localparam logic [13:0] Control = 14'h0030;
  localparam logic [13:0] Status = 14'h0038;
  localparam logic [13:0] CyclesLo = 14'h0040;
  localparam logic [13:0] CyclesHi = 14'h0048;
  localparam logic [13:0] Banks = 14'h1000;
  localparam logic [13:0] Result = 14'h3000;

  logic req, ack, write, of_bank, of_result, control, asked;
  logic [AddrBits-1:0] addr;
  logic [WordBits-1:0] wdata, rdata;
  logic [13:0] local_addr, bank_addr;
  logic [LaneBits-1:0] lane;
  logic [Lanes-1:0] begun, done;
  logic [Lanes-1:0][6:0] err;
  logic [16:0] command;  // bits of the exponent, mode, operation
  logic [63:0] cycles;
  logic [14:0] status;
  logic [31:0] cycles_lo, cycles_hi;

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
    .error_i(1'b0),
    .rdata_i(rdata),
    .irq_i(done & ~busy_i)
  );

  assign local_addr = addr[13:0];
  assign lane = Lanes > 1 ? LaneBits'(addr >> 14) : '0;
  assign bank_addr = local_addr - Banks;
  assign of_bank = req && (write === 1'b1) && (local_addr >= Banks) && (local_addr < Result);
  assign of_result = req && (write === 1'b0) && (local_addr >= Result);
  assign control = req && (write === 1'b1) && (local_addr == Control);

  assign wr_valid_o = of_bank;
  assign wr_lane_o = of_bank ? lane : 'x;
  assign wr_bank_o = of_bank ? bank_addr[13:10] : 'x;
  assign wr_word_o = of_bank ? 9'(bank_addr[9:0] / (WordBits / 8)) : 'x;
  assign wr_data_o = of_bank ? wdata : 'x;
  assign rd_valid_o = of_result && !asked;
  assign rd_lane_o = rd_valid_o ? lane : 'x;
  assign rd_word_o = rd_valid_o ? 9'(local_addr[9:0] / (WordBits / 8)) : 'x;
  assign start_o = control && wdata[0];
  assign zeroize_o = control && wdata[1];
  assign cmd_lane_o = control ? lane : 'x;
  assign cmd_op_o = start_o ? command[1:0] : 'x;
  assign cmd_mode_o = start_o ? command[3:2] : 'x;
  assign cmd_elen_o = start_o ? command[16:4] : 'x;
  assign ack = req && (of_result ? rd_ack_i : 1'b1);
  assign cycles = 64'(cycles_i[lane]);
  assign cycles_lo = cycles[31:0];
  assign cycles_hi = cycles[63:32];
  assign status = {err[lane], 6'd0, done[lane], busy_i[lane] || begun[lane]};

  always_comb begin
    rdata = '0;
    if (of_result) rdata = rd_data_i;
    else if (local_addr == Status) rdata = WordBits'(status);
    else if (local_addr == CyclesLo) rdata = WordBits'(cycles_lo);
    else if (local_addr == CyclesHi) rdata = WordBits'(cycles_hi);
  end

  always_ff @(posedge clk_o) begin
    asked <= rst_no && of_result && !ack;
    if (req && (write === 1'b1) && (local_addr == Command)) begin
      command <= {wdata[28:16], wdata[5:4], wdata[1:0]};
    end
    for (int unsigned i = 0; i < Lanes; i++) begin
      // STATUS shows busy in the cycle after a command, even if busy_i rises only in the next one
      begun[i] <= rst_no && (start_o || zeroize_o) && (lane == LaneBits'(i));
      done[i] <= rst_no && (done_i[i] || (done[i] && !(start_o && lane == LaneBits'(i))));
      if (!rst_no || (control && wdata[2] && lane == LaneBits'(i))) err[i] <= '0;
      else err[i] <= err[i] | err_i[i];
    end
  end

endmodule
