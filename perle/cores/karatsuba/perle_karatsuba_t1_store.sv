// SPDX-License-Identifier: Apache-2.0
//
// Memory of t1: one word per pipeline slot of the loop, written in pass 1, held in pass 2, read and cleared
// in pass 3.
//
// Ranges    any bits
// Algorithm the slots pass in turn, one per cycle. fill_i and hold_i refer to the slot of the next cycle: its
//           word is loaded with term_i, held, or (with neither) cleared. word_o is the word of the current
//           slot before that. Each group of FanOut bits has its own counters and enables
// Cycles    a slot passes every Words cycles; Words >= 2
//
// Parameters
//   Width, Words   bits of a word, number of words

module perle_karatsuba_t1_store
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width = 260,
  parameter int unsigned Words = 22
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             fill_i,
  input  logic             hold_i,
  input  logic [Width-1:0] term_i,
  output logic [Width-1:0] word_o
);

  localparam int unsigned WordBits = $clog2(Words);

  for (genvar i = 0; i < Width; i += FanOut) begin : gen_part
    localparam int unsigned Len = (i + FanOut < Width) ? FanOut : Width - i;
    logic [Len-1:0] t1_mem[Words];
    logic [WordBits-1:0] now_q, next_q;  // the current slot, and the next one
    logic fill_q, hold_q;

    (* keep *) always_ff @(posedge clk_i) fill_q <= fill_i;
    (* keep *) always_ff @(posedge clk_i) hold_q <= hold_i;

    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        now_q <= '0;
        next_q <= WordBits'(1);
      end else begin
        now_q <= next_q;
        next_q <= (next_q == WordBits'(Words - 1)) ? '0 : next_q + WordBits'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      if (!hold_q) t1_mem[now_q] <= term_i[i+:Len] & {Len{fill_q}};
      word_o[i+:Len] <= t1_mem[next_q];
    end
  end

endmodule
