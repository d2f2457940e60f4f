// SPDX-License-Identifier: Apache-2.0
//
// Receives records from an AXI4-Stream: writes operands to the word port of an exponentiator, then gives the
// command.
//
// Record    a header word, then Words words of every bank in its mask, least significant first, banks in
//           ascending order; TLAST with the last word
//             [1:0]  operation    [2] zeroize instead of an operation    [5:4] mode    [15:8] bank mask
//             [28:16] bits of the exponent    [37:32] lane    [63:48] tag
// Ranges    lane below Lanes, no bank from 4 + ConstCount on; else refused (Errors). Operands are not checked
// Algorithm the words wait until the lane is free; banks that a record does not write keep their contents
// Errors    a record with TLAST too early or too late, or with a lane or bank that does not exist, is read to
//           its end and refused: nothing starts, but words accepted before a wrong TLAST have been written
// Cycles    one per word, and two more per record
//
// Parameters
//   Lanes, Words, ConstCount   as perle_axis

module perle_axis_in #(
  parameter  int unsigned Lanes      = 1,
  parameter  int unsigned Words      = 2,
  parameter  int unsigned ConstCount = 3,
  localparam int unsigned LaneBits   = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                s_axis_tvalid_i,
  output logic                s_axis_tready_o,
  input  logic [63:0]         s_axis_tdata_i,
  input  logic                s_axis_tlast_i,
  // exponentiator
  input  logic [Lanes-1:0]    free_i,
  output logic                wr_valid_o,
  output logic [3:0]          wr_bank_o,
  output logic [8:0]          wr_word_o,
  output logic [63:0]         wr_data_o,
  output logic                start_o,
  output logic                zeroize_o,
  output logic [LaneBits-1:0] lane_o,
  output logic [1:0]          cmd_op_o,
  output logic [1:0]          cmd_mode_o,
  output logic [12:0]         cmd_elen_o,
  output logic [15:0]         tag_o,
  // a refused record, until it has been answered
  output logic                refused_o,
  output logic                no_such_o,
  output logic [5:0]          refused_lane_o,
  input  logic                answered_i
);

  localparam int unsigned Banks = 4 + ConstCount;

  typedef enum logic [2:0] {
    StHead,
    StWait,
    StLoad,
    StGo,
    StSkip
  } state_e;

  state_e state_q;
  logic [7:0] banks_q, left;
  logic [2:0] bank;
  logic [8:0] word_q;
  logic [5:0] lane_q;
  logic zero_q, beat, line_end, record_end, no_such, misframed;

  assign lane_o = lane_q[LaneBits-1:0];
  assign refused_lane_o = lane_q;

  // bank: the lowest one still to be written; left: those after it
  assign left = banks_q & (banks_q - 8'd1);
  always_comb begin
    bank = '0;
    for (int unsigned i = 8; i > 0; i--) if (banks_q[i-1]) bank = 3'(i - 1);
  end

  assign s_axis_tready_o = (state_q == StHead && !refused_o) || state_q == StLoad || state_q == StSkip;
  assign beat = s_axis_tvalid_i && s_axis_tready_o;
  assign line_end = (word_q == 9'(Words - 1));
  assign record_end = line_end && (left == '0);
  assign no_such = (32'(s_axis_tdata_i[37:32]) >= Lanes) || ((32'(s_axis_tdata_i[15:8]) >> Banks) != '0);
  assign misframed = (state_q == StHead) ? (s_axis_tlast_i != (s_axis_tdata_i[15:8] == '0))
                                         : (s_axis_tlast_i != record_end);

  assign wr_valid_o = (state_q == StLoad) && beat;
  assign wr_bank_o = {1'b0, bank};
  assign wr_word_o = word_q;
  assign wr_data_o = wr_valid_o ? s_axis_tdata_i : '0;
  assign start_o = (state_q == StGo) && !zero_q;
  assign zeroize_o = (state_q == StGo) && zero_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StHead;
      refused_o <= 1'b0;
      no_such_o <= 1'b0;
      word_q <= '0;
      {tag_o, lane_q, cmd_elen_o, banks_q, cmd_mode_o, zero_q, cmd_op_o} <= '0;
    end else begin
      if (answered_i) refused_o <= 1'b0;
      unique case (state_q)
        StHead: begin
          if (beat) begin
            {cmd_mode_o, zero_q, cmd_op_o} <= {s_axis_tdata_i[5:4], s_axis_tdata_i[2:0]};
            {cmd_elen_o, banks_q} <= {s_axis_tdata_i[28:16], s_axis_tdata_i[15:8]};
            {tag_o, lane_q} <= {s_axis_tdata_i[63:48], s_axis_tdata_i[37:32]};
            word_q <= '0;
            no_such_o <= no_such;
            if (!no_such && !misframed) state_q <= StWait;
            else if (s_axis_tlast_i) refused_o <= 1'b1;
            else state_q <= StSkip;
          end
        end
        StWait: begin
          if (free_i[lane_o]) state_q <= (banks_q == '0) ? StGo : StLoad;
        end
        StLoad: begin
          if (beat) begin
            word_q <= line_end ? '0 : word_q + 9'd1;
            if (line_end) banks_q <= left;
            if (misframed) begin
              state_q <= s_axis_tlast_i ? StHead : StSkip;
              refused_o <= s_axis_tlast_i;
            end else if (record_end) begin
              state_q <= StGo;
            end
          end
        end
        StSkip: begin
          if (beat && s_axis_tlast_i) begin
            state_q <= StHead;
            refused_o <= 1'b1;
          end
        end
        default: state_q <= StHead;  // StGo
      endcase
    end
  end

endmodule
