// SPDX-License-Identifier: Apache-2.0
//
// Data path of a tile: words of its memories in, quotient blocks and blocks of results out.
//
//   S_c = carry + W_c − Σ (x_i − x_j)·(y_i − y_j)     block_o = S_c mod β at the end of a column
//
// Ranges    blocks in [0, β), β = 2^(3·RadixBits)
// Algorithm as model.py, one operation per cycle: absolute differences and signs, a block product, the sum of
//           the column; diagonals are also added to the window W
// Cycles    words at stage 2, block_o at stage 12 (perle_tile_pkg). One operation per cycle, of a context
//           every fourth
// Left out  memories and sequencer; resets, except of the operations in the pipeline
//
// Parameters
//   RadixBits   k, a block has 3·k bits
//   MaxBlocks   most blocks of a modulus

module perle_tile_datapath
  import perle_tile_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter int unsigned MaxBlocks = 39,
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  op_t                  op_i,  // stage 0
  input  logic [  CtxBits-1:0] ctx_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [BlockBits-1:0] xa_i,  // stage 2
  input  logic [BlockBits-1:0] xb_i,
  input  logic [BlockBits-1:0] ya_i,
  input  logic [BlockBits-1:0] yb_i,
  output logic                 made_o,  // stage 12: block_o is a block of a quotient or a result
  output logic                 result_o,
  output logic [  CtxBits-1:0] ctx_o,
  output logic [BlockBits-1:0] block_o
);

  localparam int unsigned Terms = 10;  // stage of the terms
  localparam int unsigned Blocks = 12;

  // verilator lint_off UNUSEDSIGNAL
  op_t op[Blocks+1];  // some stages use only part of it
  // verilator lint_on UNUSEDSIGNAL
  logic [CtxBits-1:0] ctx[Contexts];  // contexts take turns: stage s has that of stage s − 4
  logic [IndexBits-1:0] index[Terms];
  logic pair_x_q, pair_y_q;  // stage 2: two copies, as each drives all bits of a block
  logic x_negative, y_negative;
  logic [BlockBits-1:0] u, v;
  logic subtract[4:Terms];
  logic signed [BlockBits+2:0] low;
  logic signed [BlockBits+1:0] high;
  logic [BlockBits+guard_bits(MaxBlocks)-1:0] window;

  assign op[0] = op_i;
  assign ctx[0] = ctx_i;
  assign index[0] = index_i;
  assign made_o = op[Blocks].valid && op[Blocks].close && !op[Blocks].diag;
  assign result_o = op[Blocks].result;
  assign ctx_o = ctx[Blocks%Contexts];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int s = 1; s <= Blocks; s++) op[s] <= '0;
    end else begin
      for (int s = 1; s <= Blocks; s++) op[s] <= op[s-1];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int s = 1; s < Contexts; s++) ctx[s] <= ctx[s-1];
    for (int s = 1; s < Terms; s++) index[s] <= index[s-1];
    // a diagonal is added; the product of a pair is subtracted, so that equal signs subtract
    subtract[4] <= !op[3].diag && x_negative == y_negative;
    for (int s = 5; s <= Terms; s++) subtract[s] <= subtract[s-1];
  end

  (* keep *) always_ff @(posedge clk_i) pair_x_q <= !op[1].diag;
  (* keep *) always_ff @(posedge clk_i) pair_y_q <= !op[1].diag;

  perle_tile_difference #(
    .Bits(BlockBits)
  ) u_x (
    .clk_i,
    .pair_i     (pair_x_q),
    .a_i        (xa_i),
    .b_i        (xb_i),
    .negative_o (x_negative),
    .magnitude_o(u)
  );

  perle_tile_difference #(
    .Bits(BlockBits)
  ) u_y (
    .clk_i,
    .pair_i     (pair_y_q),
    .a_i        (ya_i),
    .b_i        (yb_i),
    .negative_o (y_negative),
    .magnitude_o(v)
  );

  perle_tile_block_product #(
    .RadixBits(RadixBits)
  ) u_product (
    .clk_i,
    .u_i   (u),
    .v_i   (v),
    .low_o (low),
    .high_o(high)
  );

  perle_tile_accumulator #(
    .RadixBits(RadixBits),
    .MaxBlocks(MaxBlocks)
  ) u_sums (
    .clk_i,
    .op_i           (op[Terms]),
    .subtract_i     (subtract[Terms]),
    .next_open_i    (op[Terms-1].open),
    .next_diag_i    (op[Terms-1].diag),
    .next_ctx_i     (ctx[(Terms-1)%Contexts]),
    .next_subtract_i(subtract[Terms-1]),
    .low_i          (low),
    .high_i         (high),
    .window_i       (window),
    .block_o
  );

  perle_tile_window #(
    .RadixBits(RadixBits),
    .MaxBlocks(MaxBlocks)
  ) u_window (
    .clk_i,
    .op_i    (op[Terms]),
    .ctx_i   (ctx[Terms%Contexts]),
    .next_ctx_i  (ctx[(Terms-1)%Contexts]),
    .next_index_i(index[Terms-1]),
    .block_i (block_o),
    .window_o(window)
  );

endmodule
