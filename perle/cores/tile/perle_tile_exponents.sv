// SPDX-License-Identifier: Apache-2.0
//
// The exponentiations of a tile's contexts: which products, of which numbers in its memories.
//
//   z ≡ x^e·β (mod M): a fixed window, from the highest digit of e on
//
// Ranges    e < 2^(DigitBits·digits), its digits from the lowest bit of a block on, BlockBits/DigitBits of them in each.
//           The highest one, from which on it is read, is digit digit_i of block block_i; these,
//           stride_i and beta_i are stable from four cycles before a start until all contexts are at rest
// Algorithm a context has numbers of N blocks one after the other, from stride_i·context on:
//             place        memory X                memory Y
//             0            x mod M, then z         R² mod M, then z
//             1            quotients               M̂
//             2            e                       R mod M
//             3 …          R mod M, powers         powers
//           Power i, x^i·R, is at place 3 + i in X for i below half of them, then from place 3 on in Y. First x·R in place
//           0, then powers 1 … 2^DigitBits − 1, each from the one before; then for each digit, but the first one,
//           DigitBits squarings, and a product by the digit's power; last a product by β, which all contexts have at
//           beta_i in Y. A product is asked for while the one before is computed
// Cycles    the time does not depend on e. Addresses do: a power is read where it is
// Left out  what the host does: R, R², M̂ and β; and the end of `reduce`, by which z becomes x^e mod M
//
// Parameters
//   BlockBits   bits of a block
//   MaxBlocks   most blocks of a modulus
//   AddrBits    of an address of the memories
//   DigitBits   of a digit of the exponent

module perle_tile_exponents
  import perle_tile_pkg::*;
