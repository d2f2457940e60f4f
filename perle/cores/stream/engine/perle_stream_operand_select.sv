// SPDX-License-Identifier: Apache-2.0
//
// Where the operands of a step are: the slots of perle_modexp_request, without products in flight.
//
// Ranges    as perle_modexp_request
// Algorithm the slot after the squarings of a window digit is the digit; the slots of a ladder are those of the program
// Cycles    1
//
// Parameters
//   WindowBits   w

module perle_stream_operand_select
  import perle_modexp_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned WindowBits = 4,
  localparam int unsigned SlotBits   = WindowBits + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  state_e                  state_i,
  input  logic                    windowed_i,
  input  logic                    ladder_i,
  input  logic                    bit_i,       // of the exponent
  input  logic                    last_bit_i,  // the one before: 1 where the ladder's R1 is the square
  input  logic   [WindowBits-1:0] entry_i,     // the ladder's slots
  input  logic   [WindowBits-1:0] digit_i,
  input  logic   [  SlotBits-1:0] last_i,  // where the last result is
  output from_e                   x_from_o,
  output logic   [  SlotBits-1:0] x_slot_o,
  output from_e                   y_from_o,
  output logic   [           1:0] y_slot_o
);

  logic square;
  logic [SlotBits-1:0] product_slot, square_slot, either_slot;

  assign product_slot = SlotBits'(entry_i);
  assign square_slot = SlotBits'(entry_i) | SlotBits'(1);
  assign square = (state_i == StExit) ? !last_bit_i : (bit_i == last_bit_i);
  assign either_slot = square ? square_slot : product_slot;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_from_o <= FromNothing;
      x_slot_o <= '0;
      y_from_o <= FromNothing;
      y_slot_o <= '0;
    end else begin
      x_from_o <= FromSlot;
      y_from_o <= FromSlot;
      x_slot_o <= last_i;
      y_slot_o <= last_i[1:0];
      unique case (state_i)
        StMont, StMulIn, StBase: begin
          x_from_o <= FromHost;
          y_from_o <= FromHost;
          y_slot_o <= 2'(state_i != StMont);
        end
        StMulXY, StMulDomain: begin
          y_from_o <= FromHost;
          y_slot_o <= 2'(state_i == StMulDomain);
        end
        StOne: begin
          x_from_o <= FromOne;
          y_from_o <= FromHost;
          y_slot_o <= 2'd1;
        end
        StTable: x_slot_o <= SlotBits'(1);
        StMultiply: x_slot_o <= windowed_i ? SlotBits'(digit_i) : SlotBits'(1);
        StSquare: ;
        StLadder: begin
          x_slot_o <= square_slot;
          y_slot_o <= product_slot[1:0];
        end
        StStep: begin
          x_slot_o <= either_slot;
          y_slot_o <= either_slot[1:0];
        end
        StExit: begin
          x_from_o <= FromOne;
          if (ladder_i) y_slot_o <= either_slot[1:0];
        end
        default: begin
          x_from_o <= FromNothing;
          y_from_o <= FromNothing;
        end
      endcase
    end
  end

endmodule
