// SPDX-License-Identifier: Apache-2.0
//
// Masked read of the window table: all entries are read, one per cycle; perle_modexp_word keeps that of the
// digit.
//
// Ranges    digit_i is stable from the fourth cycle of run_i on
// Algorithm index_o runs over all entries; hit_o is 1 where index = digit. Neither the addresses nor their
//           order depend on the digit
// Cycles    one index per cycle from the third cycle of run_i on (Delay later); on_o, first_o and hit_o
//           belong to the index of two cycles before; done_o rises 2^WindowBits + 6 + Delay cycles after
//           run_i and falls with it
//
// Parameters
//   WindowBits   w      Delay   cycles from the response of the last table entry until it is stored

module perle_modexp_table_read #(
  parameter int unsigned WindowBits = 4,
  parameter int unsigned Delay      = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  run_i,
  input  logic [WindowBits-1:0] digit_i,
  output logic [WindowBits-1:0] index_o,
  output logic                  done_o,
  output logic                  on_o,
  output logic                  first_o,
  output logic                  hit_o
);

  logic [WindowBits:0] index_q;
  logic [WindowBits-1:0] index_delayed_q;
  logic [1+Delay:0] run_q;
  logic [1:0] on_q, first_q;
  logic [3:0] done_q;
  logic hit_q, step;

  assign step = run_i && run_q[1+Delay] && !index_q[WindowBits];
  assign index_o = index_q[WindowBits-1:0];
  assign done_o = run_i && done_q[3];
  assign on_o = on_q[1];
  assign first_o = first_q[1];
  assign hit_o = hit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= '0;
      index_q <= '0;
      on_q <= '0;
      done_q <= '0;
    end else begin
      run_q <= run_i ? {run_q[Delay:0], 1'b1} : '0;
      on_q <= {on_q[0], step};
      if (!run_i) index_q <= '0;
      else if (step) index_q <= index_q + (WindowBits + 1)'(1);
      done_q <= run_i ? {done_q[2:0], index_q[WindowBits]} : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    index_delayed_q <= index_o;
    hit_q <= (index_delayed_q == digit_i);
    first_q <= {first_q[0], index_q == '0};
  end

endmodule