#(
  parameter int unsigned BlockBits = 54,
  parameter int unsigned MaxBlocks = 39,
  parameter int unsigned AddrBits  = 10,
  parameter int unsigned DigitBits = 4,
  localparam int unsigned IndexBits = index_bits(MaxBlocks),
  localparam int unsigned PlaceBits = $clog2(BlockBits / DigitBits)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [IndexBits-1:0]              blocks_i,
  input  logic [IndexBits-1:0]              block_i,
  input  logic [PlaceBits-1:0]              digit_i,
  input  logic [AddrBits-1:0]               stride_i,
  input  logic [AddrBits-1:0]               beta_i,
  input  logic [Contexts-1:0]               start_i,
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
  input  logic [BlockBits-1:0]              read_data_i
);

  localparam int unsigned Half = 1 << (DigitBits - 1);
  localparam int unsigned Places = 3 + Half;
  localparam int unsigned Groups = 1 << (PlaceBits - 2);
  localparam int unsigned WalkBits = $clog2(Places);
  localparam logic [PlaceBits-1:0] LastDigit = PlaceBits'(BlockBits / DigitBits - 1);

  // Which product is next.
  typedef enum logic [2:0] {
    Enter    = 3'd0,
    Power    = 3'd1,
    First    = 3'd2,
    Square   = 3'd3,
    Multiply = 3'd4,
    Leave    = 3'd5
  } step_e;

  typedef struct packed {
    step_e step;
    logic [DigitBits-1:0] count;  // of powers, of squarings
    logic [IndexBits-1:0] block;  // where the digit of the exponent is
    logic [PlaceBits-1:0] place;
  } thread_t;

  // What is done for the product of the context whose turn it is.
  typedef enum logic [2:0] {
    Scan  = 3'd0,
    Find  = 3'd1,  // the address of the exponent
    Read  = 3'd2,
    Wait  = 3'd3,
    Back  = 3'd4,
    Walk  = 3'd5,  // the addresses of all numbers
    Ask   = 3'd6
  } state_e;

  thread_t thread_mem[Contexts];
  thread_t now_q, next;
  logic [Contexts-1:0] starting_q, active_q;
  state_e state_q;
  logic [CtxBits-1:0] ctx_q;
  logic [WalkBits-1:0] walk_q, table_place;
  logic [WalkBits-1:0] x_place, y_place, z_place;
  logic [AddrBits-1:0] base_q, at_q;
  logic [DigitBits-1:0] digit_q, power;
  logic [DigitBits-1:0] digits[1<<PlaceBits], digit_of_q[Groups];
  logic [1:0] write;
  logic in_x, last, wants_digit;

  assign busy_o = starting_q | active_q | tile_busy_i;
  assign req_ctx_o = ctx_q;
  assign req_valid_o = (state_q == Ask);
  assign read_valid_o = (state_q == Read);
  assign read_addr_o = at_q + AddrBits'(now_q.block);

  // the last digits of a block may be too few for a whole one
  always_comb begin
    digits = '{default: '0};
    for (int unsigned n = 0; n < BlockBits / DigitBits; n++) digits[n] = read_data_i[n*DigitBits+:DigitBits];
  end

  // the product
  assign wants_digit = (now_q.step == First) || (now_q.step == Multiply);
  assign power = wants_digit ? digit_q : now_q.count - DigitBits'(1);
  assign in_x = !power[DigitBits-1];
  assign table_place = WalkBits'(3) + WalkBits'(power[DigitBits-2:0]);
  always_comb begin
    x_place = '0;
    y_place = '0;
    z_place = '0;
    write = 2'b11;
    if (wants_digit || now_q.step == Power) begin
      if (in_x) x_place = table_place;
      else y_place = table_place;
    end
    if (now_q.step == First) begin
      if (in_x) y_place = WalkBits'(2);
      else x_place = WalkBits'(3);
    end
    if (now_q.step == Power) begin
      z_place = WalkBits'(3) + WalkBits'(now_q.count[DigitBits-2:0]);
      write = now_q.count[DigitBits-1] ? 2'b10 : 2'b01;
    end
  end

  // the one after it
  assign last = wants_digit && (now_q.block == '0) && (now_q.place == '0);
  always_comb begin
    next = now_q;
    next.count = now_q.count + DigitBits'(1);
    unique case (now_q.step)
      Enter: begin
        next.step = Power;
        next.count = DigitBits'(1);
      end
      Power:  if (now_q.count == '1) next.step = First;
      Square: if (now_q.count == DigitBits'(DigitBits - 1)) next.step = Multiply;
      default: begin
        next.step = last ? Leave : Square;
        next.count = '0;
        next.place = (now_q.place == '0) ? LastDigit : now_q.place - PlaceBits'(1);
        if (now_q.place == '0) next.block = now_q.block - IndexBits'(1);
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Scan) begin
      now_q <= thread_mem[ctx_q];
      if (starting_q[ctx_q]) now_q <= '{step: Enter, count: '0, block: block_i, place: digit_i};
      at_q <= base_q;
    end else if (state_q == Find || state_q == Walk) begin
      at_q <= at_q + AddrBits'(blocks_i);
    end else if (state_q == Back) begin
      at_q <= base_q;
    end
    if (state_q == Walk) begin
      if (walk_q == WalkBits'(1)) req_m_o <= at_q;
      if (walk_q == x_place) req_x_o <= at_q;
      if (walk_q == y_place) req_y_o <= (now_q.step == Leave) ? beta_i : at_q;
      if (walk_q == z_place) req_z_o <= at_q;
      req_write_o <= write;
    end
    // a block memory's word comes late: of each four digits one is selected, then one of these
    if (read_valid_i) begin
      for (int unsigned n = 0; n < Groups; n++) digit_of_q[n] <= digits[4*n+32'(now_q.place[1:0])];
    end
    if (state_q == Back) digit_q <= digit_of_q[now_q.place[PlaceBits-1:2]];
    if (state_q == Ask) thread_mem[ctx_q] <= next;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Scan;
      ctx_q <= '0;
      base_q <= '0;
      walk_q <= '0;
      starting_q <= '0;
      active_q <= '0;
    end else begin
      starting_q <= starting_q | start_i;
      walk_q <= '0;
      unique case (state_q)
        Scan: begin
          if ((starting_q[ctx_q] || active_q[ctx_q]) && req_ready_i) begin
            starting_q[ctx_q] <= 1'b0;
            active_q[ctx_q] <= 1'b1;
            state_q <= Find;
          end else begin
            ctx_q <= ctx_q + CtxBits'(1);
            base_q <= (ctx_q == '1) ? '0 : base_q + stride_i;
          end
        end
        Find: begin  // now_q is there
          walk_q <= walk_q + WalkBits'(1);
          if (!wants_digit || walk_q == WalkBits'(1)) state_q <= wants_digit ? Read : Back;
        end
        Read:    if (read_ready_i) state_q <= Wait;
        Wait:    if (read_valid_i) state_q <= Back;
        Back:    state_q <= Walk;
        Walk: begin
          walk_q <= walk_q + WalkBits'(1);
          if (walk_q == WalkBits'(Places - 1)) state_q <= Ask;
        end
        default: begin
          state_q <= Scan;
          ctx_q <= ctx_q + CtxBits'(1);
          base_q <= (ctx_q == '1) ? '0 : base_q + stride_i;
          if (now_q.step == Leave) active_q[ctx_q] <= 1'b0;
        end
      endcase
    end
  end

endmodule
