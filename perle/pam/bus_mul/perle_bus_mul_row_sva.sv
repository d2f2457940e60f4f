// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_bus_mul_row, bound in every simulation: the number that its two vectors represent
// follows the formula in its header, and the output bit is the remainder.

module perle_bus_mul_row_sva #(
  parameter int unsigned Bits = 512
) (
  // the ports are signals of the row, all of them inputs here
  // verilog_lint: waive-start port-name-suffix
  input logic            clk_i,
  input logic            rst_ni,
  input logic            step_i,
  input logic            load_i,
  input logic            b_i,
  input logic            s_i,
  input logic            first,
  input logic [ Bits-1:0] a_q,
  input logic [ Bits-1:0] sum_q,
  input logic [ Bits-1:0] carry_q
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned ValueBits = Bits + 2;

  logic [ValueBits-1:0] value, total;
  logic [Bits:0] next_q;
  logic [Bits-1:0] a_next_q;
  logic seen_q;

  assign value = ValueBits'(sum_q) + ValueBits'(carry_q);
  assign total = value + ((b_i && !load_i) ? ValueBits'(a_q) : '0) + (ValueBits'(s_i) << Bits);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= 1'b0;
      next_q <= '0;
      a_next_q <= '0;
    end else begin
      seen_q <= 1'b1;
      next_q <= step_i ? total[ValueBits-1:1] : value[Bits:0];
      a_next_q <= (step_i && load_i) ? Bits'({b_i, a_q} >> 1) : a_q;
    end
  end

  AssertValue : assert property (@(posedge clk_i) disable iff (!rst_ni) seen_q |-> (value == {1'b0, next_q}));
  AssertA : assert property (@(posedge clk_i) disable iff (!rst_ni) seen_q |-> (a_q == a_next_q));
  AssertBit : assert property (@(posedge clk_i) disable iff (!rst_ni) step_i |-> (first == total[0]));

endmodule

bind perle_bus_mul_row perle_bus_mul_row_sva #(
  .Bits(Bits)
) u_sva (
  .*,
  .first(tap_o[0])
);
