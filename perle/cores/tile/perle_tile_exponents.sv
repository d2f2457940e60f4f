// SPDX-License-Identifier: Apache-2.0
//
// Executes the commands of a tile's contexts: requests their products, with the addresses of the operands.
//
//   z ≡ x^e·β, x·y·β (mod M), or a product, by the steps of perle_modexp_program
//
// Ranges    blocks_i and beta_i are stable; the context of a start is idle
// Algorithm a context has numbers of N blocks one after the other, from address stride_i·context on:
//             place        memory X                memory Y
//             0            x, then z               z
//             1            quotients               M̂
//             2            e, 32 bits in a block   y
//             3            of 2·N blocks           R² mod M
//             4 …          powers                  powers
//           The lower half of the powers x^i·R is in X at place 4 + i, the upper half in Y at 4 + i − half.
//           Until the power there is written, place 5 of Y has x·R as well: each power is a product of one
//           number of each memory. At beta_i X has 1 and Y has β, shared by all contexts. The first squaring,
//           1², is computed as 1·R², which writes z to both memories. A ladder has two pairs of a product and
//           a square in both: at places 4 to 7, or with windows of two bits products at 4 and 0, squares at 5
// Cycles    the time depends on the position of the first digit, in ModeBinary and ModePaper also on the
//           weight of e. The address of a power depends on e. A product is requested while the one before it
//           is computed
// Left out  R² and M̂, which the host computes; the end of `reduce`, z·β^-1 mod M (perle_tile_leave)
//
// Parameters
//   BlockBits    bits of a block, more than 32       MaxBlocks   most blocks of a modulus
//   AddrBits     bits of an address of the memories
//   WindowBits   bits of a window digit: 2 or 4      PosBits     bits of a position in an exponent

