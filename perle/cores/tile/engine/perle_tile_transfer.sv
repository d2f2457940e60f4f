// SPDX-License-Identifier: Apache-2.0
//
// Writes a job of the loader to its context of a tile: operands, exponent, start.
//
// Ranges    digits of M, then of X, Y, R² and M̂ in this order; then job_valid_i until job_take_o
// Algorithm three digits are joined to a block; the blocks of a lane are kept here until the loader has
//           checked them. The exponent is split from its words into blocks of 32 bits. The first job of a
//           tile after a reset, the zeroization of its context 0, also writes the constants that all contexts
//           share: 1 and β. Contexts of a tile start a quarter of a product apart, timed by a free-running
//           counter, as they would have to wait for memory ports if they wrote results at the same time
// Cycles    one access of the bus per block, then up to the cycles of a product until the start. Nothing
//           depends on a value
//
// Parameters
//   Lanes, Blocks         lanes, four per tile; N
//   RadixBits             k, bits of a digit
//   Words, WordBits       words of an exponent; bits of a word
//   PosBits               bits of a position in an exponent
//   WindowBits            bits of a window digit
//   Narrow                1: each job has its own N

module perle_tile_transfer
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned Lanes     = 8,
  parameter  int unsigned Blocks    = 20,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Words     = 17,
  parameter  int unsigned WordBits  = 64,
  parameter  int unsigned PosBits   = 11,
  parameter  int unsigned WindowBits = 4,
  parameter  bit          Narrow    = 1'b0,
  localparam int unsigned LaneBits  = $clog2(Lanes),
  localparam int unsigned TileBits  = (Lanes > 4) ? LaneBits - CtxBits : 1,
  localparam int unsigned AddrBits  = addr_bits(Blocks, WindowBits, Narrow),
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned WordAddr  = $clog2(Lanes * lane_words(Words)),
  localparam int unsigned TurnBits  = $clog2(product_turns(Blocks)),
  localparam int unsigned SizeBits  = Narrow ? index_bits(Blocks) : 0,
  localparam int unsigned JobBits   = PosBits + (Narrow ? SizeBits + TurnBits : 0)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // digits, and a job
  input  logic                 m_we_i,
  input  logic                 we_i,
  input  logic [RadixBits-1:0] digit_i,
  input  logic                 job_valid_i,
  input  logic [LaneBits-1:0]  job_lane_i,
  input  state_e               job_state_i,
  input  logic [1:0]           job_mode_i,
  input  logic [JobBits-1:0]   job_pos_i,  // with Narrow, above it N and the last turn of a product
  output logic                 job_take_o,
  // words of exponents, at most four cycles after their address; a zeroization clears them unless stall_i
  output logic [WordAddr-1:0]  word_addr_o,
  input  logic [WordBits-1:0]  word_i,
  output logic                 clear_o,
  input  logic                 stall_i,
  // the bus
  output logic                 valid_o,
  output logic                 start_o,
  output logic [TileBits-1:0]  tile_o,
  output logic [1:0]           write_o,
  output logic [AddrBits-1:0]  addr_o,
  output logic [BlockBits-1:0] data_o,
  input  logic                 done_i
);

  localparam int unsigned Slots = 4;
  localparam int unsigned Kept = Slots * Blocks;
  localparam int unsigned KeptBits = $clog2(Kept);
  // accesses for numbers that contexts share; the one that writes the 1
  localparam int unsigned Shares = (Narrow ? 4 : 2) * Blocks;
  localparam int unsigned One = Narrow ? 2 * Blocks : 0;
  localparam int unsigned CountBits = $clog2(Shares + 1);
  localparam int unsigned WordIdx = $clog2(Words + 1);
  localparam logic [3:0] Settled = 4'd15;
  localparam logic [TurnBits-1:0] LastTurn = TurnBits'(product_turns(Blocks) - 1);

  typedef enum logic [3:0] {
    Idle,
    Base,
    Copy,
    Find,   // a word of the exponent
    Low,
    High,
    Share,
    Phase,
    Start,
    Settle,
    Take
  } state_t;

  state_t state_q;
  logic [KeptBits-1:0] in_q, out_q;
  logic [1:0] third_q, slot_q;
  logic [BlockBits-1:0] block, kept;
  logic [2*RadixBits-1:0] block_q;  // the last two digits
  logic [CountBits-1:0] count_q;
  logic [WordIdx-1:0] word_q;
  logic [3:0] wait_q;
  logic fresh_q;  // the zeroization of all lanes after a reset is not finished
  logic [AddrBits-1:0] base, base_q, offset, addr_q, next_q;
  logic [WordAddr-1:0] lane_base;
  logic zeroizes, found_q, first_turn_q;
  logic [TurnBits-1:0] turn_q;
  logic [CtxBits-1:0] quarter_q;
  logic [1:0] read_q;  // cycles since the address of a block
  logic [31:0] half;
  logic [CtxBits-1:0] ctx;

  // ---------------------------------------------------------------- digits to blocks
  assign block = {digit_i, block_q};

  always_ff @(posedge clk_i) begin
    base_q <= base;
    next_q <= addr_q + AddrBits'(1);
    if (we_i) block_q <= block[BlockBits-1:RadixBits];
  end

  perle_block_ram #(
    .Bits (BlockBits),
    .Depth(Kept)
  ) u_kept (
    .clk_i,
    .we_i   (we_i && third_q == 2'd2),
    .waddr_i(in_q),
    .wdata_i(block),
    .raddr_i(out_q),
    .data_o (kept)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
      third_q <= '0;
    end else if (m_we_i) begin
      in_q <= '0;
      third_q <= '0;
    end else if (we_i) begin
      third_q <= (third_q == 2'd2) ? '0 : third_q + 2'd1;
      if (third_q == 2'd2) in_q <= in_q + KeptBits'(1);
    end
  end

  // ---------------------------------------------------------------- destination of the blocks
  assign ctx = CtxBits'(job_lane_i);
  assign tile_o = TileBits'(job_lane_i >> CtxBits);
  always_comb begin
    unique case (slot_q)
      2'd0: offset = '0;                         // X
      2'd1: offset = AddrBits'(2 * Blocks);      // Y
      2'd2: offset = AddrBits'(3 * Blocks);      // R²
      default: offset = AddrBits'(Blocks);       // M̂
    endcase
  end
  perle_stream_base_table #(
    .Count (Contexts),
    .Stride(places(WindowBits) * Blocks),
    .Bits  (AddrBits)
  ) u_base (
    .index_i(ctx),
    .base_o (base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(lane_words(Words)),
    .Bits  (WordAddr)
  ) u_lane (
    .index_i(job_lane_i),
    .base_o (lane_base)
  );

  function automatic logic [TurnBits-1:0] last_turn();
    return Narrow ? TurnBits'(job_pos_i >> (PosBits + SizeBits)) : LastTurn;
  endfunction

  assign zeroizes = (job_state_i == StZeroize);
  // with stall_i 1 the same word is cleared again
  assign clear_o = zeroizes && (state_q == Find) && (wait_q == 4'd3);
  assign half = zeroizes ? '0 : (state_q == High) ? 32'(word_i >> (WordBits - 32)) : word_i[31:0];
  assign addr_o = addr_q;
  assign valid_o = (state_q == Copy && read_q[1]) || (state_q == Low) || (state_q == High) ||
      (state_q == Share) || (state_q == Start);
  assign start_o = (state_q == Start);
  always_comb begin
    write_o = 2'b01;
    data_o = BlockBits'(half);
    unique case (state_q)
      Copy: begin
        data_o = kept;
        // M̂ also goes to X: quotients overwrite it there, but until then X needs a known value
        if (slot_q != '0) write_o = (slot_q == 2'd3) ? 2'b11 : 2'b10;
      end
      Share: begin
        data_o = BlockBits'(count_q == CountBits'(One) || count_q == CountBits'(One + 3));
        if (count_q[0]) write_o = 2'b10;
      end
      Start: data_o = BlockBits'({job_pos_i[PosBits+SizeBits-1:0], job_mode_i, job_state_i, ctx});
      default: ;
    endcase
  end

  assign job_take_o = (state_q == Take);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      fresh_q <= 1'b1;
      slot_q <= '0;
      out_q <= '0;
      count_q <= '0;
      word_q <= '0;
      wait_q <= '0;
      found_q <= 1'b0;
      first_turn_q <= 1'b0;
      turn_q <= '0;
      quarter_q <= '0;
      read_q <= '0;
      addr_q <= '0;
      word_addr_o <= '0;
    end else begin
      turn_q <= (turn_q == last_turn()) ? '0 : turn_q + TurnBits'(1);
      first_turn_q <= (turn_q == last_turn());
      if (first_turn_q) quarter_q <= quarter_q + CtxBits'(1);
      wait_q <= '0;
      if (state_q == Settle || (state_q == Find && wait_q != 4'd3)) wait_q <= wait_q + 4'd1;
      else if (state_q == Find && !found_q) wait_q <= wait_q;
      found_q <= (state_q == Find) && (wait_q == 4'd3) && !stall_i;
      read_q <= (state_q == Copy && !done_i) ? {read_q[0], 1'b1} : '0;
      unique case (state_q)
        Idle: begin
          slot_q <= '0;
          out_q <= '0;
          count_q <= '0;
          word_q <= '0;
          word_addr_o <= lane_base + WordAddr'(exponent_word(Words));
          if (job_valid_i) state_q <= Base;
        end
        Base: begin
          addr_q <= base_q + offset;
          state_q <= Copy;
        end
        Copy: if (done_i) begin
          addr_q <= next_q;
          out_q <= out_q + KeptBits'(1);
          count_q <= count_q + CountBits'(1);
          if (count_q == CountBits'(Blocks - 1)) begin
            count_q <= '0;
            slot_q <= slot_q + 2'd1;
            state_q <= Base;
            if (slot_q == 2'd3) begin
              addr_q <= base_q + AddrBits'(2 * Blocks);
              state_q <= Find;
            end
          end
        end
        Find: if (found_q) begin
          word_q <= word_q + WordIdx'(1);
          state_q <= Low;
        end
        Low, High: if (done_i) begin
          addr_q <= next_q;
          if (state_q == Low && WordBits == 64) begin
            state_q <= High;
          end else begin
            word_addr_o <= word_addr_o + WordAddr'(1);
            state_q <= (word_q != WordIdx'(Words)) ? Find : (fresh_q && ctx == '0) ? Share : Phase;
            if (word_q == WordIdx'(Words)) addr_q <= AddrBits'(Contexts * places(WindowBits) * Blocks);
          end
        end
        Share: if (done_i) begin
          count_q <= count_q + CountBits'(1);
          if (count_q[0]) addr_q <= next_q;
          if (count_q == CountBits'(Shares - 1)) state_q <= Phase;
        end
        Phase: if (zeroizes || (first_turn_q && quarter_q == ctx)) state_q <= Start;
        Start: if (done_i) state_q <= Settle;
        Settle: if (wait_q == Settled) state_q <= Take;
        default: begin
          if (job_lane_i == LaneBits'(Lanes - 1)) fresh_q <= 1'b0;
          state_q <= Idle;
        end
      endcase
    end
  end

endmodule
