// SPDX-License-Identifier: Apache-2.0
//
// Masked read of the window table: every entry is read, one a cycle, and the digit's own is kept.
//
//   picked_o = T[digit_i]
//
// Ranges    digit_i holds still from the third cycle of run_i on
// Algorithm index_o runs over all entries; picked ← picked | (T[index] & mask), mask = all ones where
//           index = digit. Neither the addresses nor their order tell the digit
// Cycles    from the third one of run_i on an index a cycle, whose entry comes two cycles later; done_o from
//           2^WindowBits + 6 cycles after the first one of run_i until it ends
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
  input  logic                   run_i,
  input  logic [ WindowBits-1:0] digit_i,
  input  logic [OperandBits-1:0] entry_i,
  output logic [ WindowBits-1:0] index_o,
  output logic                   done_o,
  output logic [OperandBits-1:0] picked_o
);

  logic [WindowBits:0] index_q;
  logic [WindowBits-1:0] index_late_q;
  logic [1:0] run_q, on_q, first_q;
  logic [2:0] done_q;
  logic hit_q, step;
  logic [OperandBits-1:0] picked_q;

  assign step = run_i && run_q[1] && !index_q[WindowBits];
  assign index_o = index_q[WindowBits-1:0];
  assign done_o = run_i && done_q[2];
  assign picked_o = picked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= '0;
      index_q <= '0;
      on_q <= '0;
      done_q <= '0;
    end else begin
      run_q <= run_i ? {run_q[0], 1'b1} : '0;
      on_q <= {on_q[0], step};
      if (!run_i) index_q <= '0;
      else if (step) index_q <= index_q + (WindowBits + 1)'(1);
      done_q <= run_i ? {done_q[1:0], index_q[WindowBits]} : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    index_late_q <= index_o;
    hit_q <= (index_late_q == digit_i);
    first_q <= {first_q[0], index_q == '0};
    if (wipe_i) picked_q <= '0;
    else if (on_q[1]) picked_q <= (first_q[1] ? '0 : picked_q) | (hit_q ? entry_i : '0);
  end

endmodule