module perle_tile_exponents
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter int unsigned BlockBits  = 54,
  parameter int unsigned MaxBlocks  = 39,
  parameter int unsigned AddrBits   = 10,
  parameter int unsigned WindowBits = 4,
  parameter int unsigned PosBits    = 12,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [IndexBits-1:0]              blocks_i,
  input  logic [AddrBits-1:0]               stride_i,
  input  logic [AddrBits-1:0]               beta_i,
  // a command, accepted when its context is scanned
  input  logic                              start_valid_i,
  output logic                              start_ready_o,
  input  logic [CtxBits-1:0]                start_ctx_i,
  input  state_e                            start_state_i,
  input  logic [1:0]                        start_mode_i,
  input  logic [PosBits-1:0]                start_pos_i,
  output logic [Contexts-1:0]               busy_o,
  // requests to the tile
  output logic                              req_valid_o,
  input  logic                              req_ready_i,
  output logic [CtxBits-1:0]                req_ctx_o,
  output logic [AddrBits-1:0]               req_x_o,
  output logic [AddrBits-1:0]               req_y_o,
  output logic [AddrBits-1:0]               req_z_o,
  output logic [AddrBits-1:0]               req_m_o,
  output logic [1:0]                        req_write_o,
  input  logic [Contexts-1:0]               tile_busy_i,
  // reads of memory X
  output logic                              read_valid_o,
  input  logic                              read_ready_i,
  output logic [AddrBits-1:0]               read_addr_o,
  input  logic                              read_valid_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [BlockBits-1:0]              read_data_i  // the lower 32 bits
  // verilator lint_on UNUSEDSIGNAL
);

  localparam int unsigned Places = places(WindowBits);
  localparam int unsigned WalkBits = $clog2(Places);
  localparam int unsigned Digits = 32 / WindowBits;
  localparam int unsigned DigitBits = $clog2(WindowBits);
  localparam int unsigned Groups = Digits / 4;
  localparam int unsigned SquareBits = $clog2(WindowBits + 1);
  localparam int unsigned SlotIdx = $clog2((1 << WindowBits) + 4);
  localparam logic [WalkBits-1:0] PlaceY = WalkBits'(2), PlaceR2 = WalkBits'(3), PlaceTable = WalkBits'(4);
  localparam logic [WalkBits-1:0] PlaceBase = WalkBits'(5);

  typedef struct packed {
    state_e state;
    logic [1:0] mode;
    logic [PosBits-1:0] pos;
    logic [SquareBits-1:0] squares;
    logic [WindowBits-1:0] entry;
    logic first;     // square
    logic last_bit;  // of a ladder
  } thread_t;

  // Steps towards the next product of context ctx_q.
  typedef enum logic [2:0] {
    Scan  = 3'd0,
    Find  = 3'd1,  // the address of the exponent
    Read  = 3'd2,
    Wait  = 3'd3,
    Back  = 3'd4,
    Place = 3'd5,  // which numbers are needed
    Walk  = 3'd6,  // counts through the addresses of all numbers
    Ask   = 3'd7
  } state_t;

  thread_t thread_mem[Contexts];
  thread_t now_q, next, next_q;
  logic [Contexts-1:0] active_q;
  state_t state_q;
  logic [CtxBits-1:0] ctx_q;
  logic [WalkBits-1:0] walk_q;
  logic [AddrBits-1:0] base_q, at_q;
  logic [WindowBits-1:0] digit_q, previous;
  logic [1:0] other;
  logic [WindowBits-1:0] digits[Digits], digit_of_q[Groups];
  logic starts, exponent_bit, exponent_bit_q, windowed, ladder, zeroize, ends, ends_q;
  logic looked_q, starts_q, begins_q;  // Scan takes two cycles

  assign busy_o = active_q | tile_busy_i;
  assign req_ctx_o = ctx_q;
  assign req_valid_o = (state_q == Ask);
  assign read_valid_o = (state_q == Read);
  assign read_addr_o = at_q + AddrBits'(now_q.pos >> 5);
  assign starts = start_valid_i && (start_ctx_i == ctx_q);
  assign start_ready_o = (state_q == Scan) && looked_q && starts_q && begins_q;

  always_comb begin
    for (int unsigned n = 0; n < Digits; n++) digits[n] = read_data_i[n*WindowBits+:WindowBits];
  end

  // ---------------------------------------------------------------- the product after this one
  // registered: there is time until the result is used
  logic [SquareBits-1:0] program_squares, program_squares_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [SlotIdx-1:0] slot;  // of a pair
  // verilator lint_on UNUSEDSIGNAL
  state_e program_next, program_next_q;
  logic [PosBits-1:0] program_pos, program_pos_q;
  logic [WindowBits-1:0] program_entry, program_entry_q;

  assign windowed = (now_q.mode == perle_pkg::ModeWindow);
  assign ladder = (now_q.mode == perle_pkg::ModeLadder);
  assign zeroize = (now_q.state == StZeroize);
  assign exponent_bit = digit_q[now_q.pos[DigitBits-1:0]];

  perle_modexp_program #(
    .WindowBits(WindowBits),
    .PosBits   (PosBits),
    .SlotIdx   (SlotIdx)
  ) u_program (
    .state_i       (now_q.state),
    .windowed_i    (windowed),
    .ladder_i      (ladder),
    .exponent_bit_i(exponent_bit_q),
    .pos_i         (now_q.pos),
    .squares_i     (now_q.squares),
    .entry_i       (now_q.entry),
    .slot_o        (slot),
    .next_o        (program_next),
    .pos_o         (program_pos),
    .squares_o     (program_squares),
    .entry_o       (program_entry)
  );

  always_ff @(posedge clk_i) begin
    exponent_bit_q <= exponent_bit;
    program_next_q <= program_next;
    program_pos_q <= program_pos;
    program_squares_q <= program_squares;
    program_entry_q <= program_entry;
  end

  assign ends = zeroize ? (now_q.pos == '0) : (program_next_q == StIdle);
  always_comb begin
    next = now_q;
    next.state = program_next_q;
    next.pos = program_pos_q;
    next.squares = program_squares_q;
    next.entry = program_entry_q;
    next.first = (now_q.state == StOne);
    if (now_q.state == StOne) next.last_bit = 1'b1;
    else if (now_q.state == StStep) next.last_bit = exponent_bit;
    if (zeroize) begin
      next.state = StZeroize;
      next.pos = now_q.pos - PosBits'(1);
    end
  end

  // ---------------------------------------------------------------- where its numbers are
  logic [WalkBits-1:0] x_place, y_place, z_place, x_place_q, y_place_q, z_place_q;
  logic x_one, y_beta, x_one_q, y_beta_q, square;
  logic [1:0] write, write_q;

  assign previous = now_q.entry - WindowBits'(1);
  // ladder: whether the square of the last pair is used, or the product
  assign square = (now_q.state == StExit) ? !now_q.last_bit : (exponent_bit == now_q.last_bit);
  assign other = {now_q.entry[1], square};

  function automatic logic [WalkBits-1:0] of_table(logic [WindowBits-2:0] number);
    return PlaceTable + WalkBits'(number);
  endfunction
  function automatic logic [WalkBits-1:0] of_pair(logic [1:0] number);
    if (WindowBits > 2) return PlaceTable + WalkBits'(number);
    return number[0] ? PlaceBase : number[1] ? '0 : PlaceTable;
  endfunction

  always_comb begin
    x_place = '0;
    y_place = '0;
    z_place = '0;
    x_one = 1'b0;
    y_beta = 1'b0;
    write = 2'b11;
    unique case (now_q.state)
      StMont, StMulXY: y_place = PlaceY;
      StMulIn, StMulDomain: y_place = PlaceR2;
      StBase: begin
        y_place = PlaceR2;
        z_place = PlaceBase;
      end
      StTable: begin
        x_place = previous[WindowBits-1] ? PlaceBase : of_table(previous[WindowBits-2:0]);
        y_place = previous[WindowBits-1] ? of_table(previous[WindowBits-2:0]) : PlaceBase;
        z_place = of_table(now_q.entry[WindowBits-2:0]);
        write = now_q.entry[WindowBits-1] ? 2'b10 : 2'b01;
      end
      StOne: begin
        x_one = 1'b1;
        y_place = PlaceR2;
        z_place = PlaceTable;
        if (windowed) write = 2'b01;
      end
      StSquare: begin
        x_one = now_q.first;
        if (now_q.first) y_place = PlaceR2;
      end
      StMultiply: begin
        if (!windowed) x_place = PlaceBase;
        else if (digit_q[WindowBits-1]) y_place = of_table(digit_q[WindowBits-2:0]);
        else x_place = of_table(digit_q[WindowBits-2:0]);
      end
      StLadder: begin
        x_place = of_pair({now_q.entry[1], 1'b1});
        y_place = of_pair({now_q.entry[1], 1'b0});
        z_place = of_pair(slot[1:0]);
      end
      StStep: begin
        x_place = of_pair(other);
        y_place = of_pair(other);
        z_place = of_pair(slot[1:0]);
      end
      StExit: begin
        if (now_q.mode == perle_pkg::ModePaper) begin
          x_one = 1'b1;
        end else begin
          y_beta = 1'b1;
          if (ladder) x_place = of_pair(other);
        end
      end
      default: begin  // StZeroize: zeros everywhere
        y_place = PlaceR2;
        if (now_q.pos != '0) z_place = of_table(now_q.pos[WindowBits-2:0]);
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    {x_place_q, y_place_q, z_place_q} <= {x_place, y_place, z_place};
    {x_one_q, y_beta_q, write_q} <= {x_one, y_beta, write};
    if (state_q == Scan) begin
      now_q <= thread_mem[ctx_q];
      if (starts) begin
        now_q <= '{state: start_state_i, mode: start_mode_i, pos: start_pos_i, default: '0};
      end
      at_q <= base_q;
    end else if (state_q == Find || state_q == Walk) begin
      at_q <= at_q + AddrBits'(blocks_i);
    end else if (state_q == Back) begin
      at_q <= base_q;
    end
    if (state_q == Walk) begin
      if (walk_q == WalkBits'(1)) req_m_o <= at_q;
      if (x_one_q) req_x_o <= beta_i;
      else if (walk_q == x_place_q) req_x_o <= at_q;
      if (y_beta_q) req_y_o <= beta_i;
      else if (walk_q == y_place_q) req_y_o <= at_q;
      if (walk_q == z_place_q) req_z_o <= at_q;
      req_write_o <= write_q;
      next_q <= next;
    end
    // the output of a block memory is slow: selects one digit of each four, a cycle later one of these
    if (read_valid_i) begin
      for (int unsigned n = 0; n < Groups; n++) digit_of_q[n] <= digits[4*n+32'(now_q.pos[DigitBits+:2])];
    end
    if (state_q == Back) begin
      digit_q <= digit_of_q[32'(now_q.pos[4:0]) / (4 * WindowBits)];
    end
    if (state_q == Ask) thread_mem[ctx_q] <= next_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Scan;
      ctx_q <= '0;
      base_q <= '0;
      walk_q <= '0;
      active_q <= '0;
      ends_q <= 1'b0;
      looked_q <= 1'b0;
      starts_q <= 1'b0;
      begins_q <= 1'b0;
    end else begin
      walk_q <= '0;
      ends_q <= ends;
      unique case (state_q)
        Scan: begin
          looked_q <= !looked_q;
          starts_q <= starts;
          begins_q <= (active_q[ctx_q] || starts) && req_ready_i;
          if (looked_q && begins_q) begin
            active_q[ctx_q] <= 1'b1;
            state_q <= Find;
          end else if (looked_q) begin
            ctx_q <= ctx_q + CtxBits'(1);
            base_q <= (ctx_q == '1) ? '0 : base_q + stride_i;
          end
        end
        Find: begin  // now_q is valid
          walk_q <= walk_q + WalkBits'(1);
          if (walk_q == WalkBits'(1)) state_q <= Read;
        end
        Read:    if (read_ready_i) state_q <= Wait;
        Wait:    if (read_valid_i) state_q <= Back;
        Back:    state_q <= Place;
        Place:   state_q <= Walk;
        Walk: begin
          walk_q <= walk_q + WalkBits'(1);
          if (walk_q == WalkBits'(Places - 1)) state_q <= Ask;
        end
        default: begin
          state_q <= Scan;
          ctx_q <= ctx_q + CtxBits'(1);
          base_q <= (ctx_q == '1) ? '0 : base_q + stride_i;
          if (ends_q) active_q[ctx_q] <= 1'b0;
        end
      endcase
    end
  end

endmodule
