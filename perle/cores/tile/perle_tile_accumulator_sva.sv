// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_tile_accumulator: its blocks equal those of columns that are accumulated in wide
// numbers.

module perle_tile_accumulator_sva
  import perle_tile_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter int unsigned MaxBlocks = 39,
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned WindowBits = BlockBits + guard_bits(MaxBlocks)
) (
  // named as the module's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                        clk_i,
  // verilator lint_off UNUSEDSIGNAL
  input op_t                         op_i,
  // verilator lint_on UNUSEDSIGNAL
  input logic                        next_diag_i,
  input logic [         CtxBits-1:0] next_ctx_i,
  input logic                        subtract_i,
  input logic signed [BlockBits+2:0] low_i,
  input logic signed [BlockBits+1:0] high_i,
  input logic [      WindowBits-1:0] window_i,
  input logic [       BlockBits-1:0] block_o
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Wide = 2 * WindowBits + 8;

  localparam logic signed [Wide-1:0] Limit = Wide'(1) << BlockBits;

  logic signed [Wide-1:0] sum_mem[2*Contexts];
  logic signed [Wide-1:0] carry_mem[2*Contexts];
  logic signed [Wide-1:0] term, base, sum, sum_q, total, total_q;
  logic [CtxBits:0] at, at_q;
  logic close_q, close_late_q, diag_q, diag_late_q, closes;
  // checks start when initial register values have left the pipeline
  // verilator lint_off PROCASSINIT
  logic [2:0] there_q = '0;
  // verilator lint_on PROCASSINIT

  assign closes = close_late_q && there_q[2];
  assign term = Wide'(low_i) + (Wide'(high_i) <<< BlockBits);
  always_comb begin
    base = op_i.open ? carry_mem[at] : sum_mem[at];
    if (op_i.first) base = '0;
    sum = subtract_i ? base - term : base + term;
    total = sum_q + Wide'(window_i);
  end

  always_ff @(posedge clk_i) begin
    there_q <= {there_q[1:0], 1'b1};
    at <= {next_ctx_i, next_diag_i};
    at_q <= at;
    close_q <= op_i.valid && op_i.close;
    close_late_q <= close_q;
    diag_q <= op_i.diag;
    diag_late_q <= diag_q;
    sum_q <= sum;
    total_q <= total;
    if (op_i.valid) sum_mem[at] <= sum;
    if (close_q) carry_mem[at_q] <= total >>> BlockBits;
  end

  AssertBlock : assert property (@(posedge clk_i) closes |->
      (block_o == total_q[BlockBits-1:0]));
  // bounds as in model.py: of a diagonal (two block products and a carry), and of a column
  AssertDiagonal : assert property (@(posedge clk_i) (closes && diag_late_q) |->
      (total_q >= 0 && total_q < Limit << (BlockBits + 1)));
  AssertColumn : assert property (@(posedge clk_i) (closes && !diag_late_q) |->
      (total_q >= -(Limit << WindowBits) && total_q < (Limit << WindowBits)));

endmodule

bind perle_tile_accumulator
    perle_tile_accumulator_sva #(.RadixBits(RadixBits), .MaxBlocks(MaxBlocks)) u_sva (.*);
