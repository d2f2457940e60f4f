// SPDX-License-Identifier: Apache-2.0
//
// Where t1 waits: a word for each slot of the loop, written in pass 1, held in pass 2, read and cleared in pass 3.
//
// Ranges    any bits
// Algorithm The slots come by in turn, one a cycle. fill_i and hold_i speak of the slot that comes by in the next
//           cycle: its word becomes term_i, stays, or, with neither, becomes zero. word_o is the word of the slot
//           that comes by, as it was. Every FanOut bits have counters and selects of their own
// Cycles    a slot comes by every Threads cycles; Threads >= 2
//
// Parameters
//   Width, Threads   bits of a word, number of words

module perle_karatsuba_t1_store
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width = 260,
  parameter int unsigned Threads = 22
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             fill_i,
  input  logic             hold_i,
  input  logic [Width-1:0] term_i,
  output logic [Width-1:0] word_o
);

  localparam int unsigned ThreadBits = $clog2(Threads);

  for (genvar i = 0; i < Width; i += FanOut) begin : gen_part
    localparam int unsigned Len = (i + FanOut < Width) ? FanOut : Width - i;
    logic [Len-1:0] t1_mem[Threads];
    logic [ThreadBits-1:0] now_q, next_q;  // the slot that comes by, and the one after it
    logic fill_q, hold_q;

    (* keep *) always_ff @(posedge clk_i) fill_q <= fill_i;
    (* keep *) always_ff @(posedge clk_i) hold_q <= hold_i;

    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        now_q <= '0;
        next_q <= ThreadBits'(1);
      end else begin
        now_q <= next_q;
        next_q <= (next_q == ThreadBits'(Threads - 1)) ? '0 : next_q + ThreadBits'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      if (!hold_q) t1_mem[now_q] <= term_i[i+:Len] & {Len{fill_q}};
      word_o[i+:Len] <= t1_mem[next_q];
    end
  end

endmodule
