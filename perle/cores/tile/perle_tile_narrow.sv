// SPDX-License-Identifier: Apache-2.0
//
// A tile for exponentiations with moduli of different sizes: as perle_tile_powers, but each context computes
// with as many blocks as its modulus needs.
//
//   z ≡ x^e·β (mod M), from the R² mod M of the widest modulus, R = β^MaxBlocks
//
// Ranges    as perle_tile_powers; N = blocks_i is that of the start. Before the 1 in memory X, which is at
//           beta_i, there are MaxBlocks zeros
// Algorithm a product of N blocks divides by β^N only, so it needs β^(2·N) mod M in place of R². A start is
//           held here until the products that compute it have been requested: R²·β^j·β^-N with j = 0 as long
//           as β^(2·N) or more remains, then with the j that gives β^(2·N). β^j is the number that begins j
//           blocks before the 1
// Cycles    ⌈2·(MaxBlocks − N)/N⌉ products more than perle_tile_powers, all of them of N blocks; a start takes
//           16 cycles more
// Left out  as perle_tile_powers; two such starts at the same time
//
// Parameters
//   as perle_tile_powers

module perle_tile_narrow
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned MaxBlocks  = 39,
  parameter  int unsigned AddrBits   = 11,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 12,
  localparam int unsigned BlockBits  = 3 * RadixBits,
  localparam int unsigned IndexBits  = index_bits(MaxBlocks)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [IndexBits-1:0]              blocks_i,
  input  logic [AddrBits-1:0]               stride_i,
  input  logic [AddrBits-1:0]               beta_i,
  // a command, stable until it is accepted
  input  logic                              start_valid_i,
  output logic                              start_ready_o,
  input  logic [CtxBits-1:0]                start_ctx_i,
  input  state_e                            start_state_i,
  input  logic [1:0]                        start_mode_i,
  input  logic [PosBits-1:0]                start_pos_i,
  output logic [Contexts-1:0]               busy_o,
  // accesses of the host, while a port is free; reads are of memory X
  input  logic                              host_valid_i,
  output logic                              host_ready_o,
  input  logic [1:0]                        host_write_i,  // X, Y; 0: read
  input  logic [AddrBits-1:0]               host_addr_i,
  input  logic [BlockBits-1:0]              host_data_i,
  output logic                              host_valid_o,
  output logic [BlockBits-1:0]              host_data_o
);

  localparam int unsigned ReadCycles = 4;
  localparam int unsigned RestBits = IndexBits + 1;

  typedef enum logic [1:0] {
    Free,
    Divide,
    Pass
  } state_t;

  typedef struct packed {
    logic [CtxBits-1:0] ctx;
    state_e state;
    logic [1:0] mode;
    logic [PosBits-1:0] pos;
    logic [IndexBits-1:0] blocks;
  } start_t;

  state_t state_q;
  start_t start_q;
  logic [Contexts-1:0][IndexBits-1:0] blocks_q;
  logic [3:0] wait_q;
  logic exponents_ready;
  logic [Contexts-1:0] exponents_busy, tile_busy;
  logic own_valid, req_valid, req_ready;
  logic [CtxBits-1:0] req_ctx;
  logic [AddrBits-1:0] req_x, req_y, req_z, req_m, read_addr;
  logic [1:0] req_write;
  logic read_valid, ready, valid;
  logic [ReadCycles-1:0] reads_q;  // reads in flight for perle_tile_exponents

  // ---------------------------------------------------------------- a start, and its R²
  logic [RestBits-1:0] rest_q, size, less_q, power_q;  // R² has still to be divided by β^rest
  logic [AddrBits-1:0] base, x_q, square_q, m_q;
  logic some_q, last_q, asks_q, divided_q;

  assign start_ready_o = (state_q == Free);
  assign size = RestBits'(start_q.blocks);
  assign base = (start_q.ctx[0] ? stride_i : '0) + (start_q.ctx[1] ? stride_i << 1 : '0);
  // One attempt in 16 cycles, so that perle_tile_exponents can find other contexts ready, and all registers on
  // the way to the next one follow.
  assign own_valid = asks_q && !req_valid;
  assign busy_o = exponents_busy | ((state_q != Free) ? Contexts'(1) << start_q.ctx : '0);

  always_ff @(posedge clk_i) begin
    if (state_q == Free) begin
      start_q <= '{start_ctx_i, start_state_i, start_mode_i, start_pos_i, blocks_i};
      rest_q <= {IndexBits'(MaxBlocks) - blocks_i, 1'b0};
    end else if (divided_q) begin
      rest_q <= last_q ? '0 : less_q;
    end
    some_q <= (rest_q != '0);
    less_q <= rest_q - size;
    last_q <= (rest_q <= size);
    power_q <= last_q ? size - rest_q : '0;
    x_q <= beta_i - AddrBits'(power_q);
    m_q <= base + AddrBits'(MaxBlocks);
    square_q <= base + AddrBits'(3 * MaxBlocks);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Free;
      wait_q <= '0;
      asks_q <= 1'b0;
      divided_q <= 1'b0;
      blocks_q <= {Contexts{IndexBits'(MaxBlocks)}};
    end else begin
      wait_q <= (state_q == Free) ? '0 : wait_q + 4'd1;
      asks_q <= (state_q == Divide) && (wait_q == '1) && some_q;
      divided_q <= own_valid && req_ready;
      unique case (state_q)
        Free: if (start_valid_i) begin
          blocks_q[start_ctx_i] <= blocks_i;
          state_q <= Divide;
        end
        Divide:  if (wait_q == '1 && !some_q) state_q <= Pass;
        default: if (exponents_ready) state_q <= Free;
      endcase
    end
  end

  perle_tile_exponents #(
    .BlockBits (BlockBits),
    .MaxBlocks (MaxBlocks),
    .AddrBits  (AddrBits),
    .WindowBits(WindowBits),
    .PosBits   (PosBits)
  ) u_exponents (
    .clk_i,
    .rst_ni,
    .blocks_i     (IndexBits'(MaxBlocks)),
    .stride_i,
    .beta_i,
    .start_valid_i(state_q == Pass),
    .start_ready_o(exponents_ready),
    .start_ctx_i  (start_q.ctx),
    .start_state_i(start_q.state),
    .start_mode_i (start_q.mode),
    .start_pos_i  (start_q.pos),
    .busy_o       (exponents_busy),
    .req_valid_o  (req_valid),
    .req_ready_i  (req_ready && !own_valid),
    .req_ctx_o    (req_ctx),
    .req_x_o      (req_x),
    .req_y_o      (req_y),
    .req_z_o      (req_z),
    .req_m_o      (req_m),
    .req_write_o  (req_write),
    .tile_busy_i  (tile_busy),
    .read_valid_o (read_valid),
    .read_ready_i (ready),
    .read_addr_o  (read_addr),
    .read_valid_i (valid && reads_q[ReadCycles-1]),
    .read_data_i  (host_data_o)
  );

  // ---------------------------------------------------------------- the tile
  assign host_ready_o = ready && !read_valid;
  assign host_valid_o = valid && !reads_q[ReadCycles-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reads_q <= '0;
    else reads_q <= {reads_q[ReadCycles-2:0], read_valid && ready};
  end

  perle_tile #(
    .RadixBits(RadixBits),
    .MaxBlocks(MaxBlocks),
    .AddrBits (AddrBits),
    .Sizes    (Contexts)
  ) u_tile (
    .clk_i,
    .rst_ni,
    .blocks_i    (blocks_q),
    .req_valid_i (req_valid || own_valid),
    .req_ready_o (req_ready),
    .req_ctx_i   (own_valid ? start_q.ctx : req_ctx),
    .req_x_i     (own_valid ? x_q : req_x),
    .req_y_i     (own_valid ? square_q : req_y),
    .req_z_i     (own_valid ? square_q : req_z),
    .req_m_i     (own_valid ? m_q : req_m),
    .req_write_i (own_valid ? 2'b10 : req_write),
    .busy_o      (tile_busy),
    .host_valid_i(host_valid_i || read_valid),
    .host_ready_o(ready),
    .host_write_i(read_valid ? 2'b00 : host_write_i),
    .host_addr_i (read_valid ? read_addr : host_addr_i),
    .host_data_i,
    .host_valid_o(valid),
    .host_data_o
  );

endmodule
