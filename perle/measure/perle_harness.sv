// SPDX-License-Identifier: Apache-2.0
//
// Shift registers around a core that has more ports than the device has pins, to measure the core's clock.
//
//   core_o ← the words of data_i;  data_o ← the words of core_i
//
// Every input of the core comes from a register here and every output goes to one (through one multiplexer),
// so that the critical path is in the core, its ports included. hold_i and unload_i are pipelined, one word
// per cycle, and no net here drives more than WordBits + 1 registers: at any size the harness is faster than
// a core.
//
// Load      a shift register: word k is loaded from word k − 1, word 0 from data_i. hold_i = 1 stops the
//           highest word first and, in each cycle, the next one below. So every second word given on data_i
//           is kept, the one for the highest word first
// Unload    unload_i is 1 for a cycle: word k of core_i is loaded k cycles after word 0 and shifted down, so
//           that word k is on data_o 2k + 2 cycles after unload_i; core_i must stay stable until then
// Pins      one register each way, for the handshake
// Left out  reset: old contents have been shifted out after as many cycles as there are words
//
// Parameters
//   InBits, OutBits   bits to the core and from it that are transferred in words
//   InPins, OutPins   bits with a pin of their own
//   WordBits          bits of a word

module perle_harness #(
  parameter int unsigned InBits   = 32,
  parameter int unsigned OutBits  = 32,
  parameter int unsigned InPins   = 1,
  parameter int unsigned OutPins  = 1,
  parameter int unsigned WordBits = 32
) (
  input  logic                clk_i,
  // pins
  input  logic                hold_i,
  input  logic [WordBits-1:0] data_i,
  input  logic                unload_i,
  output logic [WordBits-1:0] data_o,
  input  logic [  InPins-1:0] pins_i,
  output logic [ OutPins-1:0] pins_o,
  // core
  output logic [  InBits-1:0] core_o,
  input  logic [ OutBits-1:0] core_i,
  output logic [  InPins-1:0] core_pins_o,
  input  logic [ OutPins-1:0] core_pins_i
);

  localparam int unsigned InWords = (InBits + WordBits - 1) / WordBits;
  localparam int unsigned OutWords = (OutBits + WordBits - 1) / WordBits;

  logic [InWords-1:0][WordBits-1:0] in_q;
  logic [InWords-1:0] hold_q;
  logic [OutWords-1:0][WordBits-1:0] out, out_q;
  logic [OutWords-1:0] take_q;

  assign core_o = InBits'(in_q);
  assign out = (OutWords * WordBits)'(core_i);
  assign data_o = out_q[0];

  always_ff @(posedge clk_i) begin
    hold_q <= InWords'({hold_i, hold_q} >> 1);
    for (int unsigned k = 0; k < InWords; k++) begin
      if (!hold_q[k]) in_q[k] <= (k == 0) ? data_i : in_q[k-1];
    end
    take_q <= OutWords'({take_q, unload_i});
    for (int unsigned k = 0; k < OutWords; k++) begin
      if (take_q[k]) out_q[k] <= out[k];
      else out_q[k] <= (k == OutWords - 1) ? '0 : out_q[k+1];
    end
    core_pins_o <= pins_i;
    pins_o <= core_pins_i;
  end

endmodule
