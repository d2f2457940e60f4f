// SPDX-License-Identifier: Apache-2.0
//
// Word memory of all lanes: operands and exponents from the host, results to the host.
//
// Ranges    a write to an operand bank or a word that does not exist has no effect; m′ has word 0 only
// Algorithm a lane has slots of Words words for M, X, Y, R² and M̂, then one word for m′, then slots for E
//           and for the result. The loader reads M to m′ as one sequence, and the words after m′ as the rest
//           of its slot. Port A is shared, in order of priority: writes of the host, clearing of the word at
//           port B, results, reads of the host
// Cycles    a write takes effect in the third cycle, unless the lane is busy; clearing waits while stall_o is
//           1, results wait for result_ready_o. rd_ack_o and rd_data_o, zero unless rd_shown_i, six cycles
//           after rd_valid_i or later; word_o two after its address. For words of 64 bits seven and four,
//           with registers on the way: the loader then reads less often
//
// Parameters
//   Lanes, Words, WordBits   lanes; words of a slot; bits of a word

module perle_tile_words
  import perle_pkg::*;
  import perle_tile_pkg::*;
#(
  parameter  int unsigned Lanes    = 16,
  parameter  int unsigned Words    = 17,
  parameter  int unsigned WordBits = 64,
  localparam int unsigned LaneBits = $clog2(Lanes),
  localparam int unsigned WordAddr = $clog2(Lanes * lane_words(Words))
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
  // the loader, or perle_tile_transfer while a job is valid; both may clear the word they read
  input  logic [WordAddr-1:0] addr_i,
  input  logic                clear_i,
  output logic                stall_o,
  output logic [WordBits-1:0] word_o,
  // the unloader
  input  logic                result_we_i,
  output logic                result_ready_o,
  input  logic [WordAddr-1:0] result_addr_i,
  input  logic [WordBits-1:0] result_word_i
);

  localparam int unsigned ReadCycles = (WordBits == 64) ? 4 : 3;  // of a read of the host

  logic wr, wr_q, wr_busy_q, wr_legal, clear_q, we_q, shown_q, shown_now_q, asked_q, reads;
  logic rd_q;
  logic [ReadCycles-1:0] read_q;
  logic [WordAddr-1:0] wr_base, wr_base_q, wr_offset, wr_offset_q, rd_base, rd_base_q, rd_addr_q,
      clear_addr_q, addr_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [8:0] rd_word_q;  // upper bits may be unused
  // verilator lint_on UNUSEDSIGNAL
  logic [WordBits-1:0] data_q, wdata_q, result;

  always_comb begin
    wr_legal = (wr_word_i < 9'(Words));
    unique case (wr_bank_i)
      4'(int'(BankConst) + ConstM): wr_offset = '0;
      4'(BankX): wr_offset = WordAddr'(Words);
      4'(BankY): wr_offset = WordAddr'(2 * Words);
      4'(BankR2): wr_offset = WordAddr'(3 * Words);
      4'(int'(BankConst) + ConstMhat): wr_offset = WordAddr'(4 * Words);
      4'(int'(BankConst) + ConstMprime): begin
        wr_offset = WordAddr'(5 * Words);
        wr_legal = (wr_word_i == '0);
      end
      4'(BankE): wr_offset = WordAddr'(exponent_word(Words));
      default: begin
        wr_offset = '0;
        wr_legal = 1'b0;
      end
    endcase
  end

  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(lane_words(Words)),
    .Bits  (WordAddr)
  ) u_written (
    .index_i(wr_lane_i),
    .base_o (wr_base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(lane_words(Words)),
    .Bits  (WordAddr)
  ) u_read (
    .index_i(rd_lane_i),
    .base_o (rd_base)
  );

  // ---------------------------------------------------------------- arbitration of port A
  assign stall_o = wr_valid_i;
  assign wr = wr_q && !wr_busy_q;
  assign result_ready_o = !wr_q && !clear_q;
  assign reads = asked_q && result_ready_o && !result_we_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
      wr_busy_q <= 1'b0;
      clear_q <= 1'b0;
      we_q <= 1'b0;
      rd_q <= 1'b0;
      asked_q <= 1'b0;
      read_q <= '0;
      shown_q <= 1'b0;
      shown_now_q <= 1'b0;
      rd_ack_o <= 1'b0;
      rd_data_o <= '0;
    end else begin
      wr_q <= wr_valid_i && wr_legal;
      wr_busy_q <= wr_busy_i;
      clear_q <= clear_i && !stall_o;
      we_q <= wr || clear_q || (result_ready_o && result_we_i);
      rd_q <= rd_valid_i;
      shown_now_q <= rd_shown_i && (rd_word_i < 9'(Words));
      if (rd_q) shown_q <= shown_now_q;
      asked_q <= (asked_q && !reads) || rd_q;
      read_q <= {read_q[ReadCycles-2:0], reads};
      rd_ack_o <= read_q[ReadCycles-1];
      rd_data_o <= (read_q[ReadCycles-1] && shown_q) ? result : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    wr_base_q <= wr_base;
    wr_offset_q <= wr_offset + WordAddr'(wr_word_i);
    data_q <= wr_valid_i ? wr_data_i : '0;
    rd_base_q <= rd_base;
    if (rd_valid_i) rd_word_q <= rd_word_i;
    if (rd_q) rd_addr_q <= rd_base_q + WordAddr'(rd_word_q) + WordAddr'(result_word(Words));
    clear_addr_q <= addr_i;
    wdata_q <= '0;
    if (wr_q) begin
      addr_q <= wr_base_q + wr_offset_q;
      wdata_q <= data_q;
    end else if (clear_q) begin
      addr_q <= clear_addr_q;
    end else if (result_we_i) begin
      addr_q <= result_addr_i;
      wdata_q <= result_word_i;
    end else begin
      addr_q <= rd_addr_q;
    end
  end

  // ---------------------------------------------------------------- loader and host are far from the memory
  logic [WordAddr-1:0] b_addr;
  logic [WordBits-1:0] a_word, b_word;

  if (WordBits == 64) begin : gen_far
    always_ff @(posedge clk_i) begin
      b_addr <= addr_i;
      word_o <= b_word;
      result <= a_word;
    end
  end else begin : gen_near
    assign b_addr = addr_i;
    assign word_o = b_word;
    assign result = a_word;
  end

  perle_tile_memory #(
    .Bits (WordBits),
    .Depth(Lanes * lane_words(Words))
  ) u_words (
    .clk_i,
    .a_we_i  (we_q),
    .a_addr_i(addr_q),
    .a_data_i(wdata_q),
    .a_data_o(a_word),
    .b_we_i  (1'b0),
    .b_addr_i(b_addr),
    .b_data_i('0),
    .b_data_o(b_word)
  );

endmodule
