// SPDX-License-Identifier: Apache-2.0
//
// Unloader of the tiles: reads z of an idle lane, converts it out of the Montgomery domain and joins it into
// words.
//
// Ranges    one lane at a time; start_i names a lane after its busy_i has risen
// Algorithm lanes are polled in turn, one per cycle. Digits are shifted into words two bits per cycle, which
//           is fast enough
// Cycles    one access of the bus per block, then a number that depends only on N and Words
//
// Parameters
//   Lanes, Blocks     lanes, four per tile; N
//   RadixBits         k, bits of a digit; even
//   Words, WordBits   words of a result; bits of a word
//   WindowBits        bits of a window digit
//   Narrow            as perle_tile_transfer

module perle_tile_unload
  import perle_tile_pkg::*;
#(
  parameter  int unsigned Lanes     = 8,
  parameter  int unsigned Blocks    = 20,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Words     = 17,
  parameter  int unsigned WordBits  = 64,
  parameter  int unsigned WindowBits = 4,
  parameter  bit          Narrow    = 1'b0,
  localparam int unsigned Digits    = 3 * Blocks,
  localparam int unsigned LaneBits  = $clog2(Lanes),
  localparam int unsigned TileBits  = (Lanes > 4) ? LaneBits - CtxBits : 1,
  localparam int unsigned AddrBits  = addr_bits(Blocks, WindowBits, Narrow),
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned BaseBits  = $clog2(Lanes * Digits),
  localparam int unsigned WordAddr  = $clog2(Lanes * lane_words(Words))
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // lanes that start, and whether their result is to be converted out of the Montgomery domain
  input  logic                 start_i,
  input  logic [LaneBits-1:0]  start_lane_i,
  input  logic                 start_reduced_i,
  input  logic [Lanes-1:0]     busy_i,
  // digits of M, and m′ mod 2^k
  input  logic                 m_we_i,
  input  logic [BaseBits-1:0]  m_addr_i,
  input  logic                 mprime_we_i,
  input  logic [LaneBits-1:0]  load_lane_i,
  input  logic [RadixBits-1:0] digit_i,
  // the bus
  output logic                 valid_o,
  output logic [TileBits-1:0]  tile_o,
  output logic [AddrBits-1:0]  addr_o,
  input  logic                 done_i,
  input  logic [BlockBits-1:0] data_i,
  // cycles of a command, its words, its end
  output logic                 cycles_we_o,
  output logic [31:0]          cycles_o,
  output logic                 we_o,
  input  logic                 ready_i,
  output logic [WordAddr-1:0]  waddr_o,
  output logic [WordBits-1:0]  word_o,
  output logic                 end_o,
  output logic [LaneBits-1:0]  lane_o
);

  localparam int unsigned IndexBits = $clog2(Digits + 1);
  localparam int unsigned BlockIdx = $clog2(Blocks + 1);
  localparam int unsigned WordIdx = $clog2(Words + 1);
  localparam int unsigned Pairs = RadixBits / 2;  // of bits, in a digit
  localparam int unsigned PairIdx = $clog2(Pairs + 1);
  localparam int unsigned FillBits = $clog2(WordBits / 2);

  typedef enum logic [3:0] {
    Poll,
    Base,
    Read,
    Split,
    Leave,
    Select,
    Shift,
    Full,
    End
  } state_t;

  state_t state_q;
  logic [Lanes-1:0] wait_q, there_q;
  logic [31:0] now_q, begun_mem[Lanes];
  logic reduced_mem[Lanes];
  logic [RadixBits-1:0] mprime_mem[Lanes];
  logic reduced_q, go, left;
  logic [31:0] begun_q;
  logic [RadixBits-1:0] mprime_q, m, digit, digit_q, shift_q;
  logic [BlockIdx-1:0] block_q;
  logic [1:0] third_q;
  logic [BlockBits-1:0] data_q;
  logic [IndexBits-1:0] index_q, digit_index_q, m_index;
  logic beyond_q;
  logic [PairIdx-1:0] pair_q;
  logic [FillBits-1:0] fill_q;
  logic [WordIdx-1:0] word_q;
  logic [BaseBits-1:0] m_base, m_base_q;
  logic [WordAddr-1:0] word_base;
  logic [AddrBits-1:0] base;

  // ---------------------------------------------------------------- which lane
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      begun_mem[start_lane_i] <= now_q;
      reduced_mem[start_lane_i] <= start_reduced_i;
    end
    if (mprime_we_i) mprime_mem[load_lane_i] <= digit_i;
    begun_q <= begun_mem[lane_o];
    reduced_q <= reduced_mem[lane_o];
    mprime_q <= mprime_mem[lane_o];
    cycles_o <= now_q - begun_q;
    m_base_q <= m_base;
  end

  perle_stream_base_table #(
    .Count (Contexts),
    .Stride(places(WindowBits) * Blocks),
    .Bits  (AddrBits)
  ) u_base (
    .index_i(CtxBits'(lane_o)),
    .base_o (base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(lane_words(Words)),
    .Bits  (WordAddr)
  ) u_word_base (
    .index_i(lane_o),
    .base_o (word_base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Digits),
    .Bits  (BaseBits)
  ) u_m_base (
    .index_i(lane_o),
    .base_o (m_base)
  );
  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * Digits)
  ) u_moduli (
    .clk_i,
    .we_i   (m_we_i),
    .waddr_i(m_addr_i),
    .wdata_i(digit_i),
    .raddr_i(m_base_q + BaseBits'(m_index)),
    .data_o (m)
  );

  perle_tile_leave #(
    .RadixBits(RadixBits),
    .Digits   (Digits)
  ) u_leave (
    .clk_i,
    .rst_ni,
    .we_i     (state_q == Split),
    .waddr_i  (index_q),
    .digit_i  (data_q[RadixBits-1:0]),
    .go_i     (go),
    .done_o   (left),
    .m_index_o(m_index),
    .m_i      (m),
    .mprime_i (mprime_q),
    .reduced_i(reduced_q),
    .raddr_i  (digit_index_q),
    .digit_o  (digit)
  );

  // ---------------------------------------------------------------- one block, one word after the other
  assign valid_o = (state_q == Read);
  assign tile_o = TileBits'(lane_o >> CtxBits);
  assign go = reduced_q && (state_q == Split) && (third_q == 2'd2) && (block_q == BlockIdx'(Blocks));
  assign we_o = (state_q == Full);

  always_ff @(posedge clk_i) begin
    if (state_q == Read) data_q <= data_i;
    else data_q <= data_q >> RadixBits;
    // a digit is valid two cycles after its index
    beyond_q <= (index_q >= IndexBits'(Digits));
    digit_index_q <= (index_q < IndexBits'(Digits)) ? index_q : '0;
    digit_q <= beyond_q ? '0 : digit;
    if (state_q == Select) shift_q <= digit_q;
    else if (state_q == Shift) shift_q <= shift_q >> 2;
    if (state_q == Shift) word_o <= {shift_q[1:0], word_o[WordBits-1:2]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Poll;
      wait_q <= '0;
      there_q <= '0;
      now_q <= '0;
      lane_o <= '0;
      addr_o <= '0;
      waddr_o <= '0;
      block_q <= '0;
      third_q <= '0;
      index_q <= '0;
      pair_q <= '0;
      fill_q <= '0;
      word_q <= '0;
      cycles_we_o <= 1'b0;
      end_o <= 1'b0;
    end else begin
      now_q <= now_q + 32'd1;
      there_q <= wait_q & ~busy_i;
      if (state_q == Base) wait_q[lane_o] <= 1'b0;
      if (start_i) wait_q[start_lane_i] <= 1'b1;
      cycles_we_o <= (state_q == Base);
      end_o <= (state_q == End) && !end_o;
      unique case (state_q)
        Poll: begin
          block_q <= '0;
          index_q <= '0;
          third_q <= '0;
          fill_q <= '0;
          word_q <= '0;
          if (there_q[lane_o]) state_q <= Base;
          else lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
        end
        Base: begin
          addr_o <= base;
          waddr_o <= word_base + WordAddr'(result_word(Words));
          state_q <= Read;
        end
        Read: if (done_i) begin
          addr_o <= addr_o + AddrBits'(1);
          block_q <= block_q + BlockIdx'(1);
          state_q <= Split;
        end
        Split: begin
          index_q <= index_q + IndexBits'(1);
          third_q <= (third_q == 2'd2) ? '0 : third_q + 2'd1;
          if (third_q == 2'd2) state_q <= (block_q == BlockIdx'(Blocks)) ? Leave : Read;
        end
        Leave: begin
          index_q <= reduced_q ? IndexBits'(3) : '0;
          if (third_q != 2'd3) third_q <= third_q + 2'd1;
          if (left || (!reduced_q && third_q == 2'd3)) state_q <= Select;
        end
        Select: begin
          pair_q <= '0;
          state_q <= Shift;
          if (index_q < IndexBits'(Digits)) index_q <= index_q + IndexBits'(1);
        end
        Shift: begin
          pair_q <= pair_q + PairIdx'(1);
          fill_q <= fill_q + FillBits'(1);
          if (fill_q == '1) state_q <= Full;
          else if (pair_q == PairIdx'(Pairs - 1)) state_q <= Select;
        end
        Full: if (ready_i) begin
          waddr_o <= waddr_o + WordAddr'(1);
          word_q <= word_q + WordIdx'(1);
          state_q <= (word_q == WordIdx'(Words - 1)) ? End :
              (pair_q == PairIdx'(Pairs)) ? Select : Shift;
        end
        default: if (end_o) begin  // End
          state_q <= Poll;
          lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
        end
      endcase
    end
  end

endmodule
