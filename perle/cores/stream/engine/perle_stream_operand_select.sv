// SPDX-License-Identifier: Apache-2.0
//
// Source and slot of each operand of a step, as in perle_modexp_request; all results are read from slots.
//
// Ranges    as perle_modexp_request
// Algorithm the product after the squarings of a window digit reads the slot with that number; the slots of
//           the ladder are those of perle_modexp_program
// Cycles    latency 1
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
  input  logic                    last_bit_i,  // ladder: the last bit; 1 if R1 is the square of the pair
  input  logic   [WindowBits-1:0] entry_i,     // ladder: first slot of the pair
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
