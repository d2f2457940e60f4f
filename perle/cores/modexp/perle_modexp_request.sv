// SPDX-License-Identifier: Apache-2.0
//
// The operands of the next request, laid out while the product before it runs.
//
// Ranges    as perle_modexp; what follows the product is known since the cycle before
// Algorithm a product that has just come is an operand at once; a request that was not taken with it takes it from
//           stored_i. Secret digits and bits choose between values that are read in any case
// Cycles    x_line_o, y_line_o and op_o one cycle after next_i, x_o and y_o two after their lines are there
//
// Parameters
//   OperandBits   bits of an operand      WindowBits   w      LineIdx   bits of a line's number

module perle_modexp_request
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned WindowBits  = 4,
  parameter int unsigned LineIdx     = 5
) (
  input  logic                     clk_i,
  input  logic                     hold_i,        // a request is due, not taken with the product before it
  input  logic                     wait_i,        // the same, or the first one
  input  state_e                   state_i,
  input  state_e                   next_i,
  input  logic                     windowed_i,
  input  logic                     ladder_i,
  input  logic                     paper_i,
  input  logic                     exponent_bit_i,
  input  logic                     last_bit_i,    // the bit before: 1 where the ladder's R1 is the square
  input  logic   [ WindowBits-1:0] pair_i,        // the ladder's lines: pair_i its product, then its square
  input  logic   [OperandBits-1:0] x_line_i,
  input  logic   [OperandBits-1:0] y_line_i,
  input  logic   [OperandBits-1:0] picked_i,
  input  logic   [OperandBits-1:0] last_i,        // the product that comes
  input  logic   [OperandBits-1:0] stored_i,      // and once it has come
  output logic   [    LineIdx-1:0] x_line_o,
  output logic   [    LineIdx-1:0] y_line_o,
  output mul_op_e                  op_o,
  output logic   [OperandBits-1:0] x_o,
  output logic   [OperandBits-1:0] y_o
);

  typedef logic [LineIdx-1:0] line_t;
  localparam line_t LineX = line_t'(1 << WindowBits);
  localparam line_t LineY = LineX + line_t'(1);
  localparam line_t LineR2 = LineX + line_t'(2);

  source_e x_src, y_src, x_src_q, y_src_q;
  line_t x_line, y_line, product_line, square_line;
  mul_op_e op;
  logic square, square_q;  // of the pair, the square
  logic x_last_q, y_last_q;
  logic [OperandBits-1:0] pair, x_q, y_q, last;

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

  assign pair = square_q ? x_line_i : y_line_i;
  assign last = wait_i ? stored_i : last_i;

  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      x_src_q <= x_src;
      y_src_q <= y_src;
      square_q <= square;
      x_line_o <= x_line;
      y_line_o <= y_line;
      op_o <= op;
    end
    x_last_q <= (x_src_q == SrcLast);
    y_last_q <= (y_src_q == SrcLast);
    unique case (x_src_q)
      SrcOne: x_q <= OperandBits'(1);
      SrcPicked: x_q <= picked_i;
      SrcPair: x_q <= pair;
      default: x_q <= x_line_i;
    endcase
    y_q <= (y_src_q == SrcPair) ? pair : y_line_i;
  end

  assign x_o = x_last_q ? last : x_q;
  assign y_o = y_last_q ? last : y_q;

endmodule
