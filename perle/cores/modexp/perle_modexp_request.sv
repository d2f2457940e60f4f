// SPDX-License-Identifier: Apache-2.0
//
// What the next request is made of, laid out while the product before it runs.
//
// Ranges    as perle_modexp; what follows the product is known since the cycle before
// Algorithm a product that has just come is an operand at once. Secret digits and bits choose between values that are
//           read in any case
// Cycles    one after next_i
//
// Parameters
//   WindowBits   w      LineIdx   bits of a line's number      Early   as perle_modexp

module perle_modexp_request
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter int unsigned WindowBits = 4,
  parameter int unsigned LineIdx    = 5,
  parameter int unsigned Early      = 0
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   hold_i,          // a request is due, or was taken lately
  input  state_e                 state_i,
  input  state_e                 next_i,
  input  logic                   windowed_i,
  input  logic                   ladder_i,
  input  logic                   paper_i,
  input  logic                   exponent_bit_i,
  input  logic                   last_bit_i,      // the bit before: 1 where the ladder's R1 is the square
  input  logic [WindowBits-1:0]  pair_i,          // the ladder's lines: pair_i its product, then its square
  input  logic [WindowBits-1:0]  digit_i,
  output logic [   LineIdx-1:0]  x_line_o,
  output logic [   LineIdx-1:0]  y_line_o,
  output source_e                x_src_o,
  output source_e                y_src_o,
  output logic                   square_o,        // of the pair, the line of x
  output logic                   pick_on_o,       // the table's entries, as perle_modexp_table_read
  output logic                   pick_first_o,
  output logic                   pick_hit_o,
  output logic                   picked_o,        // all of them have been read
  output mul_op_e                op_o,
  output logic                   early_o,         // another product follows: the response may be early
  output logic                   forward_o        // y is the product whose response comes with the request
);

  typedef logic [LineIdx-1:0] line_t;
  localparam line_t LineX = line_t'(1 << WindowBits);
  localparam line_t LineY = LineX + line_t'(1);
  localparam line_t LineR2 = LineX + line_t'(2);

  source_e x_src, y_src;
  line_t x_line, y_line, y_line_q, product_line, square_line;
  logic pick, pick_q;
  logic [WindowBits-1:0] entry;
  mul_op_e op;
  logic square;

  assign product_line = line_t'(pair_i);
  assign square_line = line_t'(pair_i) | line_t'(1);

  always_comb begin
    x_src = SrcLine;
    y_src = SrcLine;
    x_line = LineX;
    y_line = LineR2;
    square = 1'b0;
    op = OpMul;
    unique case (next_i)
      StMont, StFlush: y_line = LineY;
      StMulXY: begin
        x_src = SrcLast;
        y_line = LineY;
      end
      StMulDomain: x_src = SrcLast;
      StTable: begin
        x_line = line_t'(1);
        y_src = SrcLast;
        // T[1] is on its way into the lines when the first entry is asked for
        if (state_i == StBase) x_src = SrcLast;
      end
      StOne: x_src = SrcOne;
      StSquare: begin
        x_src = SrcLast;
        y_src = SrcLast;
      end
      StMultiply: begin
        x_line = line_t'(1);
        if (windowed_i) x_src = SrcPicked;
        y_src = SrcLast;
      end
      StLadder: begin
        x_line = square_line;
        y_line = product_line;
        // what comes last is R0 = 1·R at first, a square afterwards
        if (state_i == StOne) y_src = SrcLast;
        else x_src = SrcLast;
      end
      StStep: begin
        // what comes last is the product; the pair is older
        x_line = square_line;
        y_line = product_line;
        x_src = SrcPair;
        y_src = SrcPair;
        square = (exponent_bit_i == last_bit_i);
      end
      StLeave: begin
        x_src = SrcOne;
        y_src = SrcLast;
        if (!paper_i) op = OpReduce;
        if (ladder_i) begin
          y_line = product_line;
          if (exponent_bit_i) y_src = SrcLine;
        end
      end
      default: ;
    endcase
  end

  // the table is read while the squarings of its digit run, which need no line, nor does what follows them: the choice
  // of the line may come a cycle later
  assign pick = windowed_i && (state_i == StSquare);
  assign y_line_o = pick_q ? line_t'(entry) : y_line_q;

  perle_modexp_table_read #(
    .WindowBits(WindowBits),
    .Delay     (Early)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .run_i  (pick),
    .digit_i,
    .index_o(entry),
    .done_o (picked_o),
    .on_o   (pick_on_o),
    .first_o(pick_first_o),
    .hit_o  (pick_hit_o)
  );

  always_ff @(posedge clk_i) begin
    pick_q <= pick;
    if (!hold_i) begin
      x_src_o <= x_src;
      y_src_o <= y_src;
      square_o <= square;
      x_line_o <= x_line;
      y_line_q <= y_line;
      op_o <= op;
      early_o <= (Early != 0) && !(next_i inside {StMont, StFlush, StLeave});
    end
  end

  assign forward_o = (Early != 0) && (y_src_o == SrcLast);

endmodule
