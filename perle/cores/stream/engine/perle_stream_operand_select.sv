// SPDX-License-Identifier: Apache-2.0
//
// Where the operands of a step are: the lines of perle_modexp_request, without what is on its way.
//
// Ranges    as perle_modexp_request
// Algorithm the line after the squarings of a window digit is the digit; the ladder's lines are as the program has them
// Cycles    1
//
// Parameters
//   WindowBits   w

module perle_stream_operand_select
  import perle_modexp_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned WindowBits = 4,
  localparam int unsigned LineBits   = WindowBits + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  state_e                  state_i,
  input  logic                    windowed_i,
  input  logic                    ladder_i,
  input  logic                    bit_i,       // of the exponent
  input  logic                    last_bit_i,  // the one before: 1 where the ladder's R1 is the square
  input  logic   [WindowBits-1:0] entry_i,     // the ladder's lines
  input  logic   [WindowBits-1:0] digit_i,
  input  logic   [  LineBits-1:0] last_i,      // where the last result is
  output from_e                   x_from_o,
  output logic   [  LineBits-1:0] x_line_o,
  output from_e                   y_from_o,
  output logic   [           1:0] y_line_o
);

  logic square;
  logic [LineBits-1:0] product_line, square_line, either_line;

  assign product_line = LineBits'(entry_i);
  assign square_line = LineBits'(entry_i) | LineBits'(1);
  assign square = (state_i == StLeave) ? !last_bit_i : (bit_i == last_bit_i);
  assign either_line = square ? square_line : product_line;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_from_o <= FromNothing;
      x_line_o <= '0;
      y_from_o <= FromNothing;
      y_line_o <= '0;
    end else begin
      x_from_o <= FromLine;
      y_from_o <= FromLine;
      x_line_o <= last_i;
      y_line_o <= last_i[1:0];
      unique case (state_i)
        StMont, StMulIn, StBase: begin
          x_from_o <= FromHost;
          y_from_o <= FromHost;
          y_line_o <= 2'(state_i != StMont);
        end
        StMulXY, StMulDomain: begin
          y_from_o <= FromHost;
          y_line_o <= 2'(state_i == StMulDomain);
        end
        StOne: begin
          x_from_o <= FromOne;
          y_from_o <= FromHost;
          y_line_o <= 2'd1;
        end
        StTable: x_line_o <= LineBits'(1);
        StMultiply: x_line_o <= windowed_i ? LineBits'(digit_i) : LineBits'(1);
        StSquare: ;
        StLadder: begin
          x_line_o <= square_line;
          y_line_o <= product_line[1:0];
        end
        StStep: begin
          x_line_o <= either_line;
          y_line_o <= either_line[1:0];
        end
        StLeave: begin
          x_from_o <= FromOne;
          if (ladder_i) y_line_o <= either_line[1:0];
        end
        default: begin
          x_from_o <= FromNothing;
          y_from_o <= FromNothing;
        end
      endcase
    end
  end

endmodule
