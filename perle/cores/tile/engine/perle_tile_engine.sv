// SPDX-License-Identifier: Apache-2.0
//
// Many exponentiations at the same time on many tiles: a lane is a context of a tile.
//
//   z = x^e mod M and the other commands and modes of perle_modexp, on every lane
//
// Ranges    as perle_modexp; each lane has its own M, operands and exponent
// Algorithm commands, words and the loader are those of perle_stream_engine: one lane after the other is
//           read, checked and written to its context over the tiles' bus. A context then computes without
//           further accesses. When it is idle, its result is read, and perle_tile_leave, which all tiles
//           share, converts it out of the Montgomery domain
// Cycles    model.py of the engine gives the throughput. A command or an access takes effect one cycle after
//           it arrives; for a busy lane it has no effect. No time depends on a value
// Zeroizing reset and zeroize_i overwrite the words, blocks and results of a lane with zeros; other lanes
//           continue
// Left out  masked reads of the table of powers: the number of cycles is constant; addresses, power and
//           emission are not
//
// Parameters
//   Width, RadixBits   of the widest modulus; k      Lanes        at least 2; four per tile
//   WordBits           32 or 64                      Powers       4 or 16 of a base, 2^WindowBits
//   Narrow             1: an exponentiation takes the time of its own modulus; 0: that of the widest

module perle_tile_engine
  import perle_pkg::*;
  import perle_modexp_pkg::*;
  import perle_stream_engine_pkg::*;
  import perle_tile_pkg::*;
