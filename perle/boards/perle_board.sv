// SPDX-License-Identifier: Apache-2.0
//
// A board: AXI4-Lite registers (perle_board_regs) in front of the exponentiator. The multiplier is connected
// to ports by the generated wrapper, so that this file does not depend on the family.
//
// Ranges    operands as perle_modexp, which checks them; words of WordBits (perle_bus_pkg)
// Cycles    at most one access per cycle; a register access is answered two cycles after its request was
//           accepted
// Errors    an address with no register, a write to a read-only one and a read of a write-only one: SLVERR
//           any other mistake of the host: a sticky flag in STATUS, and no effect
//
// Parameters
//   Width        bits of the widest modulus
//   OperandBits  bits of an operand
//   ConstCount   constants of a modulus, M included
//   WindowBits   exponent bits taken at a time by the fixed-window mode
//   TagBits      bits of the multiplier's tag
//   Early        as perle_modexp
//   FamilyId     number of the family
//   ConfigHash   first 32 bits of the configuration hash
//   Lanes, Lane  boards that share the multiplier (perle_board_lanes), and which of them this is

module perle_board
  import perle_pkg::*;
  import perle_bus_pkg::*;
#(
  parameter int unsigned Width       = 1024,
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned ConstCount  = 3,
  parameter int unsigned WindowBits  = 4,
  parameter int unsigned TagBits     = 4,
  parameter int unsigned Early       = 0,
  parameter logic [31:0] FamilyId    = 32'd1,
  parameter logic [31:0] ConfigHash  = 32'd0,
  parameter int unsigned Lanes       = 1,
  parameter int unsigned Lane        = 0
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,

  // AXI4-Lite
  input  axil_req_t                               axil_i,
  output axil_rsp_t                               axil_o,
  output logic                                    irq_o,

  // Multiplier
  output logic [ConstCount-1:0][OperandBits-1:0]  mod_o,
  output logic                                    req_valid_o,
  input  logic                                    req_ready_i,
  output mul_op_e                                 req_op_o,
  output logic                                    req_early_o,
  output logic                                    req_forward_o,
  output logic [TagBits-1:0]                      req_tag_o,
  output logic [OperandBits-1:0]                  req_x_o,
  output logic [OperandBits-1:0]                  req_y_o,
  input  logic                                    rsp_valid_i,
  output logic                                    rsp_ready_o,
  input  logic [TagBits-1:0]                      rsp_tag_i,
  input  logic [OperandBits-1:0]                  rsp_z_i
);

  host_req_t           host;
  logic                rd_valid_q, rd_busy_q, busy, done;
  logic [WordBits-1:0] rd_data;
  err_t                err;
  logic [63:0]         cycles;

  perle_board_regs #(
    .Width       (Width),
    .OperandBits (OperandBits),
    .ConstCount  (ConstCount),
    .WindowBits  (WindowBits),
    .FamilyId    (FamilyId),
    .ConfigHash  (ConfigHash),
    .Lanes       (Lanes),
    .Lane        (Lane)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .axil_i,
    .axil_o,
    .irq_o,
    .host_o    (host),
    .rd_ack_i  (rd_valid_q),
    .rd_data_i (rd_busy_q ? '0 : rd_data),
    .busy_i    (busy),
    .done_i    (done),
    .err_i     (err),
    .cycles_i  (cycles)
  );

  // A word is valid one cycle after its request. A request while busy gives zero, even if the operation ends
  // in that cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {rd_valid_q, rd_busy_q} <= '0;
    else {rd_valid_q, rd_busy_q} <= {host.rd_valid, busy};
  end

  perle_modexp #(
    .Width       (Width),
    .OperandBits (OperandBits),
    .WordBits    (WordBits),
    .ConstCount  (ConstCount),
    .WindowBits  (WindowBits),
    .TagBits     (TagBits),
    .Early       (Early)
  ) u_modexp (
    .clk_i,
    .rst_ni,
    .wr_valid_i (host.wr_valid),
    .wr_bank_i  (host.wr_bank),
    .wr_word_i  (host.wr_word),
    .wr_data_i  (host.wr_data),
    .rd_valid_i (host.rd_valid),
    .rd_word_i  (host.rd_word),
    .rd_data_o  (rd_data),
    .start_i    (host.start),
    .cmd_op_i   (host.cmd_op),
    .cmd_mode_i (host.cmd_mode),
    .cmd_elen_i (host.cmd_elen),
    .zeroize_i  (host.zeroize),
    .busy_o     (busy),
    .done_o     (done),
    .err_o      (err),
    .cycles_o   (cycles),
    .mod_o,
    .req_valid_o,
    .req_ready_i,
    .req_op_o,
    .req_early_o,
    .req_forward_o,
    .req_tag_o,
    .req_x_o,
    .req_y_o,
    .rsp_valid_i,
    .rsp_ready_o,
    .rsp_tag_i,
    .rsp_z_i
  );

endmodule
