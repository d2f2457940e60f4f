// SPDX-License-Identifier: Apache-2.0
//
// The operands of a request: of the step in state_i where it is still to be asked for (issue_i), else of what
// follows it, in the cycle of its response. Combinational.
//
// Ranges    as perle_modexp
// Algorithm a product that has just come is an operand at once; a request that was not taken with it reads it
//           back from its line. Secret digits and bits choose between values that are read in any case
// Cycles    none
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
  input  state_e                   state_i,
  input  state_e                   next_i,
  input  logic                     issue_i,
  input  logic                     windowed_i,
  input  logic                     ladder_i,
  input  logic                     paper_i,
  input  logic                     exponent_bit_i,
  input  logic                     last_bit_i,    // the bit before: 1 where the ladder's R1 is the square
  input  logic   [ WindowBits-1:0] pair_i,        // the ladder's lines: pair_i its product, then its square
  input  logic   [    LineIdx-1:0] last_line_i,   // where the last product was stored
  input  logic   [OperandBits-1:0] x_line_i,
  input  logic   [OperandBits-1:0] y_line_i,
  input  logic   [OperandBits-1:0] picked_i,
  input  logic   [OperandBits-1:0] last_i,
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

  state_e ask;
  source_e x_src, y_src;
  logic square;  // of the pair, the square
  line_t product_line, square_line;
  logic [OperandBits-1:0] pair;

  assign ask = issue_i ? state_i : next_i;
  assign product_line = line_t'(pair_i);
  assign square_line = line_t'(pair_i) | line_t'(1);

  always_comb begin
    x_src = SrcLine;
    y_src = SrcLine;
    x_line_o = LineX;
    y_line_o = LineR2;
    square = 1'b0;
    op_o = OpMul;
    unique case (ask)
      StMont, StFlush: y_line_o = LineY;
      StMulXY: begin
        x_src = SrcLast;
        y_line_o = LineY;
      end
      StMulDomain: x_src = SrcLast;
      StTable: begin
        x_line_o = line_t'(1);
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
        x_line_o = line_t'(1);
        if (windowed_i) x_src = SrcPicked;
        y_src = SrcLast;
      end
      StLadder: begin
        x_line_o = square_line;
        y_line_o = product_line;
        // what came last is R0 = 1·R at first, a square afterwards
        if (!issue_i && state_i == StOne) y_src = SrcLast;
        else if (!issue_i) x_src = SrcLast;
      end
      StStep: begin
        x_line_o = square_line;
        y_line_o = product_line;
        x_src = SrcPair;
        y_src = SrcPair;
        square = (exponent_bit_i == last_bit_i);
      end
      StLeave: begin
        x_src = SrcOne;
        y_src = SrcLast;
        if (!paper_i) op_o = OpReduce;
        if (ladder_i) begin
          x_line_o = square_line;
          y_line_o = product_line;
          square = !last_bit_i;
          if (issue_i) y_src = SrcPair;
          else if (exponent_bit_i) y_src = SrcLine;
        end
      end
      default: ;
    endcase
    if (issue_i && x_src == SrcLast) x_line_o = last_line_i;
    if (issue_i && y_src == SrcLast) y_line_o = last_line_i;
  end

  assign pair = square ? x_line_i : y_line_i;

  always_comb begin
    unique case (x_src)
      SrcOne: x_o = OperandBits'(1);
      SrcLast: x_o = issue_i ? x_line_i : last_i;
      SrcPicked: x_o = picked_i;
      SrcPair: x_o = pair;
      default: x_o = x_line_i;
    endcase
    unique case (y_src)
      SrcLast: y_o = issue_i ? y_line_i : last_i;
      SrcPair: y_o = pair;
      default: y_o = y_line_i;
    endcase
  end

endmodule
