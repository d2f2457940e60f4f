// SPDX-License-Identifier: Apache-2.0
//
// Reset synchronizer: asserts asynchronously, releases synchronously to clk_i.
//
// Ranges    rst_ni has no glitches: it comes from registers, or from a PLL's lock
// Cycles    released at the third edge after rst_ni

module perle_soc_reset (
  input  logic clk_i,
  input  logic rst_ni,
  output logic rst_no
);

  logic [1:0] wait_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {rst_no, wait_q} <= 3'b000;
    else {rst_no, wait_q} <= {wait_q, 1'b1};
  end

endmodule
