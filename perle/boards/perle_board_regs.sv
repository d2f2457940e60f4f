// SPDX-License-Identifier: Apache-2.0
//
// The registers of a board (generated from board.rdl), and the flags that stay: a bus on one side, on the other the
// word port and the commands of an exponentiator, whichever it is.
//
// Times   one access a cycle at best; a register access answers two cycles after its request was accepted, a read
//         of the result when the exponentiator has answered it
// Errors  an address with no register, a write to a read-only one and a read of a write-only one: SLVERR
//         everything else that a host can do wrong: a sticky flag of STATUS, and no effect
//
// Parameters
//   Width        bits of the widest modulus
//   OperandBits  bits of an operand line
//   WordBits     bits of the data bus: 32 or 64; has to be what the registers were generated for
//   ConstCount   constants of a modulus, M included
//   WindowBits   exponent bits taken at a time by the fixed-window mode
//   FamilyId     number of the family
//   ConfigHash   first 32 bits of the configuration hash
//   Lanes, Lane  boards that share the multiplier (perle_board_lanes), and which of them this is

module perle_board_regs
  import perle_pkg::*;
#(
  parameter int unsigned Width       = 1024,
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned WordBits    = 64,
  parameter int unsigned ConstCount  = 3,
  parameter int unsigned WindowBits  = 4,
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

  // Exponentiator
  output logic                                    wr_valid_o,
  output logic [3:0]                              wr_bank_o,
  output logic [8:0]                              wr_word_o,
  output logic [WordBits-1:0]                     wr_data_o,
  output logic                                    rd_valid_o,
  output logic [8:0]                              rd_word_o,
  input  logic                                    rd_ack_i,
  input  logic [WordBits-1:0]                     rd_data_i,
  output logic                                    start_o,
  output logic [1:0]                              cmd_op_o,
  output logic [1:0]                              cmd_mode_o,
  output logic [12:0]                             cmd_elen_o,
  output logic                                    zeroize_o,
  input  logic                                    busy_i,
  input  logic                                    done_i,
  input  err_t                                    err_i,
  input  logic [63:0]                             cycles_i
);

  localparam int unsigned OperandBanks = int'(BankConst);
  localparam int unsigned Banks     = OperandBanks + ConstCount;
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
  // Operand banks    //
  ////////////////////////

  logic [Banks-1:0]  bank_req;
  logic [3:0]          wr_bank;
  logic                wr_full;

  always_comb begin
    bank_req            = '0;
    bank_req[int'(BankX)]  = hw_out.x.req;
    bank_req[int'(BankY)]  = hw_out.y.req;
    bank_req[int'(BankR2)] = hw_out.r2.req;
    bank_req[int'(BankE)]  = hw_out.e.req;
    for (int unsigned i = 0; i < ConstCount; i++) bank_req[OperandBanks+i] = hw_out.constant[i].req;
  end

  // The register block decodes exactly one window at a time.
  always_comb begin
    wr_bank = '0;
    for (int unsigned i = 0; i < Banks; i++) if (bank_req[i]) wr_bank |= 4'(i);
  end

  // Address, data and strobes are the same wires in every window: those of X stand for all.
  assign wr_full = &hw_out.x.wr_biten;

  ////////////////////////
  // Exponentiator      //
  ////////////////////////

  logic        start;
  logic        pulse;
  logic        access;

  // From the cycle of its pulse on a start or a zeroization counts as busy: what a pipelining host sends after it
  // comes after it.
  assign start  = hw_out.control.start.value;
  assign pulse  = start | hw_out.control.zeroize.value;
  assign access = (|bank_req) | hw_out.result.req;

  assign wr_valid_o  = (|bank_req) & wr_full & ~pulse;
  assign wr_bank_o = wr_bank;
  assign wr_word_o   = 9'(hw_out.x.addr >> ByteAddrLsb);
  assign wr_data_o   = hw_out.x.wr_data;
  assign rd_valid_o  = hw_out.result.req & ~pulse;
  assign rd_word_o   = 9'(hw_out.result.addr >> ByteAddrLsb);
  assign start_o     = start;
  assign cmd_op_o    = hw_out.command.op.value;
  assign cmd_mode_o  = hw_out.command.mode.value;
  assign cmd_elen_o  = hw_out.command.elen.value;
  assign zeroize_o      = hw_out.control.zeroize.value;

  ////////////////////////
  // Status             //
  ////////////////////////

  logic done_d, done_q, done_shown;
  err_t err_d, err_q;

  assign done_shown = done_q & ~(start & ~busy_i);

  always_comb begin
    done_d = done_shown | done_i;

    err_d = (hw_out.control.clear_errors.value ? '0 : err_q) | err_i;
    if (access && pulse) err_d.access_busy = 1'b1;
    if ((|bank_req) && !wr_full) err_d.command = 1'b1;
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
    hw_in.status.busy.next          = busy_i | pulse;
    hw_in.status.done.next          = done_shown;
    hw_in.status.start_busy.next    = err_q.start_busy;
    hw_in.status.access_busy.next   = err_q.access_busy;
    hw_in.status.modulus_even.next  = err_q.modulus_even;
    hw_in.status.modulus_small.next = err_q.modulus_small;
    hw_in.status.modulus_wide.next  = err_q.modulus_wide;
    hw_in.status.operand_range.next = err_q.operand_range;
    hw_in.status.command.next       = err_q.command;
    hw_in.cycles_lo.count.next      = cycles_i[31:0];
    hw_in.cycles_hi.count.next      = cycles_i[63:32];

    // Writes to the banks are taken in the cycle of their request; they are never read.
    hw_in.x  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.x.req};
    hw_in.y  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.y.req};
    hw_in.r2 = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.r2.req};
    hw_in.e  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.e.req};
    for (int unsigned i = 0; i < ConstCount; i++) begin
      hw_in.constant[i] = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.constant[i].req};
    end
    // a read in the cycle of a start has its answer at once: nothing
    hw_in.result = '{
        rd_ack: (hw_out.result.req & pulse) | rd_ack_i,
        rd_data: rd_ack_i ? rd_data_i : '0,
        wr_ack: 1'b0
    };
  end

endmodule
