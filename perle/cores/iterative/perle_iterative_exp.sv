// SPDX-License-Identifier: Apache-2.0
//
// perle_modexp and perle_iterative_mul joined, the host side a word port. Made by perle.cores.modexp.frame, not by hand.
//
//   z = x^e mod M and the other commands of perle_modexp
//
// Ranges    as perle_modexp
// Algorithm one exponentiation at a time: each product waits for the one before it
// Cycles    of a command: perle.cores.modexp.model with the products of perle_iterative_pkg
// Left out  a bus: see boards/
//
// Parameters
//   Width, PaperStates, Segment   as perle_iterative_mul
//   WordBits, WindowBits   as perle_modexp

module perle_iterative_exp
  import perle_pkg::*;
  import perle_iterative_pkg::*;
#(
  parameter int unsigned Width = 1024,
  parameter bit PaperStates = 1'b0,
  parameter int unsigned Segment = 32,
  parameter int unsigned WordBits = 64,
  parameter int unsigned WindowBits = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                wr_valid_i,
  input  logic [         3:0] wr_window_i,
  input  logic [         8:0] wr_word_i,
  input  logic [WordBits-1:0] wr_data_i,
  input  logic                rd_valid_i,
  input  logic [         8:0] rd_word_i,
  output logic [WordBits-1:0] rd_data_o,
  input  logic                start_i,
  input  logic [         1:0] cmd_op_i,
  input  logic [         1:0] cmd_mode_i,
  input  logic [        12:0] cmd_elen_i,
  input  logic                wipe_i,
  output logic                busy_o,
  output logic                done_o,
  output err_t                err_o,
  output logic [        63:0] cycles_o
);

  localparam int unsigned OperandBits = operand_bits(Width);
  localparam int unsigned TagBits = 4;

  logic [ConstCount-1:0][OperandBits-1:0] modulus;
  logic req_valid, req_ready, rsp_valid, rsp_ready;
  mul_op_e req_op;
  logic req_early, req_forward;
  logic [TagBits-1:0] req_tag, rsp_tag;
  logic [OperandBits-1:0] req_x, req_y, rsp_z;
  logic unused;

  assign unused = req_early ^ req_forward;  // for a multiplier that forwards

  perle_modexp #(
    .Width      (Width),
    .OperandBits(OperandBits),
    .WordBits   (WordBits),
    .ConstCount (ConstCount),
    .WindowBits (WindowBits),
    .TagBits    (TagBits)
  ) u_modexp (
    .clk_i,
    .rst_ni,
    .wr_valid_i,
    .wr_window_i,
    .wr_word_i,
    .wr_data_i,
    .rd_valid_i,
    .rd_word_i,
    .start_i,
    .cmd_op_i,
    .cmd_mode_i,
    .cmd_elen_i,
    .wipe_i,
    .rd_data_o,
    .busy_o,
    .done_o,
    .err_o,
    .cycles_o,
    .mod_o        (modulus),
    .req_valid_o  (req_valid),
    .req_ready_i  (req_ready),
    .req_op_o     (req_op),
    .req_early_o  (req_early),
    .req_forward_o(req_forward),
    .req_tag_o    (req_tag),
    .req_x_o      (req_x),
    .req_y_o      (req_y),
    .rsp_valid_i  (rsp_valid),
    .rsp_ready_o  (rsp_ready),
    .rsp_tag_i    (rsp_tag),
    .rsp_z_i      (rsp_z)
  );

  perle_iterative_mul #(
    .Width(Width),
    .PaperStates(PaperStates),
    .Segment(Segment),
    .TagBits(TagBits)
  ) u_mul (
    .clk_i,
    .rst_ni,
    .mod_i      (modulus),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i   (req_op),
    .req_ctx_i  (1'b0),
    .req_tag_i  (req_tag),
    .req_x_i    (req_x),
    .req_y_i    (req_y),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_tag_o  (rsp_tag),
    .rsp_z_o    (rsp_z)
  );

endmodule
