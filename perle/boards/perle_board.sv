// SPDX-License-Identifier: Apache-2.0
//
// A board: AXI4-Lite registers (perle_board_regs) in front of the exponentiator. The bus of the
// family's multiplier leaves through ports, so that this file names no family; the generated wrapper joins them.
//
// Times   one access a cycle at best; a register access answers two cycles after its request was accepted
// Errors  an address with no register, a write to a read-only one and a read of a write-only one: SLVERR
//         everything else that a host can do wrong: a sticky flag of STATUS, and no effect
//
// Parameters
//   Width        bits of the widest modulus
//   OperandBits  bits of an operand line
//   WordBits     bits of the data bus: 32 or 64; has to be what the registers were generated for
//   ConstCount   constants of a modulus, M included
//   WindowBits   exponent bits taken at a time by the fixed-window mode
//   TagBits      bits of the multiplier's tag
//   Early        as perle_modexp
//   FamilyId     number of the family
//   ConfigHash   first 32 bits of the configuration hash
//   Lanes, Lane  boards that share the multiplier (perle_board_lanes), and which of them this is

module perle_board
  import perle_pkg::*;
#(
  parameter int unsigned Width       = 1024,
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned WordBits    = 64,
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
  input  logic                                    axil_awvalid_i,
  output logic                                    axil_awready_o,
  input  logic [13:0]                             axil_awaddr_i,
  input  logic [2:0]                              axil_awprot_i,
  input  logic                                    axil_wvalid_i,
  output logic                                    axil_wready_o,
  input  logic [WordBits-1:0]                     axil_wdata_i,
  input  logic [WordBits/8-1:0]                   axil_wstrb_i,
  output logic                                    axil_bvalid_o,
  input  logic                                    axil_bready_i,
  output logic [1:0]                              axil_bresp_o,
  input  logic                                    axil_arvalid_i,
  output logic                                    axil_arready_o,
  input  logic [13:0]                             axil_araddr_i,
  input  logic [2:0]                              axil_arprot_i,
  output logic                                    axil_rvalid_o,
  input  logic                                    axil_rready_i,
  output logic [WordBits-1:0]                     axil_rdata_o,
  output logic [1:0]                              axil_rresp_o,
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

  logic                wr_valid, rd_valid, rd_valid_q;
  logic [3:0]          wr_bank;
  logic [8:0]          wr_word, rd_word;
  logic [WordBits-1:0] wr_data, rd_data;
  logic                start, zeroize, busy, done;
  logic [1:0]          cmd_op, cmd_mode;
  logic [12:0]         cmd_elen;
  err_t                err;
  logic [63:0]         cycles;

  perle_board_regs #(
    .Width       (Width),
    .OperandBits (OperandBits),
    .WordBits    (WordBits),
    .ConstCount  (ConstCount),
    .WindowBits  (WindowBits),
    .FamilyId    (FamilyId),
    .ConfigHash  (ConfigHash),
    .Lanes       (Lanes),
    .Lane        (Lane)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .axil_awvalid_i,
    .axil_awready_o,
    .axil_awaddr_i,
    .axil_awprot_i,
    .axil_wvalid_i,
    .axil_wready_o,
    .axil_wdata_i,
    .axil_wstrb_i,
    .axil_bvalid_o,
    .axil_bready_i,
    .axil_bresp_o,
    .axil_arvalid_i,
    .axil_arready_o,
    .axil_araddr_i,
    .axil_arprot_i,
    .axil_rvalid_o,
    .axil_rready_i,
    .axil_rdata_o,
    .axil_rresp_o,
    .irq_o,
    .wr_valid_o  (wr_valid),
    .wr_bank_o (wr_bank),
    .wr_word_o   (wr_word),
    .wr_data_o   (wr_data),
    .rd_valid_o  (rd_valid),
    .rd_word_o   (rd_word),
    .rd_ack_i    (rd_valid_q),
    .rd_data_i   (rd_data),
    .start_o     (start),
    .cmd_op_o    (cmd_op),
    .cmd_mode_o  (cmd_mode),
    .cmd_elen_o  (cmd_elen),
    .zeroize_o      (zeroize),
    .busy_i      (busy),
    .done_i      (done),
    .err_i       (err),
    .cycles_i    (cycles)
  );

  // a word comes the cycle after it is asked for
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_valid_q <= 1'b0;
    else rd_valid_q <= rd_valid;
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
    .wr_valid_i  (wr_valid),
    .wr_bank_i (wr_bank),
    .wr_word_i   (wr_word),
    .wr_data_i   (wr_data),
    .rd_valid_i  (rd_valid),
    .rd_word_i   (rd_word),
    .rd_data_o   (rd_data),
    .start_i     (start),
    .cmd_op_i    (cmd_op),
    .cmd_mode_i  (cmd_mode),
    .cmd_elen_i  (cmd_elen),
    .zeroize_i      (zeroize),
    .busy_o      (busy),
    .done_o      (done),
    .err_o       (err),
    .cycles_o    (cycles),
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
