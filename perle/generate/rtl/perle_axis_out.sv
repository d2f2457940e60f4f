// SPDX-License-Identifier: Apache-2.0
//
// Answers each record with a record on an AXI4-Stream: a lane's result, read over the word port, or an error.
//
// Record    a header word, then Words words of the result, least significant first; TLAST with the last word
//             [6:0]  errors, as bits 14:8 of a board's STATUS    [7] record too short or too long
//             [8] no such lane or bank    [15:10] lane    [31:16] tag of the record    [63:32] cycles
//           words and cycles are zero after an operation with an error and after a zeroization
// Ranges    ended_i of a lane stays 1, and its status stable, until taken_o; refused_i until answered_o
// Algorithm lanes that have finished are served round-robin; refused records have priority
// Cycles    per word three plus the exponentiator's read latency; reads wait while the word port is written
//
// Parameters
//   Lanes, Words   as perle_axis

module perle_axis_out #(
  parameter  int unsigned Lanes    = 1,
  parameter  int unsigned Words    = 2,
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   m_axis_tvalid_o,
  input  logic                   m_axis_tready_i,
  output logic [63:0]            m_axis_tdata_o,
  output logic                   m_axis_tlast_o,
  // lanes that have finished, with their status
  input  logic [Lanes-1:0]       ended_i,
  input  logic [Lanes-1:0][6:0]  err_i,
  input  logic [Lanes-1:0][15:0] tag_i,
  input  logic [Lanes-1:0][31:0] cycles_i,
  output logic [Lanes-1:0]       taken_o,
  // a refused record
  input  logic                   refused_i,
  input  logic                   no_such_i,
  input  logic [5:0]             refused_lane_i,
  input  logic [15:0]            refused_tag_i,
  output logic                   answered_o,
  // word port; reads only while port_free_i is 1
  input  logic                   port_free_i,
  output logic                   rd_valid_o,
  output logic [LaneBits-1:0]    rd_lane_o,
  output logic [8:0]             rd_word_o,
  input  logic                   rd_ack_i,
  input  logic [63:0]            rd_data_i
);

  typedef enum logic [2:0] {
    StLook,
    StHead,
    StAsk,
    StGet,
    StWord
  } state_e;

  state_e state_q;
  logic [LaneBits-1:0] lane_q;
  logic [8:0] word_q;
  logic refused_q, last, sent;

  assign last = (word_q == 9'(Words - 1));
  assign sent = m_axis_tvalid_o && m_axis_tready_i;
  assign m_axis_tvalid_o = (state_q == StHead) || (state_q == StWord);
  assign m_axis_tlast_o = (state_q == StWord) && last;
  assign answered_o = (state_q == StLook) && refused_i;
  assign rd_valid_o = (state_q == StAsk) && !refused_q && port_free_i;
  assign rd_lane_o = lane_q;
  assign rd_word_o = word_q;

  always_comb begin
    taken_o = '0;
    taken_o[lane_q] = (state_q == StWord) && sent && last && !refused_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLook;
      lane_q <= '0;
      word_q <= '0;
      refused_q <= 1'b0;
      m_axis_tdata_o <= '0;
    end else begin
      unique case (state_q)
        StLook: begin
          word_q <= '0;
          refused_q <= refused_i;
          if (refused_i) begin
            state_q <= StHead;
            m_axis_tdata_o <= {32'd0, refused_tag_i, refused_lane_i, 1'b0, no_such_i, !no_such_i, 7'd0};
          end else if (ended_i[lane_q]) begin
            state_q <= StHead;
            m_axis_tdata_o <= {cycles_i[lane_q], tag_i[lane_q], 6'(lane_q), 3'd0, err_i[lane_q]};
          end else begin
            lane_q <= (lane_q == LaneBits'(Lanes - 1)) ? '0 : lane_q + 1'b1;
          end
        end
        StHead: begin
          if (sent) begin
            state_q <= StAsk;
            m_axis_tdata_o <= '0;
          end
        end
        StAsk: begin
          if (refused_q) state_q <= StWord;
          else if (port_free_i) state_q <= StGet;
        end
        StGet: begin
          if (rd_ack_i) begin
            state_q <= StWord;
            m_axis_tdata_o <= rd_data_i;
          end
        end
        default: begin  // StWord
          if (sent) begin
            state_q <= last ? StLook : StAsk;
            word_q <= word_q + 9'd1;
            m_axis_tdata_o <= '0;
            // continue the scan with the next lane, so that all are served fairly
            if (last && !refused_q) lane_q <= (lane_q == LaneBits'(Lanes - 1)) ? '0 : lane_q + 1'b1;
          end
        end
      endcase
    end
  end

endmodule
