// SPDX-License-Identifier: Apache-2.0
//
// Masked read of the window table: every entry is read, one a cycle, and the digit's own is kept.
//
//   picked_o = T[digit_i]
//
// Ranges    digit_i holds still from the first step of a pass to the last
// Algorithm index_o runs over all entries; picked ← picked | (T[index] & mask), mask = all ones where
//           index = digit. Neither the addresses nor their order tell the digit
// Cycles    2^WindowBits steps; done_o from the cycle after the last one until rewind_i
//
// Parameters
//   OperandBits   bits of an entry        WindowBits   w

module perle_modexp_pick #(
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned WindowBits  = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   wipe_i,
  input  logic                   rewind_i,
  input  logic                   step_i,
  input  logic [ WindowBits-1:0] digit_i,
  input  logic [OperandBits-1:0] entry_i,
  output logic [ WindowBits-1:0] index_o,
  output logic                   done_o,
  output logic [OperandBits-1:0] picked_o
);

  logic [WindowBits:0] index_q;
  logic [OperandBits-1:0] picked_q, kept, mask;

  assign index_o = index_q[WindowBits-1:0];
  assign done_o = index_q[WindowBits];
  assign picked_o = picked_q;
  assign mask = {OperandBits{index_o == digit_i}};
  assign kept = (index_q == '0) ? '0 : picked_q;

  always_ff @(posedge clk_i) begin
    if (wipe_i) picked_q <= '0;
    else if (step_i) picked_q <= kept | (entry_i & mask);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) index_q <= '0;
    else if (rewind_i) index_q <= '0;
    else if (step_i) index_q <= index_q + (WindowBits + 1)'(1);
  end

endmodule