#(
  parameter  int unsigned Width      = 1024,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Lanes      = 8,
  parameter  int unsigned WordBits   = 64,
  // verilator lint_off UNUSEDPARAM
  parameter  int unsigned Powers     = 16,  // where WindowBits is given
  // verilator lint_on UNUSEDPARAM
  parameter  int unsigned WindowBits = $clog2(Powers),
  parameter  bit          Narrow     = 1'b0,
  localparam int unsigned LaneBits   = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // words of operands and results
  input  logic                        wr_valid_i,
  input  logic    [     LaneBits-1:0] wr_lane_i,
  input  logic    [              3:0] wr_bank_i,
  input  logic    [              8:0] wr_word_i,
  input  logic    [     WordBits-1:0] wr_data_i,
  input  logic                        rd_valid_i,
  input  logic    [     LaneBits-1:0] rd_lane_i,
  input  logic    [              8:0] rd_word_i,
  output logic                        rd_ack_o,
  output logic    [     WordBits-1:0] rd_data_o,
  // commands
  input  logic                        start_i,
  input  logic                        zeroize_i,
  input  logic    [     LaneBits-1:0] cmd_lane_i,
  input  logic    [              1:0] cmd_op_i,
  input  logic    [              1:0] cmd_mode_i,
  input  logic    [             12:0] cmd_elen_i,
  // status of the lanes
  output logic    [        Lanes-1:0] busy_o,
  output logic    [        Lanes-1:0] done_o,
  output err_t    [        Lanes-1:0] err_o,
  output logic    [  Lanes-1:0][31:0] cycles_o
);

  localparam int unsigned Blocks = blocks_for(Width, 3 * RadixBits);
  localparam int unsigned Digits = 3 * Blocks;
  localparam int unsigned Words = (Digits * RadixBits + WordBits - 1) / WordBits;
  localparam int unsigned PosBits = $clog2(Words * WordBits);
  localparam int unsigned BlockBits = 3 * RadixBits;
  localparam int unsigned AddrBits = addr_bits(Blocks, WindowBits, Narrow);
  localparam int unsigned Tiles = (Lanes + Contexts - 1) / Contexts;
  localparam int unsigned TileBits = (Tiles > 1) ? $clog2(Tiles) : 1;
  localparam int unsigned HostBits = $clog2(Lanes * 2 * Digits);
  localparam int unsigned BaseBits = $clog2(Lanes * Digits);
  localparam int unsigned WordAddr = $clog2(Lanes * lane_words(Words));
  localparam int unsigned TurnBits = $clog2(product_turns(Blocks));
  localparam int unsigned SizeBits = index_bits(Blocks);
  localparam int unsigned JobBits = PosBits + (Narrow ? SizeBits + TurnBits : 0);

  // ---------------------------------------------------------------- host signals, one cycle later
  logic wr_q, rd_q;
  logic [Lanes-1:0] start_q, zeroize_q;
  logic [LaneBits-1:0] wr_lane_q, rd_lane_q, cmd_lane_q;
  logic [3:0] wr_bank_q;
  logic [8:0] wr_word_q, rd_word_q;
  logic [WordBits-1:0] wr_data_q;
  logic [1:0] cmd_op_q, cmd_mode_q;
  logic [12:0] cmd_elen_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wr_q, rd_q, start_q, zeroize_q} <= '0;
    end else begin
      {wr_q, rd_q} <= {wr_valid_i, rd_valid_i};
      for (int unsigned i = 0; i < Lanes; i++) begin
        start_q[i] <= start_i && (cmd_lane_i == LaneBits'(i));
        zeroize_q[i] <= zeroize_i && (cmd_lane_i == LaneBits'(i));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    {wr_lane_q, wr_bank_q, wr_word_q} <= {wr_lane_i, wr_bank_i, wr_word_i};
    wr_data_q <= wr_valid_i ? wr_data_i : '0;
    {rd_lane_q, rd_word_q} <= {rd_lane_i, rd_word_i};
    {cmd_lane_q, cmd_op_q, cmd_mode_q, cmd_elen_q} <= {cmd_lane_i, cmd_op_i, cmd_mode_i, cmd_elen_i};
  end

  // ---------------------------------------------------------------- lanes and their words
  logic taken, load_zeroize, fault, job_valid, job_take, unload_end;
  logic load_clear, exponent_clear, stall;
  // verilator lint_off UNUSEDSIGNAL
  logic unused_exponent_clear;  // perle_tile_transfer clears exponents instead
  logic [$clog2(Lanes * Words)-1:0] unused_exponent_addr;
  // verilator lint_on UNUSEDSIGNAL
  logic [Lanes-1:0] want, result_valid;
  logic [LaneBits-1:0] load_lane, unload_lane;
  logic [1:0] load_op, load_mode, job_mode;
  logic [12:0] load_elen;
  err_t fault_err, fault_err_q;
  logic fault_q, unload_end_q;  // a register on the way to all lanes
  state_e job_state;
  logic [JobBits-1:0] job_pos;  // with Narrow, above it N and the last turn of a product
  logic [WordAddr-1:0] load_addr, exponent_addr, unload_addr;
  logic [WordBits-1:0] word, unload_word;
  logic unload_we, unload_ready, cycles_we;
  logic [31:0] cycles;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {fault_q, fault_err_q, unload_end_q} <= '0;
    else {fault_q, fault_err_q, unload_end_q} <= {fault, fault_err, unload_end};
  end

  perle_stream_lanes #(.Lanes(Lanes)) u_lanes (
    .clk_i,
    .rst_ni,
    .start_i       (start_q),
    .zeroize_i     (zeroize_q),
    .cmd_lane_i    (cmd_lane_q),
    .cmd_op_i      (cmd_op_q),
    .cmd_mode_i    (cmd_mode_q),
    .cmd_elen_i    (cmd_elen_q),
    .busy_o,
    .done_o,
    .err_o,
    .cycles_o,
    .result_valid_o(result_valid),
    .want_o        (want),
    .taken_i       (taken),
    .load_lane_i   (load_lane),
    .load_zeroize_o(load_zeroize),
    .load_op_o     (load_op),
    .load_mode_o   (load_mode),
    .load_elen_o   (load_elen),
    .fault_i       (fault_q),
    .fault_err_i   (fault_err_q),
    .cycles_we_i   (cycles_we),
    .cycles_lane_i (unload_lane),
    .cycles_i      (cycles),
    .end_i         (unload_end_q),
    .end_lane_i    (unload_lane)
  );

  perle_tile_words #(.Lanes(Lanes), .Words(Words), .WordBits(WordBits)) u_words (
    .clk_i,
    .rst_ni,
    .wr_valid_i    (wr_q),
    .wr_busy_i     (busy_o[wr_lane_q]),
    .wr_lane_i     (wr_lane_q),
    .wr_bank_i     (wr_bank_q),
    .wr_word_i     (wr_word_q),
    .wr_data_i     (wr_data_q),
    .rd_valid_i    (rd_q),
    .rd_shown_i    (result_valid[rd_lane_q] && !busy_o[rd_lane_q]),
    .rd_lane_i     (rd_lane_q),
    .rd_word_i     (rd_word_q),
    .rd_ack_o,
    .rd_data_o,
    .addr_i        (job_valid ? exponent_addr : load_addr),
    .clear_i       (load_clear || exponent_clear),
    .stall_o       (stall),
    .word_o        (word),
    .result_we_i   (unload_we),
    .result_ready_o(unload_ready),
    .result_addr_i (unload_addr),
    .result_word_i (unload_word)
  );

  // ---------------------------------------------------------------- from words to a job
  logic m_we, x_we, y_we, mhat_we, mprime_we;
  logic [BaseBits-1:0] digit_addr;
  logic [RadixBits-1:0] digit;
  // verilator lint_off UNUSEDSIGNAL
  logic [HostBits-1:0] digit_y_addr;  // used by perle_stream_engine only
  // verilator lint_on UNUSEDSIGNAL

  perle_stream_load #(
    .Width(Width), .RadixBits(RadixBits), .Lanes(Lanes), .Digits(Digits), .Words(Words),
    .WordBits(WordBits), .WindowBits(WindowBits), .PosBits(PosBits), .LaneWords(lane_words(Words))
  ) u_load (
    .clk_i,
    .rst_ni,
    .want_i          (want),
    .taken_o         (taken),
    .lane_o          (load_lane),
    .cmd_zeroize_i   (load_zeroize),
    .cmd_op_i        (load_op),
    .cmd_mode_i      (load_mode),
    .cmd_elen_i      (load_elen),
    .word_addr_o     (load_addr),
    .word_i          (word),
    .stall_i         (stall),
    .clear_o         (load_clear),
    .clear_exponent_o(unused_exponent_clear),
    .exponent_addr_o (unused_exponent_addr),
    .m_we_o          (m_we),
    .x_we_o          (x_we),
    .y_we_o          (y_we),
    .mhat_we_o       (mhat_we),
    .mprime_we_o     (mprime_we),
    .addr_o          (digit_addr),
    .y_addr_o        (digit_y_addr),
    .digit_o         (digit),
    .job_valid_o     (job_valid),
    .job_state_o     (job_state),
    .job_mode_o      (job_mode),
    .job_pos_o       (job_pos[PosBits-1:0]),
    .job_take_i      (job_take),
    .fault_o         (fault),
    .err_o           (fault_err)
  );

  if (Narrow) begin : gen_narrow
    perle_tile_size #(.Blocks(Blocks), .RadixBits(RadixBits), .TurnBits(TurnBits)) u_size (
      .clk_i,
      .rst_ni,
      .m_we_i     (m_we),
      .we_i       (x_we || y_we || mhat_we),
      .digit_i    (digit),
      .job_state_i(job_state),
      .blocks_o   (job_pos[PosBits+:SizeBits]),
      .last_turn_o(job_pos[PosBits+SizeBits+:TurnBits])
    );
  end

  // package constants that this engine does not use
  logic unused;
  assign unused = ^(ExponentCycles + OperandCycles + ConstCount);

  // ---------------------------------------------------------------- to a tile, and back
  logic [1:0] bus_valid, bus_done, bus_write;
  logic [1:0][TileBits-1:0] bus_tile;
  logic [1:0][AddrBits-1:0] bus_addr;
  logic bus_start;
  logic [BlockBits-1:0] bus_in, bus_out;
  // verilator lint_off UNUSEDSIGNAL
  logic [Tiles*Contexts-1:0] tile_busy;  // the last tile may have unused contexts
  // verilator lint_on UNUSEDSIGNAL

  perle_tile_transfer #(
    .Lanes(Lanes), .Blocks(Blocks), .RadixBits(RadixBits), .Words(Words), .WordBits(WordBits),
    .PosBits(PosBits), .WindowBits(WindowBits), .Narrow(Narrow)
  ) u_transfer (
    .clk_i,
    .rst_ni,
    .m_we_i         (m_we),
    .we_i           (x_we || y_we || mhat_we),
    .digit_i        (digit),
    .job_valid_i    (job_valid),
    .job_lane_i     (load_lane),
    .job_state_i    (job_state),
    .job_mode_i     (job_mode),
    .job_pos_i      (job_pos),
    .job_take_o     (job_take),
    .word_addr_o    (exponent_addr),
    .word_i         (word),
    .clear_o        (exponent_clear),
    .stall_i        (stall),
    .valid_o        (bus_valid[0]),
    .start_o        (bus_start),
    .tile_o         (bus_tile[0]),
    .write_o        (bus_write),
    .addr_o         (bus_addr[0]),
    .data_o         (bus_in),
    .done_i         (bus_done[0])
  );

  perle_tile_bus #(
    .Tiles(Tiles), .RadixBits(RadixBits), .Blocks(Blocks), .WindowBits(WindowBits), .PosBits(PosBits),
    .Narrow(Narrow)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .valid_i(bus_valid),
    .tile_i (bus_tile),
    .addr_i (bus_addr),
    .start_i(bus_start),
    .write_i(bus_write),
    .data_i (bus_in),
    .done_o (bus_done),
    .data_o (bus_out),
    .busy_o (tile_busy)
  );

  perle_tile_unload #(
    .Lanes(Lanes), .Blocks(Blocks), .RadixBits(RadixBits), .Words(Words), .WordBits(WordBits),
    .WindowBits(WindowBits), .Narrow(Narrow)
  ) u_unload (
    .clk_i,
    .rst_ni,
    .start_i        (job_take),
    .start_lane_i   (load_lane),
    .start_reduced_i(job_state != StMont && job_mode != ModePaper),
    .busy_i         (tile_busy[Lanes-1:0]),
    .m_we_i         (m_we),
    .m_addr_i       (digit_addr),
    .mprime_we_i    (mprime_we),
    .load_lane_i    (load_lane),
    .digit_i        (digit),
    .valid_o        (bus_valid[1]),
    .tile_o         (bus_tile[1]),
    .addr_o         (bus_addr[1]),
    .done_i         (bus_done[1]),
    .data_i         (bus_out),
    .cycles_we_o    (cycles_we),
    .cycles_o       (cycles),
    .we_o           (unload_we),
    .ready_i        (unload_ready),
    .waddr_o        (unload_addr),
    .word_o         (unload_word),
    .end_o          (unload_end),
    .lane_o         (unload_lane)
  );

endmodule
