// SPDX-License-Identifier: Apache-2.0
//
// The registers of a board (generated from board.rdl) and the sticky flags, between AXI4-Lite and the word
// port and commands of any exponentiator or engine.
//
// Ranges    words of operands are written with all strobes set, else a flag is set; values are not checked
// Cycles    at most one access per cycle; a register access is answered two cycles after its request was
//           accepted, a read of the result after the exponentiator has answered it
// Errors    an address with no register, a write to a read-only one and a read of a write-only one: SLVERR
//           any other mistake of the host: a sticky flag in STATUS, and no effect
//
// Parameters
//   Width        bits of the widest modulus
//   OperandBits  bits of an operand
//   ConstCount   constants of a modulus, M included
//   WindowBits   exponent bits taken at a time by the fixed-window mode
//   FamilyId     number of the family
//   ConfigHash   first 32 bits of the configuration hash
//   Lanes, Lane  boards that share the multiplier (perle_board_lanes), and which of them this is

module perle_board_regs
  import perle_pkg::*;
  import perle_bus_pkg::*;
#(
  parameter int unsigned Width       = 1024,
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned ConstCount  = 3,
  parameter int unsigned WindowBits  = 4,
  parameter logic [31:0] FamilyId    = 32'd1,
  parameter logic [31:0] ConfigHash  = 32'd0,
  parameter int unsigned Lanes       = 1,
  parameter int unsigned Lane        = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // AXI4-Lite
  input  axil_req_t             axil_i,
  output axil_rsp_t             axil_o,
  output logic                  irq_o,

  // Exponentiator
  output host_req_t             host_o,
  input  logic                  rd_ack_i,
  input  logic [WordBits-1:0]   rd_data_i,
  input  logic                  busy_i,
  input  logic                  done_i,
  input  err_t                  err_i,
  input  logic [63:0]           cycles_i
);

  localparam int unsigned OperandBanks = int'(BankConst);
  localparam int unsigned Banks = OperandBanks + ConstCount;
  localparam int unsigned ByteAddrLsb = $clog2(WordBits / 8);

  perle_regs_pkg::perle_regs__in_t  hw_in;
  perle_regs_pkg::perle_regs__out_t hw_out;

  perle_regs u_regs (
    .clk            (clk_i),
    .arst_n         (rst_ni),
    .s_axil_awready (axil_o.awready),
    .s_axil_awvalid (axil_i.awvalid),
    .s_axil_awaddr  (axil_i.awaddr),
    .s_axil_awprot  (axil_i.awprot),
    .s_axil_wready  (axil_o.wready),
    .s_axil_wvalid  (axil_i.wvalid),
    .s_axil_wdata   (axil_i.wdata),
    .s_axil_wstrb   (axil_i.wstrb),
    .s_axil_bready  (axil_i.bready),
    .s_axil_bvalid  (axil_o.bvalid),
    .s_axil_bresp   (axil_o.bresp),
    .s_axil_arready (axil_o.arready),
    .s_axil_arvalid (axil_i.arvalid),
    .s_axil_araddr  (axil_i.araddr),
    .s_axil_arprot  (axil_i.arprot),
    .s_axil_rready  (axil_i.rready),
    .s_axil_rvalid  (axil_o.rvalid),
    .s_axil_rdata   (axil_o.rdata),
    .s_axil_rresp   (axil_o.rresp),
    .hwif_in        (hw_in),
    .hwif_out       (hw_out)
  );

  ///////////////////
  // Operand banks //
  ///////////////////

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

  // The register block selects at most one operand bank at a time.
  always_comb begin
    wr_bank = '0;
    for (int unsigned i = 0; i < Banks; i++) if (bank_req[i]) wr_bank |= 4'(i);
  end

  // Address, data and strobes are the same signals for all operand banks; those of X are used.
  assign wr_full = &hw_out.x.wr_biten;

  ////////////////////////
  // Exponentiator      //
  ////////////////////////

  logic        start;
  logic        zeroize;
  logic        clear_errors;
  logic        pulse;
  logic        access;
  logic        both;  // start and zeroize in the same write: the start is refused
  logic        control_strobe_q;

  // A bit of CONTROL stays 1 if the next cycle writes CONTROL without that byte's strobe, which is not a
  // command.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) control_strobe_q <= 1'b0;
    else control_strobe_q <= hw_out.x.wr_biten[0];
  end

  // A start or zeroization counts as busy from the cycle of its pulse on, so that an access that a pipelining
  // host sends right after it is handled as later than it.
  assign zeroize      = hw_out.control.zeroize.value & control_strobe_q;
  assign start        = hw_out.control.start.value & control_strobe_q & ~zeroize;
  assign both         = hw_out.control.start.value & zeroize;
  assign clear_errors = hw_out.control.clear_errors.value & control_strobe_q;
  assign pulse        = start | zeroize;
  assign access       = (|bank_req) | hw_out.result.req;

  assign host_o.wr_valid = (|bank_req) & wr_full & ~pulse;
  assign host_o.wr_bank  = wr_bank;
  assign host_o.wr_word  = 9'(hw_out.x.addr >> ByteAddrLsb);
  assign host_o.wr_data  = hw_out.x.wr_data;
  assign host_o.rd_valid = hw_out.result.req & ~pulse;
  assign host_o.rd_word  = 9'(hw_out.result.addr >> ByteAddrLsb);
  assign host_o.start    = start;
  assign host_o.cmd_op   = hw_out.command.op.value;
  assign host_o.cmd_mode = hw_out.command.mode.value;
  assign host_o.cmd_elen = hw_out.command.elen.value;
  assign host_o.zeroize  = zeroize;

  ////////////////////////
  // Status             //
  ////////////////////////

  logic done_d, done_q, done_shown;
  err_t err_d, err_q;

  assign done_shown = done_q & ~(start & ~busy_i);

  always_comb begin
    done_d = done_shown | done_i;

    err_d = (clear_errors ? '0 : err_q) | err_i;
    if (access && pulse) err_d.access_busy = 1'b1;
    if (both) err_d.start_busy = 1'b1;
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

    // Writes to the operand banks are accepted in the cycle of their request; the banks cannot be read.
    hw_in.x  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.x.req};
    hw_in.y  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.y.req};
    hw_in.r2 = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.r2.req};
    hw_in.e  = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.e.req};
    for (int unsigned i = 0; i < ConstCount; i++) begin
      hw_in.constant[i] = '{rd_ack: 1'b0, rd_data: '0, wr_ack: hw_out.constant[i].req};
    end
    // a read in the cycle of a start or zeroization is answered at once, with zero
    hw_in.result = '{
        rd_ack: (hw_out.result.req & pulse) | rd_ack_i,
        rd_data: rd_ack_i ? rd_data_i : '0,
        wr_ack: 1'b0
    };
  end

endmodule
