// SPDX-License-Identifier: Apache-2.0
//
// Branch of the tiles' bus: registers shared by some neighbouring tiles, and these tiles.
//
// Ranges    one access at a time in all of them, until it is acknowledged. The data of a start are, from the
//           lowest bit on: context, state, mode, position, and with Narrow the number of blocks
// Cycles    ack_o two cycles after valid_i or later, when the tile has accepted the access; valid_o later,
//           with the word that was read
//
// Parameters
//   Tiles        tiles
//   RadixBits    k, bits of a digit
//   Blocks       N of the widest modulus
//   WindowBits   bits of a window digit
//   PosBits      bits of a position in an exponent
//   Narrow       1: each context has its own N; 0: all have Blocks

module perle_tile_branch
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned Tiles      = 4,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Blocks     = 20,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 12,
  parameter  bit          Narrow     = 1'b0,
  localparam int unsigned AddrBits   = addr_bits(Blocks, WindowBits, Narrow),
  localparam int unsigned BlockBits  = 3 * RadixBits
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [Tiles-1:0]               valid_i,
  input  logic                           start_i,
  input  logic [1:0]                     write_i,  // X, Y; 0: read X
  input  logic [AddrBits-1:0]            addr_i,
  input  logic [BlockBits-1:0]           data_i,
  output logic                           ack_o,
  output logic                           valid_o,
  output logic [BlockBits-1:0]           data_o,
  output logic [Tiles-1:0][Contexts-1:0] busy_o
);

  localparam int unsigned IndexBits = index_bits(Blocks);
  localparam logic [AddrBits-1:0] Stride = AddrBits'(places(WindowBits) * Blocks);
  localparam logic [AddrBits-1:0] Beta = AddrBits'(own_numbers(WindowBits, Narrow) * Blocks);

  logic [Tiles-1:0] access_q, start_q, ready, started, read, read_q;
  logic [1:0] write_q;
  logic [AddrBits-1:0] addr_q;
  logic [BlockBits-1:0] data_q, any;
  logic [Tiles-1:0][BlockBits-1:0] word, word_q;
  logic [Tiles-1:0][Contexts-1:0] busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q <= '0;
      start_q <= '0;
      ack_o <= 1'b0;
      read_q <= '0;
      valid_o <= 1'b0;
      busy_o <= '0;
    end else begin
      access_q <= (access_q & ~ready) | (start_i ? '0 : valid_i);
      start_q <= (start_q & ~started) | (start_i ? valid_i : '0);
      ack_o <= ((access_q & ready) | (start_q & started)) != '0;
      read_q <= read;
      valid_o <= (read_q != '0);
      busy_o <= busy;
    end
  end

  always_comb begin
    any = '0;
    for (int unsigned n = 0; n < Tiles; n++) any |= word_q[n];
  end

  always_ff @(posedge clk_i) begin
    if (valid_i != '0) {write_q, addr_q, data_q} <= {write_i, addr_i, data_i};
    for (int unsigned n = 0; n < Tiles; n++) word_q[n] <= read[n] ? word[n] : '0;
    data_o <= any;
  end

  for (genvar n = 0; n < Tiles; n++) begin : gen_tile
    if (Narrow) begin : gen_narrow
      perle_tile_narrow #(
        .RadixBits (RadixBits),
        .MaxBlocks (Blocks),
        .AddrBits  (AddrBits),
        .WindowBits(WindowBits),
        .PosBits   (PosBits)
      ) u_tile (
        .clk_i,
        .rst_ni,
        .blocks_i     (data_q[CtxBits+6+PosBits+:IndexBits]),
        .stride_i     (Stride),
        .beta_i       (Beta),
        .start_valid_i(start_q[n]),
        .start_ready_o(started[n]),
        .start_ctx_i  (data_q[CtxBits-1:0]),
        .start_state_i(state_e'(data_q[CtxBits+:4])),
        .start_mode_i (data_q[CtxBits+4+:2]),
        .start_pos_i  (data_q[CtxBits+6+:PosBits]),
        .busy_o       (busy[n]),
        .host_valid_i (access_q[n]),
        .host_ready_o (ready[n]),
        .host_write_i (write_q),
        .host_addr_i  (addr_q),
        .host_data_i  (data_q),
        .host_valid_o (read[n]),
        .host_data_o  (word[n])
      );
    end else begin : gen_equal
      perle_tile_powers #(
        .RadixBits (RadixBits),
        .MaxBlocks (Blocks),
        .AddrBits  (AddrBits),
        .WindowBits(WindowBits),
        .PosBits   (PosBits)
      ) u_tile (
        .clk_i,
        .rst_ni,
        .blocks_i     (IndexBits'(Blocks)),
        .stride_i     (Stride),
        .beta_i       (Beta),
        .start_valid_i(start_q[n]),
        .start_ready_o(started[n]),
        .start_ctx_i  (data_q[CtxBits-1:0]),
        .start_state_i(state_e'(data_q[CtxBits+:4])),
        .start_mode_i (data_q[CtxBits+4+:2]),
        .start_pos_i  (data_q[CtxBits+6+:PosBits]),
        .busy_o       (busy[n]),
        .host_valid_i (access_q[n]),
        .host_ready_o (ready[n]),
        .host_write_i (write_q),
        .host_addr_i  (addr_q),
        .host_data_i  (data_q),
        .host_valid_o (read[n]),
        .host_data_o  (word[n])
      );
    end
  end

endmodule
