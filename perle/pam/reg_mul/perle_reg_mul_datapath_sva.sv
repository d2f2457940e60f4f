// SPDX-License-Identifier: Apache-2.0
//
// Assertions of the Booth data path: the part above the row is −1, 0 or 1; its value, including the
// multiplier bit that recoding leaves over (e), is never negative and has at most Width + 1 bits.

module perle_reg_mul_datapath_sva #(
  parameter int unsigned Width = 256
) (
  // the ports are signals of the datapath
  // verilog_lint: waive-start port-name-suffix
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic        [Width-1:0] a_q,
  input logic        [Width-1:0] s,
  input logic        [Width-2:0] c_q,
  input logic signed [      1:0] t,
  input logic                    x_q,
  input logic                    e_q
  // verilog_lint: waive-stop port-name-suffix
);

  logic signed [Width+3:0] value;

  assign value = $signed({4'b0, s}) + $signed({5'b0, c_q}) + $signed((Width + 4)'(x_q)) +
      ((Width + 4)'(t) <<< Width) + $signed({4'b0, e_q ? a_q : '0});

  AssertTop : assert property (@(posedge clk_i) disable iff (!rst_ni) t != 2'sb10);
  AssertNotNegative : assert property (@(posedge clk_i) disable iff (!rst_ni) value >= 0);
  AssertBits : assert property (@(posedge clk_i) disable iff (!rst_ni) (value >> (Width + 1)) == '0);

endmodule

bind perle_reg_mul_booth perle_reg_mul_datapath_sva #(
  .Width(Width)
) u_sva (
  .*
);
