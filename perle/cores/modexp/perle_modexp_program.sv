// SPDX-License-Identifier: Apache-2.0
//
// The step after the product in flight, and the slot of that product's result.
//
// Ranges    pos_i: lowest bit of the digit; squares_i: squarings left, in [1, w]; entry_i: in [2, 2^w) in
//           StTable, 0 or 2 in ModeLadder
// Algorithm CmdMont     StMont
//           CmdMulMod   StMulIn, StMulXY, StMulDomain, StExit
//           CmdExp      StBase, StTable… (ModeWindow), StOne, then per digit StSquare… and StMultiply, StExit
//           A digit takes WindowBits squarings and always one product in ModeWindow, else one squaring and a
//           product where the bit is 1. In ModeLadder a bit takes StLadder and StStep: R0·R1 and the square
//           of R0 or R1 go to the slots 0 and 1 or 2 and 3, alternately; entry_i is the first slot of the
//           pair that is read
// Cycles    none: combinational
//
// Parameters
//   WindowBits   w >= 2            PosBits   bits of an exponent position
//   SlotIdx      bits of a slot's number

module perle_modexp_program
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 11,
  parameter  int unsigned SlotIdx    = 5,
  localparam int unsigned SquareBits = $clog2(WindowBits + 1)
) (
  input  state_e                  state_i,
  input  logic                    windowed_i,
  input  logic                    ladder_i,
  input  logic                    exponent_bit_i,
  input  logic   [   PosBits-1:0] pos_i,
  input  logic   [SquareBits-1:0] squares_i,
  input  logic   [WindowBits-1:0] entry_i,
  output logic   [   SlotIdx-1:0] slot_o,
  output state_e                  next_o,
  output logic   [   PosBits-1:0] pos_o,
  output logic   [SquareBits-1:0] squares_o,
  output logic   [WindowBits-1:0] entry_o
);

  localparam int unsigned Entries = 1 << WindowBits;

  logic last_square;
  logic [WindowBits-1:0] other_pair;

  assign last_square = (squares_i == SquareBits'(1));
  assign other_pair = entry_i ^ WindowBits'(2);

  always_comb begin
    unique case (state_i)
      StBase: slot_o = SlotIdx'(1);
      StTable: slot_o = SlotIdx'(entry_i);
      StOne: slot_o = SlotIdx'(0);
      StLadder: slot_o = SlotIdx'(other_pair);
      StStep: slot_o = SlotIdx'(other_pair) | SlotIdx'(1);
      default: slot_o = SlotIdx'(Entries + 3);
    endcase
  end

  always_comb begin
    next_o = state_i;
    pos_o = pos_i;
    squares_o = squares_i;
    entry_o = entry_i;
    unique case (state_i)
      StMulIn: next_o = StMulXY;
      StMulXY: next_o = StMulDomain;
      StMulDomain: next_o = StExit;
      StBase: begin
        next_o = windowed_i ? StTable : StOne;
        entry_o = WindowBits'(2);
      end
      StTable: begin
        if (&entry_i) next_o = StOne;
        entry_o = entry_i + WindowBits'(1);
      end
      StOne: begin
        next_o = ladder_i ? StLadder : StSquare;
        entry_o = '0;
      end
      StSquare: begin
        squares_o = squares_i - SquareBits'(1);
        if (last_square) begin
          if (windowed_i || exponent_bit_i) next_o = StMultiply;
          else if (pos_i == '0) next_o = StExit;
        end
      end
      StMultiply: next_o = (pos_i == '0) ? StExit : StSquare;
      StLadder: next_o = StStep;
      StStep: begin
        next_o = (pos_i == '0) ? StExit : StLadder;
        entry_o = other_pair;
        pos_o = pos_i - PosBits'(1);
      end
      default: next_o = StIdle;  // StFlush, StMont, StExit: the last product
    endcase
    // a new digit: after StOne, or when the last digit's products are done
    if (next_o == StSquare && (state_i != StSquare || last_square)) begin
      squares_o = windowed_i ? SquareBits'(WindowBits) : SquareBits'(1);
      if (state_i != StOne) pos_o = pos_i - (windowed_i ? PosBits'(WindowBits) : PosBits'(1));
    end
  end

endmodule
