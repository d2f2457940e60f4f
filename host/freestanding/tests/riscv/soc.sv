// SPDX-License-Identifier: Apache-2.0
//
// Testbench: a RISC-V CPU (VexRiscv, of pythondata-cpu-vexriscv) with memory, console and a Perle board behind
// Wishbone. Its program is +firmware=FILE, hexadecimal words; it ends with a write to EXIT.
//
//   0x0000_0000  memory, 512 KiB          0xF000_0000  console: a character a write
//   0x3000_0000  the board's registers    0xF000_0004  EXIT     0xF000_0008  clock cycles, read only
// A read or write of the board takes as long as its bridge; everything else answers in the same cycle.

module soc;

  localparam int unsigned MemoryWords = 131072;
  localparam longint unsigned MostCycles = 64'd2_000_000_000;

  logic clk, rst_n;
  longint unsigned cycles;
  logic [31:0] memory [MemoryWords];

  // Wishbone of instructions and of data: addresses are of words
  logic i_cyc, i_stb, i_we, d_cyc, d_stb, d_we, d_ack, d_err;
  logic [29:0] i_adr, d_adr;
  logic [31:0] i_miso, i_mosi, d_miso, d_mosi;
  logic [3:0] i_sel, d_sel;
  logic [2:0] i_cti, d_cti;
  logic [1:0] i_bte, d_bte;
  logic at_board, at_console, board_ack, board_err, irq;
  logic [31:0] board_data;

  VexRiscv cpu (
    .externalResetVector(32'd0), .timerInterrupt(1'b0), .softwareInterrupt(1'b0),
    .externalInterruptArray({31'd0, irq}),
    .iBusWishbone_CYC(i_cyc), .iBusWishbone_STB(i_stb), .iBusWishbone_ACK(i_cyc && i_stb),
    .iBusWishbone_WE(i_we), .iBusWishbone_ADR(i_adr), .iBusWishbone_DAT_MISO(i_miso),
    .iBusWishbone_DAT_MOSI(i_mosi), .iBusWishbone_SEL(i_sel), .iBusWishbone_ERR(1'b0),
    .iBusWishbone_CTI(i_cti), .iBusWishbone_BTE(i_bte),
    .dBusWishbone_CYC(d_cyc), .dBusWishbone_STB(d_stb), .dBusWishbone_ACK(d_ack),
    .dBusWishbone_WE(d_we), .dBusWishbone_ADR(d_adr), .dBusWishbone_DAT_MISO(d_miso),
    .dBusWishbone_DAT_MOSI(d_mosi), .dBusWishbone_SEL(d_sel), .dBusWishbone_ERR(d_err),
    .dBusWishbone_CTI(d_cti), .dBusWishbone_BTE(d_bte),
    .clk(clk), .reset(!rst_n)
  );

  `PERLE_TOP board (
    .clk_i(clk), .rst_ni(rst_n),
    .wb_cyc_i(d_cyc && at_board), .wb_stb_i(d_stb && at_board), .wb_we_i(d_we),
    .wb_adr_i({d_adr[11:0], 2'b00}), .wb_dat_i(d_mosi), .wb_sel_i(d_sel),
    .wb_ack_o(board_ack), .wb_err_o(board_err), .wb_dat_o(board_data), .irq_o(irq)
  );

  assign at_board = d_adr[29:26] == 4'h3;
  assign at_console = d_adr[29:26] == 4'hF;
  assign i_miso = memory[i_adr[16:0]];
  assign d_ack = at_board ? board_ack : d_cyc && d_stb;
  assign d_err = at_board && board_err;
  assign d_miso = at_board ? board_data : at_console ? cycles[31:0] : memory[d_adr[16:0]];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles <= 0;
    end else begin
      cycles <= cycles + 1;
      if (cycles > MostCycles) $fatal(1, "the program does not end");
      if (d_err) $fatal(1, "the board refused an access to 0x%0x", {d_adr, 2'b00});
      if (d_cyc && d_stb && d_we && at_console) begin
        if (d_adr[1:0] == 2'd0) $write("%c", d_mosi[7:0]);
        if (d_adr[1:0] == 2'd1) $finish;
      end
      if (d_cyc && d_stb && d_we && !at_board && !at_console)
        for (int unsigned i = 0; i < 4; i++)
          if (d_sel[i]) memory[d_adr[16:0]][8*i +: 8] <= d_mosi[8*i +: 8];
    end
  end

  initial begin
    string firmware;
    if ($value$plusargs("firmware=%s", firmware) == 0) $fatal(1, "+firmware=FILE is wanted");
    $readmemh(firmware, memory);
    clk = 1'b0;
    rst_n = 1'b0;
    repeat (20) #5 clk = !clk;
    rst_n = 1'b1;
    forever #5 clk = !clk;
  end

endmodule
