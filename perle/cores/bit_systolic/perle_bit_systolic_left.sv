// SPDX-License-Identifier: Apache-2.0
//
// Left border of the row, column n: the top bit of S.
//
//   (s_n, s_{n−1}) ← s_n + a_i·q_i·mb_n + carry
//
// Ranges    S < M + B < 2^(n+1) at all times, so bits n and higher of the sum are at most 2: its carry is s_n
//           of the next row, and there is no further column. b_n = m_n = 0: only M + B has a bit here
// Algorithm nedjah2002 Fig. 9 assumes s_n = 0 and uses a half adder; but S does reach 2^n (also for operands
//           below M), so that a full adder is needed. Its carry is delayed by one cycle more than a sum,
//           until the next row of the same product arrives
// Cycles    latency one to column n−1, two to column n itself
//
// Parameters none

module perle_bit_systolic_left (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic first_i,
  input  logic a_i,
  input  logic q_i,
  input  logic mb_i,
  input  logic carry_i,
  output logic sum_o,  // s_{n−1} of the next row, not registered
  output logic s_o     // the same, registered
);

  logic s, x, wait_q, top_q;

  assign s = top_q && !first_i;
  assign x = a_i && q_i && mb_i;
  assign sum_o = s ^ x ^ carry_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= 1'b0;
      top_q <= 1'b0;
      s_o <= 1'b0;
    end else begin
      wait_q <= (s && x) || (s && carry_i) || (x && carry_i);
      top_q <= wait_q;
      s_o <= sum_o;
    end
  end

endmodule
