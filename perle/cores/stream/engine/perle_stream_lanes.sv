// SPDX-License-Identifier: Apache-2.0
//
// Commands and status of the lanes: one command port, flags per lane.
//
// Ranges    one command per cycle, in the lane's bit of start_i or zeroize_i; load_lane_i and end_lane_i are
//           valid at least one cycle before fault_i and end_i
// Algorithm a lane is busy from its start to the last word of its result, or to its fault; meanwhile a
//           command for it has no effect
// Cycles    busy_o in the cycle after a start; err_o with done_o; cycles_o two cycles after cycles_we_i
//
// Parameters
//   Lanes   lanes

module perle_stream_lanes
  import perle_pkg::*;
#(
  parameter  int unsigned Lanes    = 14,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the host
  input  logic    [        Lanes-1:0] start_i,
  input  logic    [        Lanes-1:0] zeroize_i,
  input  logic    [     LaneBits-1:0] cmd_lane_i,
  input  logic    [              1:0] cmd_op_i,
  input  logic    [              1:0] cmd_mode_i,
  input  logic    [             12:0] cmd_elen_i,
  output logic    [        Lanes-1:0] busy_o,
  output logic    [        Lanes-1:0] done_o,
  output err_t    [        Lanes-1:0] err_o,
  output logic    [  Lanes-1:0][31:0] cycles_o,
  output logic    [        Lanes-1:0] result_valid_o,
  // to the loader
  output logic    [        Lanes-1:0] want_o,
  input  logic                        taken_i,
  input  logic    [     LaneBits-1:0] load_lane_i,
  output logic                        load_zeroize_o,
  output logic    [              1:0] load_op_o,
  output logic    [              1:0] load_mode_o,
  output logic    [             12:0] load_elen_o,
  input  logic                        fault_i,
  input  err_t                        fault_err_i,
  // from the threads, from the unloader
  input  logic                        cycles_we_i,
  input  logic    [     LaneBits-1:0] cycles_lane_i,
  input  logic    [             31:0] cycles_i,
  input  logic                        end_i,
  input  logic    [     LaneBits-1:0] end_lane_i
);

  logic [Lanes-1:0] zeroize_q, open, started_q, cycles_we_q, load_here_q, end_here_q;
  logic [31:0] cycles_q;
  logic [16:0] cmd_q[Lanes];
  logic [1:0][16:0] cmd_delayed_q;
  logic [1:0][LaneBits-1:0] cmd_lane_q;
  logic cmd_we_q;

  assign open = (start_i | zeroize_i) & ~busy_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_o <= '1;
      want_o <= '1;
      zeroize_q <= '1;
      done_o <= '0;
      err_o <= '0;
      cycles_o <= '0;
      cycles_we_q <= '0;
      load_here_q <= '0;
      end_here_q <= '0;
      started_q <= '0;
      cmd_we_q <= 1'b0;
      result_valid_o <= '0;
      load_zeroize_o <= 1'b1;
    end else begin
      done_o <= '0;
      err_o <= '0;
      load_zeroize_o <= zeroize_q[load_lane_i];
      if (taken_i) want_o[load_lane_i] <= 1'b0;
      for (int unsigned i = 0; i < Lanes; i++) begin
        load_here_q[i] <= (load_lane_i == LaneBits'(i));
        end_here_q[i] <= (end_lane_i == LaneBits'(i));
        if (fault_i && load_here_q[i]) begin
          busy_o[i] <= 1'b0;
          done_o[i] <= 1'b1;
          err_o[i] <= fault_err_i;
        end
        if (end_i && end_here_q[i]) begin
          busy_o[i] <= 1'b0;
          done_o[i] <= !zeroize_q[i];
          result_valid_o[i] <= !zeroize_q[i];
        end
        cycles_we_q[i] <= cycles_we_i && (cycles_lane_i == LaneBits'(i)) && !zeroize_q[i];
        if (cycles_we_q[i]) cycles_o[i] <= cycles_q;
        if (open[i]) begin
          busy_o[i] <= 1'b1;
          want_o[i] <= 1'b1;
          zeroize_q[i] <= zeroize_i[i];
          result_valid_o[i] <= 1'b0;
          if (start_i[i]) cycles_o[i] <= '0;
        end
      end
      started_q <= open & start_i;
      cmd_we_q <= (started_q != '0);
    end
  end

  always_ff @(posedge clk_i) begin
    cycles_q <= cycles_i;
    // the command is needed only some cycles after the loader accepted the lane
    cmd_lane_q <= {cmd_lane_q[0], cmd_lane_i};
    cmd_delayed_q <= {cmd_delayed_q[0], {cmd_op_i, cmd_mode_i, cmd_elen_i}};
    if (cmd_we_q) cmd_q[cmd_lane_q[1]] <= cmd_delayed_q[1];
    {load_op_o, load_mode_o, load_elen_o} <= cmd_q[load_lane_i];
  end

endmodule
