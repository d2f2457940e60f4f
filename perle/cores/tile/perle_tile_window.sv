// SPDX-License-Identifier: Apache-2.0
//
// W, the sum of the last N resolved diagonals δ, of all contexts.
//
//   at the end of a diagonal   W ← W + δ_c
//   at the end of a column     W ← W − δ_{c+1−N}     window_o is W before that
//
// Ranges    W in [0, N·β); c of a diagonal at most N
// Algorithm the diagonals are kept in a memory, from which the oldest one is read. W is zero after a modular
//           product, as all diagonals have left it; an idle context also clears it
// Cycles    window_o at stage 11, W changes at stage 13; one operation of a context every fourth cycle
// Left out  resets
//
// Parameters
//   RadixBits   k, a block has 3·k bits
//   MaxBlocks   most blocks of a modulus

module perle_tile_window
  import perle_tile_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter int unsigned MaxBlocks = 39,
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned IndexBits = index_bits(MaxBlocks),
  localparam int unsigned WindowBits = BlockBits + guard_bits(MaxBlocks)
) (
  input  logic                  clk_i,
  input  op_t                   op_i,  // stage 10
  input  logic [   CtxBits-1:0] ctx_i,
  input  logic [   CtxBits-1:0] next_ctx_i,  // of stage 9
  input  logic [ IndexBits-1:0] next_index_i,  // of the diagonal that enters or leaves the window
  input  logic [ BlockBits-1:0] block_i,  // stage 12: block of the accumulator
  output logic [WindowBits-1:0] window_o  // stage 11
);

  logic [WindowBits-1:0] mem[Contexts];

  op_t op_q[3];
  logic [CtxBits-1:0] ctx_q[3];
  logic [IndexBits-1:0] index_q[3];
  logic [WindowBits-1:0] early_q, late_q, changed, changed_q;
  logic [BlockBits-1:0] oldest, oldest_q, change;
  logic minus;

  assign minus = !op_q[1].diag;
  assign change = op_q[1].diag ? block_i : oldest_q;

  perle_block_ram #(
    .Bits (BlockBits),
    .Depth(Contexts << IndexBits)
  ) u_diagonals (
    .clk_i,
    .we_i   (op_q[1].valid && op_q[1].diag && op_q[1].close),
    .waddr_i({ctx_q[1], index_q[2]}),
    .wdata_i(block_i),
    .raddr_i({next_ctx_i, next_index_i}),
    .data_o (oldest)
  );

  perle_tile_adder #(
    .Bits(WindowBits)
  ) u_change (
    .a_i    (late_q),
    .b_i    (WindowBits'(change)),
    .use_i  (op_q[1].diag || op_q[1].drop),
    .flip_i (minus && op_q[1].drop),
    .carry_i(minus && op_q[1].drop),
    .sum_o  (changed)
  );

  always_ff @(posedge clk_i) begin
    op_q <= '{op_i, op_q[0], op_q[1]};
    ctx_q <= '{ctx_i, ctx_q[0], ctx_q[1]};
    index_q <= '{next_index_i, index_q[0], index_q[1]};
    oldest_q <= oldest;
    early_q <= mem[ctx_i];
    late_q <= early_q;
    window_o <= mem[ctx_i];
    if (!op_i.close || op_i.diag) window_o <= '0;
    changed_q <= changed;
    if (op_q[1].clear) changed_q <= '0;
    if (op_q[2].clear || (op_q[2].valid && op_q[2].close)) mem[ctx_q[2]] <= changed_q;
  end

endmodule
