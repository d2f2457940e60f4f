// SPDX-License-Identifier: Apache-2.0
//
// Word memories of all lanes: operands from the host, read by the loader, and results from the unloader, read
// by the host. Exponent words pass through to perle_stream_exponent.
//
// Ranges    a write to an operand bank or a word that does not exist has no effect
// Algorithm one memory for the operand slots, lane by lane, in the loader's order, and one for results
// Cycles    a write takes effect in the third cycle, unless the lane is busy; stall_o is 1 while it uses the
//           port that clears words. rd_ack_o and rd_data_o five cycles after rd_valid_i, zero unless
//           rd_shown_i; load_word_o two cycles after its address
//
// Parameters
//   Lanes, Words, WordBits   slots, and their shape

module perle_stream_words
  import perle_pkg::*;
  import perle_stream_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Lanes    = 14,
  parameter  int unsigned Words    = 17,
  parameter  int unsigned WordBits = 64,
  localparam int unsigned LaneBits = $clog2(Lanes),
  localparam int unsigned WordAddr = $clog2(Lanes * LoadSlots * Words),
  localparam int unsigned WordIdx  = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned SlotAddr = $clog2(Lanes * Words)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // the host
  input  logic                wr_valid_i,
  input  logic [LaneBits-1:0] wr_lane_i,
  input  logic [         3:0] wr_bank_i,
  input  logic [         8:0] wr_word_i,
  input  logic [WordBits-1:0] wr_data_i,
  input  logic                wr_busy_i,
  input  logic                rd_valid_i,
  input  logic                rd_shown_i,
  input  logic [LaneBits-1:0] rd_lane_i,
  input  logic [         8:0] rd_word_i,
  output logic                rd_ack_o,
  output logic [WordBits-1:0] rd_data_o,
  // the loader, which also clears what it reads
  input  logic [WordAddr-1:0] load_addr_i,
  output logic [WordBits-1:0] load_word_o,
  input  logic                clear_i,
  input  logic                clear_exponent_i,
  input  logic [SlotAddr-1:0] exponent_addr_i,
  output logic                stall_o,
  // the exponents
  output logic                exponent_we_o,
  output logic [SlotAddr-1:0] exponent_addr_o,
  output logic [WordBits-1:0] exponent_word_o,
  // the unloader
  input  logic                result_we_i,
  input  logic [SlotAddr-1:0] result_addr_i,
  input  logic [WordBits-1:0] result_word_i
);

  logic wr, wr_q, wr_busy_q, wr_exponent, wr_exponent_q, we_q;
  logic [2:0] slot;
  logic wr_legal;
  logic [WordAddr-1:0] base_lane, base_slot, base_lane_q, base_slot_q, addr_q;
  logic [SlotAddr-1:0] exponent_base, exponent_base_q, result_base, result_base_q, result_word_q;
  logic [SlotAddr-1:0] result_addr_q;
  logic [WordIdx-1:0] word_q;
  logic [WordBits-1:0] data_q, wdata_q, result_word;
  logic [3:0] rd_q, shown_q;
  logic shown_now_q;

  always_comb begin
    unique case (wr_bank_i)
      4'(BankX): slot = LoadX;
      4'(BankY): slot = LoadY;
      4'(BankR2): slot = LoadR2;
      4'(int'(BankConst) + ConstMhat): slot = LoadMhat;
      4'(int'(BankConst) + ConstMprime): slot = LoadMprime;
      4'(int'(BankConst) + ConstM): slot = LoadM;
      default: slot = LoadM;
    endcase
  end
  assign wr_legal = (wr_bank_i < 4'(int'(BankConst) + ConstCount)) && (wr_word_i < 9'(Words));
  assign wr_exponent = (wr_bank_i == 4'(BankE));

  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(LoadSlots * Words),
    .Bits  (WordAddr)
  ) u_lane (
    .index_i(wr_lane_i),
    .base_o (base_lane)
  );
  perle_stream_base_table #(
    .Count (LoadSlots),
    .Stride(Words),
    .Bits  (WordAddr)
  ) u_slot (
    .index_i(slot),
    .base_o (base_slot)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Words),
    .Bits  (SlotAddr)
  ) u_exponent (
    .index_i(wr_lane_i),
    .base_o (exponent_base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Words),
    .Bits  (SlotAddr)
  ) u_result (
    .index_i(rd_lane_i),
    .base_o (result_base)
  );

  // the cycle in which a write of the host uses the port
  assign stall_o = wr_q;
  assign wr = wr_q && !wr_busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
      wr_exponent_q <= 1'b0;
      we_q <= 1'b0;
      exponent_we_o <= 1'b0;
      rd_q <= '0;
      shown_q <= '0;
      shown_now_q <= 1'b0;
      wr_busy_q <= 1'b0;
      rd_ack_o <= 1'b0;
      rd_data_o <= '0;
    end else begin
      wr_q <= wr_valid_i && wr_legal;
      wr_exponent_q <= wr_exponent;
      wr_busy_q <= wr_busy_i;
      we_q <= (wr && !wr_exponent_q) || clear_i;
      exponent_we_o <= (wr && wr_exponent_q) || clear_exponent_i;
      rd_q <= {rd_q[2:0], rd_valid_i};
      shown_q <= {shown_q[2:1], shown_q[0] && shown_now_q, rd_valid_i && (rd_word_i < 9'(Words))};
      shown_now_q <= rd_shown_i;
      rd_ack_o <= rd_q[3];
      rd_data_o <= shown_q[3] ? result_word : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    base_lane_q <= base_lane;
    base_slot_q <= base_slot;
    exponent_base_q <= exponent_base;
    word_q <= WordIdx'(wr_word_i);
    data_q <= wr_valid_i ? wr_data_i : '0;
    addr_q <= wr_q ? base_lane_q + base_slot_q + WordAddr'(word_q) : load_addr_i;
    exponent_addr_o <= wr_q ? exponent_base_q + SlotAddr'(word_q) : exponent_addr_i;
    wdata_q <= wr_q ? data_q : '0;
    result_base_q <= result_base;
    result_word_q <= SlotAddr'(rd_word_i);
    result_addr_q <= result_base_q + result_word_q;
  end

  assign exponent_word_o = wdata_q;

  perle_ram #(
    .Bits (WordBits),
    .Depth(Lanes * LoadSlots * Words)
  ) u_words (
    .clk_i,
    .we_i   (we_q),
    .waddr_i(addr_q),
    .wdata_i(wdata_q),
    .raddr_i(load_addr_i),
    .data_o (load_word_o)
  );

  perle_ram #(
    .Bits (WordBits),
    .Depth(Lanes * Words)
  ) u_results (
    .clk_i,
    .we_i   (result_we_i),
    .waddr_i(result_addr_i),
    .wdata_i(result_word_i),
    .raddr_i(result_addr_q),
    .data_o (result_word)
  );

endmodule
