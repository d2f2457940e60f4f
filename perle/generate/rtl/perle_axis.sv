// SPDX-License-Identifier: Apache-2.0
//
// Two AXI4-Streams for the word port of an exponentiator or of an engine with lanes: records with operands
// come in (perle_axis_in), and each is answered by a record with its result and the same tag
// (perle_axis_out). A lane is loaded while others run, and the host does not poll.
//
// Ranges    at most 64 lanes; operands of at most 512 words; ConstCount <= 4, as a record has eight banks
// Cycles    a lane is occupied from the last word of its record until the last word of its answer is sent
// Errors    see the two parts; an operation's errors are reported in its answer
// Left out  lane allocation: the record names its lane and waits until it is free; to keep several lanes
//           busy, the host sends to them in turn
//
// Parameters
//   Lanes        1, or those of the engine
//   Words        words of 64 bits of an operand
//   ConstCount   constants of a modulus, M included

module perle_axis #(
  parameter  int unsigned Lanes      = 1,
  parameter  int unsigned Words      = 2,
  parameter  int unsigned ConstCount = 3,
  localparam int unsigned LaneBits   = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   s_axis_tvalid_i,
  output logic                   s_axis_tready_o,
  input  logic [63:0]            s_axis_tdata_i,
  input  logic                   s_axis_tlast_i,
  output logic                   m_axis_tvalid_o,
  input  logic                   m_axis_tready_i,
  output logic [63:0]            m_axis_tdata_o,
  output logic                   m_axis_tlast_o,
  // word port
  output logic                   wr_valid_o,
  output logic [LaneBits-1:0]    wr_lane_o,
  output logic [3:0]             wr_bank_o,
  output logic [8:0]             wr_word_o,
  output logic [63:0]            wr_data_o,
  output logic                   rd_valid_o,
  output logic [LaneBits-1:0]    rd_lane_o,
  output logic [8:0]             rd_word_o,
  input  logic                   rd_ack_i,
  input  logic [63:0]            rd_data_i,
  output logic                   start_o,
  output logic                   zeroize_o,
  output logic [LaneBits-1:0]    cmd_lane_o,
  output logic [1:0]             cmd_op_o,
  output logic [1:0]             cmd_mode_o,
  output logic [12:0]            cmd_elen_o,
  input  logic [Lanes-1:0]       busy_i,
  input  logic [Lanes-1:0]       done_i,
  input  logic [Lanes-1:0][6:0]  err_i,
  input  logic [Lanes-1:0][31:0] cycles_i
);

  logic [Lanes-1:0] used_q, ended_q, zero_q, begun_q, ended, taken;
  logic [Lanes-1:0][6:0] err_q;
  logic [Lanes-1:0][15:0] tag_q;
  logic [Lanes-1:0][31:0] cycles;
  logic [LaneBits-1:0] lane;
  logic [15:0] tag;
  logic [5:0] refused_lane;
  logic refused, no_such, answered;

  assign wr_lane_o = lane;
  assign cmd_lane_o = lane;
  assign ended = ended_q & ~busy_i;

  perle_axis_in #(
    .Lanes     (Lanes),
    .Words     (Words),
    .ConstCount(ConstCount)
  ) u_in (
    .clk_i,
    .rst_ni,
    .s_axis_tvalid_i,
    .s_axis_tready_o,
    .s_axis_tdata_i,
    .s_axis_tlast_i,
    .free_i        (~used_q & ~busy_i),
    .wr_valid_o,
    .wr_bank_o,
    .wr_word_o,
    .wr_data_o,
    .start_o,
    .zeroize_o,
    .lane_o        (lane),
    .cmd_op_o,
    .cmd_mode_o,
    .cmd_elen_o,
    .tag_o         (tag),
    .refused_o     (refused),
    .no_such_o     (no_such),
    .refused_lane_o(refused_lane),
    .answered_i    (answered)
  );

  perle_axis_out #(
    .Lanes(Lanes),
    .Words(Words)
  ) u_out (
    .clk_i,
    .rst_ni,
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tlast_o,
    .ended_i       (ended),
    .err_i         (err_q),
    .tag_i         (tag_q),
    .cycles_i      (cycles),
    .taken_o       (taken),
    .refused_i     (refused),
    .no_such_i     (no_such),
    .refused_lane_i(refused_lane),
    .refused_tag_i (tag),
    .answered_o    (answered),
    .port_free_i   (!(wr_valid_o || start_o || zeroize_o)),
    .rd_valid_o,
    .rd_lane_o,
    .rd_word_o,
    .rd_ack_i,
    .rd_data_i
  );

  // A zeroization raises no done_i: it has ended when busy_i has risen and fallen.
  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    assign cycles[i] = (zero_q[i] || err_q[i] != '0) ? '0 : cycles_i[i];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {used_q[i], ended_q[i], zero_q[i], begun_q[i]} <= '0;
        {err_q[i], tag_q[i]} <= '0;
      end else if ((start_o || zeroize_o) && lane == LaneBits'(i)) begin
        {used_q[i], ended_q[i], zero_q[i], begun_q[i]} <= {1'b1, 1'b0, zeroize_o, 1'b0};
        {err_q[i], tag_q[i]} <= {7'd0, tag};
      end else if (used_q[i]) begin
        if (taken[i]) {used_q[i], ended_q[i]} <= '0;
        else if (zero_q[i] ? (begun_q[i] && !busy_i[i]) : done_i[i]) ended_q[i] <= 1'b1;
        begun_q[i] <= begun_q[i] || busy_i[i];
        err_q[i] <= err_q[i] | err_i[i];
      end
    end
  end

endmodule
