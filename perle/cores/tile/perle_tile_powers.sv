// SPDX-License-Identifier: Apache-2.0
//
// A tile for exponentiations: perle_tile with perle_tile_exponents, which executes the commands of its
// contexts.
//
//   z ≡ x^e·β (mod M) in all contexts at the same time; perle_tile_leave makes it x^e mod M
//
// Ranges    as perle_tile and perle_tile_exponents, which defines the layout of the memories
// Cycles    busy_o from the cycle after a start was accepted; accesses of the host as in perle_tile, while
//           perle_tile_exponents has none
// Left out  constants of a modulus; the last step
//
// Parameters
//   RadixBits    k, bits of a digit
//   MaxBlocks    most blocks of a modulus
//   AddrBits     bits of an address of either memory
//   WindowBits   bits of a window digit
//   PosBits      bits of a position in an exponent

module perle_tile_powers
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned MaxBlocks  = 39,
  parameter  int unsigned AddrBits   = 10,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 12,
  localparam int unsigned BlockBits  = 3 * RadixBits,
  localparam int unsigned IndexBits  = index_bits(MaxBlocks)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // may change only while all contexts are idle
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

  logic req_valid, req_ready;
  logic [CtxBits-1:0] req_ctx;
  logic [AddrBits-1:0] req_x, req_y, req_z, req_m, read_addr;
  logic [1:0] req_write;
  logic [Contexts-1:0] tile_busy;
  logic read_valid, ready, valid;
  logic [ReadCycles-1:0] own_q;  // reads in flight for perle_tile_exponents

  assign host_ready_o = ready && !read_valid;
  assign host_valid_o = valid && !own_q[ReadCycles-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) own_q <= '0;
    else own_q <= {own_q[ReadCycles-2:0], read_valid && ready};
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
    .blocks_i,
    .stride_i,
    .beta_i,
    .start_valid_i,
    .start_ready_o,
    .start_ctx_i,
    .start_state_i,
    .start_mode_i,
    .start_pos_i,
    .busy_o,
    .req_valid_o (req_valid),
    .req_ready_i (req_ready),
    .req_ctx_o   (req_ctx),
    .req_x_o     (req_x),
    .req_y_o     (req_y),
    .req_z_o     (req_z),
    .req_m_o     (req_m),
    .req_write_o (req_write),
    .tile_busy_i (tile_busy),
    .read_valid_o(read_valid),
    .read_ready_i(ready),
    .read_addr_o (read_addr),
    .read_valid_i(valid && own_q[ReadCycles-1]),
    .read_data_i (host_data_o)
  );

  perle_tile #(
    .RadixBits(RadixBits),
    .MaxBlocks(MaxBlocks),
    .AddrBits (AddrBits)
  ) u_tile (
    .clk_i,
    .rst_ni,
    .blocks_i,
    .req_valid_i (req_valid),
    .req_ready_o (req_ready),
    .req_ctx_i   (req_ctx),
    .req_x_i     (req_x),
    .req_y_i     (req_y),
    .req_z_i     (req_z),
    .req_m_i     (req_m),
    .req_write_i (req_write),
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
