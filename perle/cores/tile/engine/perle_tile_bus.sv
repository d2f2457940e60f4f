// SPDX-License-Identifier: Apache-2.0
//
// Bus of all tiles, a tree of registers: one access at a time of two masters in turn, and the busy flags of
// all contexts.
//
// Ranges    a master's access is stable until done_o; the next one may follow in the cycle after it
// Cycles    done_o when the tile has accepted a write or a start, or with the word that was read. busy_o is 1
//           for a start before its done_o
//
// Parameters
//   Tiles        tiles, four on a branch
//   others       as perle_tile_branch

module perle_tile_bus
  import perle_tile_pkg::*;
#(
  parameter  int unsigned Tiles      = 26,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Blocks     = 20,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 12,
  parameter  bit          Narrow     = 1'b0,
  localparam int unsigned AddrBits   = addr_bits(Blocks, WindowBits, Narrow),
  localparam int unsigned BlockBits  = 3 * RadixBits,
  localparam int unsigned TileBits   = (Tiles > 1) ? $clog2(Tiles) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // master 0 writes and starts
  input  logic [1:0]                     valid_i,
  input  logic [1:0][TileBits-1:0]       tile_i,
  input  logic [1:0][AddrBits-1:0]       addr_i,
  input  logic                           start_i,
  input  logic [1:0]                     write_i,
  input  logic [BlockBits-1:0]           data_i,
  output logic [1:0]                     done_o,
  // master 1 reads memory X
  output logic [BlockBits-1:0]           data_o,
  output logic [Tiles-1:0][Contexts-1:0] busy_o
);

  localparam int unsigned PerBranch = 4;
  localparam int unsigned Branches = (Tiles + PerBranch - 1) / PerBranch;

  typedef enum logic [1:0] {
    Idle = 2'd0,
    Send = 2'd1,
    Wait = 2'd2,
    Done = 2'd3
  } state_t;

  state_t state_q;
  logic reads_q, next, ended;
  logic [TileBits-1:0] tile_q;
  logic [Tiles-1:0] valid_q;
  logic start_q;
  logic [1:0] write_q;
  logic [AddrBits-1:0] addr_q;
  logic [BlockBits-1:0] data_q, any, any_q;
  logic [Branches-1:0] ack, read;
  logic [Branches-1:0][BlockBits-1:0] word;
  logic ack_q, read_q;

  // round robin: the master of the last access has the lower priority
  assign next = valid_i[1] && (!valid_i[0] || !reads_q);
  assign ended = reads_q ? read_q : ack_q;

  always_comb begin
    any = '0;
    for (int unsigned n = 0; n < Branches; n++) any |= word[n];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      reads_q <= 1'b0;
      valid_q <= '0;
      ack_q <= 1'b0;
      read_q <= 1'b0;
      done_o <= '0;
    end else begin
      done_o <= (state_q == Wait && ended) ? {reads_q, !reads_q} : '0;
      ack_q <= (ack != '0);
      read_q <= (read != '0);
      for (int unsigned n = 0; n < Tiles; n++) valid_q[n] <= (state_q == Send) && (tile_q == TileBits'(n));
      unique case (state_q)
        Idle: if (valid_i != '0) begin
          reads_q <= next;
          state_q <= Send;
        end
        Send: state_q <= Wait;
        Wait: if (ended) state_q <= Done;
        default: state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      tile_q <= tile_i[next];
      addr_q <= addr_i[next];
      start_q <= start_i && !next;
      write_q <= next ? 2'b00 : write_i;
      data_q <= data_i;
    end
    any_q <= any;
    if (read_q || state_q == Idle) data_o <= any_q;
  end

  for (genvar n = 0; n < Branches; n++) begin : gen_branch
    localparam int unsigned First = PerBranch * n;
    localparam int unsigned Here = (Tiles - First < PerBranch) ? Tiles - First : PerBranch;
    perle_tile_branch #(
      .Tiles     (Here),
      .RadixBits (RadixBits),
      .Blocks    (Blocks),
      .WindowBits(WindowBits),
      .PosBits   (PosBits),
      .Narrow    (Narrow)
    ) u_branch (
      .clk_i,
      .rst_ni,
      .valid_i(valid_q[First+:Here]),
      .start_i(start_q),
      .write_i(write_q),
      .addr_i (addr_q),
      .data_i (data_q),
      .ack_o  (ack[n]),
      .valid_o(read[n]),
      .data_o (word[n]),
      .busy_o (busy_o[First+:Here])
    );
  end

endmodule
