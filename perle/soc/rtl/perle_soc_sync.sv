// SPDX-License-Identifier: Apache-2.0
//
// Two-register synchronizer for a level from another clock domain.
//
// Ranges    level_i comes from a register, and lasts longer than two periods of clk_i
// Cycles    two, or three

module perle_soc_sync (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic level_i,
  output logic level_o
);

  logic meta_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {level_o, meta_q} <= 2'b00;
    else {level_o, meta_q} <= {meta_q, level_i};
  end

endmodule
