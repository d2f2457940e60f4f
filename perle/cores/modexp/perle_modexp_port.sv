// SPDX-License-Identifier: Apache-2.0
//
// A register on every signal of an exponentiator's word port, in both directions, for a core whose clock is
// too fast for a path across it.
//
// Ranges    as perle_modexp; port_* is the host's side. An access or command while port_busy_o is 1 raises a
//           flag of port_err_o here and is not passed on, as the exponentiator may be idle by the time it
//           arrives
// Algorithm inputs keep their order, and so do outputs; port_busy_o is 1 from the cycle after a start or
//           zeroize until port_done_o has been output
// Cycles    latency two cycles more than perle_modexp (port_cycles in core.toml): a word is valid three
//           cycles after its request; word 0 is valid in the cycle after port_done_o, as in perle_modexp
//
// Parameters
//   WordBits   as perle_modexp

module perle_modexp_port
  import perle_pkg::*;
#(
  parameter int unsigned WordBits = 64
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // host
  input  logic                port_wr_valid_i,
  input  logic [         3:0] port_wr_bank_i,
  input  logic [         8:0] port_wr_word_i,
  input  logic [WordBits-1:0] port_wr_data_i,
  input  logic                port_rd_valid_i,
  input  logic [         8:0] port_rd_word_i,
  output logic [WordBits-1:0] port_rd_data_o,
  input  logic                port_start_i,
  input  logic [         1:0] port_cmd_op_i,
  input  logic [         1:0] port_cmd_mode_i,
  input  logic [        12:0] port_cmd_elen_i,
  input  logic                port_zeroize_i,
  output logic                port_busy_o,
  output logic                port_done_o,
  output err_t                port_err_o,
  // exponentiator
  output logic                wr_valid_o,
  output logic [         3:0] wr_bank_o,
  output logic [         8:0] wr_word_o,
  output logic [WordBits-1:0] wr_data_o,
  output logic                rd_valid_o,
  output logic [         8:0] rd_word_o,
  input  logic [WordBits-1:0] rd_data_i,
  output logic                start_o,
  output logic [         1:0] cmd_op_o,
  output logic [         1:0] cmd_mode_o,
  output logic [        12:0] cmd_elen_o,
  output logic                zeroize_o,
  input  logic                busy_i,
  input  logic                done_i,
  input  err_t                err_i
);

  logic busy_q;
  err_t refused;

  assign port_busy_o = busy_i || busy_q || start_o || zeroize_o;

  always_comb begin
    refused = '0;
    refused.start_busy = port_busy_o && (port_start_i || port_zeroize_i);
    refused.access_busy = port_busy_o && (port_wr_valid_i || port_rd_valid_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_valid_o <= 1'b0;
      rd_valid_o <= 1'b0;
      start_o <= 1'b0;
      zeroize_o <= 1'b0;
      wr_data_o <= '0;
      port_rd_data_o <= '0;
      busy_q <= 1'b1;
      port_done_o <= 1'b0;
      port_err_o <= '0;
    end else begin
      wr_valid_o <= port_wr_valid_i && !port_busy_o;
      rd_valid_o <= port_rd_valid_i && !port_busy_o;
      start_o <= port_start_i && !port_busy_o;
      zeroize_o <= port_zeroize_i && !port_busy_o;
      wr_data_o <= port_wr_data_i;
      port_rd_data_o <= rd_data_i;
      busy_q <= busy_i;
      port_done_o <= done_i;
      port_err_o <= err_i | refused;
    end
  end

  always_ff @(posedge clk_i) begin
    wr_bank_o <= port_wr_bank_i;
    wr_word_o <= port_wr_word_i;
    rd_word_o <= port_rd_word_i;
    cmd_op_o <= port_cmd_op_i;
    cmd_mode_o <= port_cmd_mode_i;
    cmd_elen_o <= port_cmd_elen_i;
  end

endmodule
