// SPDX-License-Identifier: Apache-2.0
//
// Unloader: joins the digits of a lane's last product, V or, if V >= M after OpReduce, V − M, into words.
//
// Ranges    k <= WordBits; one lane at a time
// Algorithm lanes are polled in turn, one per cycle. Each digit is shifted into position in one cycle, and
//           joined to the current word in the next; zeros follow the last digit until the last word of the
//           slot is full
// Cycles    UNLOAD_CYCLES (model.py) + digits from the cycle in which the lane is polled to done_o
//
// Parameters
//   Lanes, Digits, RadixBits   lanes, N, k
//   Words, WordBits            of a slot

module perle_stream_unload
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Lanes     = 14,
  parameter  int unsigned Digits    = 58,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Words     = 17,
  parameter  int unsigned WordBits  = 64,
  localparam int unsigned LaneBits  = $clog2(Lanes),
  localparam int unsigned BaseBits  = $clog2(Lanes * Digits),
  localparam int unsigned WordAddr  = $clog2(Lanes * Words)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // the digits of a last product, and that they are complete
  input  logic                   we_i,
  input  logic [   BaseBits-1:0] addr_i,
  input  logic [2*RadixBits-1:0] digits_i,
  input  logic                   done_i,
  input  logic [   LaneBits-1:0] lane_i,
  input  logic                   ge_i,
  // the words of its result
  output logic                   we_o,
  output logic [   WordAddr-1:0] addr_o,
  output logic [   WordBits-1:0] word_o,
  output logic                   done_o,  // after the last one
  output logic [   LaneBits-1:0] lane_o
);

  localparam int unsigned AllDigits = line_digits(Words, WordBits, RadixBits);
  localparam int unsigned CountBits = $clog2(AllDigits + 1);
  localparam int unsigned BufferBits = WordBits + RadixBits;
  localparam int unsigned FillBits = $clog2(BufferBits + 1);

  typedef enum logic [1:0] {
    UlIdle,
    UlBase,
    UlDigits,
    UlEnd
  } unload_e;

  unload_e state_q;
  logic [Lanes-1:0] wait_q, ge_q;
  logic diff_q, full_q;
  logic [CountBits-1:0] left_q;
  logic [4:0] on_q;  // stages of a digit: out of the memory 1, selected 2, shifted 3, joined 4
  logic [1:0] inside_q;
  logic [BaseBits-1:0] base, addr_q;
  logic [WordAddr-1:0] base_word;
  logic [2*RadixBits-1:0] pair;
  logic [RadixBits-1:0] digit_q;
  logic [BufferBits-1:0] buffer_q, shifted_q, joined;
  logic [FillBits-1:0] fill_q, fill_next;
  logic [2:0] fine_q;

  // ---------------------------------------------------------------- which lane
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= '0;
      ge_q <= '0;
      state_q <= UlIdle;
      lane_o <= '0;
      left_q <= '0;
      on_q <= '0;
      inside_q <= '0;
      done_o <= 1'b0;
    end else begin
      if (state_q == UlBase) wait_q[lane_o] <= 1'b0;
      if (done_i) begin
        wait_q[lane_i] <= 1'b1;
        ge_q[lane_i] <= ge_i;
      end
      done_o <= 1'b0;
      on_q <= {on_q[3:0], state_q == UlDigits};
      inside_q <= {inside_q[0], left_q > CountBits'(AllDigits - Digits)};
      unique case (state_q)
        UlIdle: begin
          if (wait_q[lane_o]) state_q <= UlBase;
          else lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
        end
        UlBase: begin
          state_q <= UlDigits;
          left_q <= CountBits'(AllDigits);
        end
        UlDigits: begin
          left_q <= left_q - CountBits'(1);
          if (left_q == CountBits'(1)) state_q <= UlEnd;
        end
        default: begin
          if (on_q == '0) begin
            done_o <= !done_o;
            if (done_o) begin
              state_q <= UlIdle;
              ge_q[lane_o] <= 1'b0;
              lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
            end
          end
        end
      endcase
    end
  end

  // ---------------------------------------------------------------- its digits
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Digits),
    .Bits  (BaseBits)
  ) u_base (
    .index_i(lane_o),
    .base_o (base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Words),
    .Bits  (WordAddr)
  ) u_base_word (
    .index_i(lane_o),
    .base_o (base_word)
  );
  perle_ram #(
    .Bits (2 * RadixBits),
    .Depth(Lanes * Digits)
  ) u_digits (
    .clk_i,
    .we_i,
    .waddr_i(addr_i),
    .wdata_i(digits_i),
    .raddr_i(addr_q),
    .data_o (pair)
  );

  // ---------------------------------------------------------------- into words
  assign fill_next = fill_q + FillBits'(RadixBits);
  assign joined = buffer_q | (shifted_q << fine_q);

  always_ff @(posedge clk_i) begin
    if (state_q == UlBase) begin
      addr_q <= base;
      diff_q <= ge_q[lane_o];
    end else if (left_q > CountBits'(AllDigits - Digits + 1)) begin
      addr_q <= addr_q + BaseBits'(1);
    end
    digit_q <= '0;
    if (inside_q[1] && on_q[1]) digit_q <= diff_q ? pair[RadixBits+:RadixBits] : pair[RadixBits-1:0];
    // the shift is split for timing: first by a multiple of eight
    shifted_q <= BufferBits'(digit_q) << {fill_q[FillBits-1:3], 3'd0};
    fine_q <= fill_q[2:0];
    buffer_q <= !on_q[3] ? '0 : full_q ? joined >> WordBits : joined;
    word_o <= on_q[3] ? joined[WordBits-1:0] : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= '0;
      full_q <= 1'b0;
      we_o <= 1'b0;
      addr_o <= '0;
    end else begin
      if (on_q[2]) begin
        full_q <= (fill_next >= FillBits'(WordBits));
        fill_q <= (fill_next >= FillBits'(WordBits)) ? fill_next - FillBits'(WordBits) : fill_next;
      end else begin
        full_q <= 1'b0;
        fill_q <= '0;
      end
      we_o <= on_q[3] && full_q;
      if (state_q == UlBase) addr_o <= base_word;
      else if (we_o) addr_o <= addr_o + WordAddr'(1);
    end
  end

endmodule
