// SPDX-License-Identifier: Apache-2.0
//
// Bound into the testbench of multipliers: there is a single request, offered from the first cycle after a reset
// until it is accepted, and its response is taken at once. A solver that need not choose when requests come
// decides more of the arithmetic.

module perle_trust_alone (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_i,
  input logic mark_i,
  input logic ready_i,
  // a signal of the testbench
  // verilog_lint: waive port-name-suffix
  input logic accept
);

  logic accepted_q = 1'b0;

  always_ff @(posedge clk_i) if (rst_ni && accept) accepted_q <= 1'b1;

  always_comb if (rst_ni) assume (valid_i == !accepted_q && mark_i && ready_i);

endmodule

bind perle_trust_mul perle_trust_alone u_alone (.*);
