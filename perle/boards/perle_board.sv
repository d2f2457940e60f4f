// SPDX-License-Identifier: Apache-2.0
//
// A board: AXI4-Lite registers (generated from board.rdl) in front of the exponentiator. The bus of the
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
  output logic [TagBits-1:0]                      req_tag_o,
  output logic [OperandBits-1:0]                  req_x_o,
  output logic [OperandBits-1:0]                  req_y_o,
  input  logic                                    rsp_valid_i,
  output logic                                    rsp_ready_o,
  input  logic [TagBits-1:0]                      rsp_tag_i,
  input  logic [OperandBits-1:0]                  rsp_z_i
);

  localparam int unsigned LineWindows = int'(WinConst);
  localparam int unsigned Windows     = LineWindows + ConstCount;
  localparam int unsigned ByteAddrLsb = $clog2(WordBits / 8);

  perle_regs_pkg::perle_regs__in_t  hw_in;
  perle_regs_pkg::perle_regs__out_t hw_out;

  perle_regs u_regs (
    .clk            (clk_i),
    .arst_n         (rst_ni),
    .s_axil_awready (axil_awready_o),
    .s_axil_awvalid (axil_awvalid_i),
    .s_axil_awaddr  (axil_awaddr_i),
    .s_axil_awprot  (axil_awprot_i),
    .s_axil_wready  (axil_wready_o),
    .s_axil_wvalid  (axil_wvalid_i),
    .s_axil_wdata   (axil_wdata_i),
    .s_axil_wstrb   (axil_wstrb_i),
    .s_axil_bready  (axil_bready_i),
    .s_axil_bvalid  (axil_bvalid_o),
    .s_axil_bresp   (axil_bresp_o),
    .s_axil_arready (axil_arready_o),
    .s_axil_arvalid (axil_arvalid_i),
    .s_axil_araddr  (axil_araddr_i),
    .s_axil_arprot  (axil_arprot_i),
    .s_axil_rready  (axil_rready_i),
    .s_axil_rvalid  (axil_rvalid_o),
    .s_axil_rdata   (axil_rdata_o),
    .s_axil_rresp   (axil_rresp_o),
    .hwif_in        (hw_in),
    .hwif_out       (hw_out)
  );

  ////////////////////////
  // Operand windows    //
  ////////////////////////

  logic [Windows-1:0]  win_req;
  logic [3:0]          wr_window;
  logic                wr_full;
  logic [WordBits-1:0] rd_data;

  always_comb begin
    win_req            = '0;
    win_req[int'(WinX)]  = hw_out.x.req;
    win_req[int'(WinY)]  = hw_out.y.req;
    win_req[int'(WinR2)] = hw_out.r2.req;
    win_req[int'(WinE)]  = hw_out.e.req;
    for (int unsigned i = 0; i < ConstCount; i++) win_req[LineWindows+i] = hw_out.constant[i].req;
  end

  // The register block decodes exactly one window at a time.
  always_comb begin
    wr_window = '0;
    for (int unsigned i = 0; i < Windows; i++) if (win_req[i]) wr_window |= 4'(i);
  end

  // Address, data and strobes are the same wires in every window: those of X stand for all.
  assign wr_full = &hw_out.x.wr_biten;

  ////////////////////////
  // Exponentiator      //
  ////////////////////////

  logic        start;
  logic        pulse;
  logic        access;
  logic        busy;
  logic        done;
  err_t        err;
  logic [63:0] cycles;

  // From the cycle of its pulse on a start or a wipe counts as busy: what a pipelining host sends after it
  // comes after it.
  assign start  = hw_out.control.start.value;
  assign pulse  = start | hw_out.control.wipe.value;
  assign access = (|win_req) | hw_out.result.req;

  perle_modexp #(
    .Width       (Width),
    .OperandBits (OperandBits),
    .WordBits    (WordBits),
    .ConstCount  (ConstCount),
    .WindowBits  (WindowBits),
    .TagBits     (TagBits)
  ) u_modexp (
    .clk_i,
    .rst_ni,
    .wr_valid_i  ((|win_req) & wr_full & ~pulse),
    .wr_window_i (wr_window),
    .wr_word_i   (9'(hw_out.x.addr >> ByteAddrLsb)),
    .wr_data_i   (hw_out.x.wr_data),
    .rd_valid_i  (hw_out.result.req & ~pulse),
    .rd_word_i   (9'(hw_out.result.addr >> ByteAddrLsb)),
    .rd_data_o   (rd_data),
    .start_i     (start),
    .cmd_op_i    (hw_out.command.op.value),
    .cmd_mode_i  (hw_out.command.mode.value),
    .cmd_elen_i  (hw_out.command.elen.value),
    .wipe_i      (hw_out.control.wipe.value),
    .busy_o      (busy),
    .done_o      (done),
    .err_o       (err),
    .cycles_o    (cycles),
    .mod_o,
    .req_valid_o,
    .req_ready_i,
    .req_op_o,
    .req_tag_o,
    .req_x_o,
    .req_y_o,
    .rsp_valid_i,
    .rsp_ready_o,
    .rsp_tag_i,
    .rsp_z_i
  );

  ////////////////////////
  // Status             //
  ////////////////////////

  logic done_d, done_q, done_shown;
  err_t err_d, err_q;

  assign done_shown = done_q & ~(start & ~busy);

  always_comb begin
    // A start that is refused at once is done in its own cycle.
    done_d = done_shown | done;

    err_d = (hw_out.control.clear_errors.value ? '0 : err_q) | err;
    if (access && pulse) err_d.access_busy = 1'b1;
    if ((|win_req) && !wr_full) err_d.command = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 1'b0;
      err_q  <= '0;
    end else begin
      done_q <= done_d;
      err_q  <= err_d;
    end
  end

  assign irq_o = done_shown;

  ////////////////////////
  // Towards the host   //
  ////////////////////////

  always_comb begin
    hw_in.family.id.next            = FamilyId;
    hw_in.config_hash.hash.next     = ConfigHash;
    hw_in.widths.width.next         = 16'(Width);
    hw_in.widths.operand_bits.next  = 16'(OperandBits);
    hw_in.shape.word_bits.next      = 8'(WordBits);
    hw_in.shape.window_bits.next    = 8'(WindowBits);
    hw_in.shape.const_count.next    = 8'(ConstCount);
    hw_in.lanes.count.next          = 8'(Lanes);
    hw_in.lanes.index.next          = 8'(Lane);
    hw_in.status.busy.next          = busy | pulse;
    hw_in.status.done.next          = done_shown;
    hw_in.status.start_busy.next    = err_q.start_busy;
    hw_in.status.access_busy.next   = err_q.access_busy;
    hw_in.status.modulus_even.next  = err_q.modulus_even;
    hw_in.status.modulus_small.next = err_q.modulus_small;
    hw_in.status.modulus_wide.next  = err_q.modulus_wide;
    hw_in.status.operand_range.next = err_q.operand_range;
    hw_in.status.command.next       = err_q.command;
    hw_in.cycles_lo.count.next      = cycles[31:0];
    hw_in.cycles_hi.count.next      = cycles[63:32];

    // Writes to the windows are taken in the cycle of their request; they are never read.
    hw_in.x  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.x.req};
    hw_in.y  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.y.req};
    hw_in.r2 = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.r2.req};
    hw_in.e  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.e.req};
    for (int unsigned i = 0; i < ConstCount; i++) begin
      hw_in.constant[i] = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.constant[i].req};
    end
    hw_in.result = '{rd_ack: hw_out.result.req, rd_data: pulse ? '0 : rd_data, wr_ack: 1'b0};
  end

endmodule
