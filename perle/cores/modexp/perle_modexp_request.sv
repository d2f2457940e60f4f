// SPDX-License-Identifier: Apache-2.0
//
// Operands of the next request, prepared while the product before it runs.
//
// Ranges    as perle_modexp; next_i comes from a register
// Algorithm a product can be an operand in the cycle of its response. Secret digits and bits only select
//           among values that are always read
// Cycles    latency one cycle after next_i
//
// Parameters
//   WindowBits   w      SlotIdx   bits of a slot's number      Early   as perle_modexp

module perle_modexp_request
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter int unsigned WindowBits = 4,
  parameter int unsigned SlotIdx    = 5,
  parameter int unsigned Early      = 0
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   hold_i,          // a request is due or was accepted in the last two cycles
  input  state_e                 state_i,
  input  state_e                 next_i,
  input  logic                   windowed_i,
  input  logic                   ladder_i,
  input  logic                   paper_i,
  input  logic                   exponent_bit_i,
  input  logic                   last_bit_i,      // ladder: the last bit; 1 if R1 is the square of the pair
  input  logic [WindowBits-1:0]  pair_i,          // ladder: slot of the product; the next slot has the square
  input  logic [WindowBits-1:0]  digit_i,
  output logic [   SlotIdx-1:0]  x_slot_o,
  output logic [   SlotIdx-1:0]  y_slot_o,
  output source_e                x_src_o,
  output source_e                y_src_o,
  output logic                   square_o,        // ladder: 1: x_slot_o is squared, 0: y_slot_o
  output logic                   table_on_o,       // masked read of the table, see perle_modexp_table_read
  output logic                   table_first_o,
  output logic                   table_hit_o,
  output logic                   table_read_o,        // all entries have been read
  output mul_op_e                op_o,
  output logic                   early_o,         // another product follows: the response may be early
  output logic                   forward_o        // y is the product whose response comes with this request
);

  typedef logic [SlotIdx-1:0] slot_t;
  localparam slot_t SlotX = slot_t'(1 << WindowBits);
  localparam slot_t SlotY = SlotX + slot_t'(1);
  localparam slot_t SlotR2 = SlotX + slot_t'(2);

  source_e x_src, y_src;
  slot_t x_slot, y_slot, y_slot_q, product_slot, square_slot;
  logic table_entry, table_q;
  logic [WindowBits-1:0] entry;
  mul_op_e op;
  logic square;

  assign product_slot = slot_t'(pair_i);
  assign square_slot = slot_t'(pair_i) | slot_t'(1);

  always_comb begin
    x_src = SrcSlot;
    y_src = SrcSlot;
    x_slot = SlotX;
    y_slot = SlotR2;
    square = 1'b0;
    op = OpMul;
    unique case (next_i)
      StMont, StFlush: y_slot = SlotY;
      StMulXY: begin
        x_src = SrcLast;
        y_slot = SlotY;
      end
      StMulDomain: x_src = SrcLast;
      StTable: begin
        x_slot = slot_t'(1);
        y_src = SrcLast;
        // T[1] is not yet in its slot when the first entry is requested
        if (state_i == StBase) x_src = SrcLast;
      end
      StOne: x_src = SrcOne;
      StSquare: begin
        x_src = SrcLast;
        y_src = SrcLast;
      end
      StMultiply: begin
        x_slot = slot_t'(1);
        if (windowed_i) x_src = SrcTable;
        y_src = SrcLast;
      end
      StLadder: begin
        x_slot = square_slot;
        y_slot = product_slot;
        // the last product is R0 = 1·R for the first bit, a square afterwards
        if (state_i == StOne) y_src = SrcLast;
        else x_src = SrcLast;
      end
      StStep: begin
        // the last product is R0·R1; R0 and R1 are read from their slots
        x_slot = square_slot;
        y_slot = product_slot;
        x_src = SrcPair;
        y_src = SrcPair;
        square = (exponent_bit_i == last_bit_i);
      end
      StExit: begin
        x_src = SrcOne;
        y_src = SrcLast;
        if (!paper_i) op = OpReduce;
        if (ladder_i) begin
          y_slot = product_slot;
          if (exponent_bit_i) y_src = SrcSlot;
        end
      end
      default: ;
    endcase
  end

  // the table is read during the squarings of its digit; neither they nor the product after them read y from
  // a slot, so that the address may change a cycle late
  assign table_entry = windowed_i && (state_i == StSquare);
  assign y_slot_o = table_q ? slot_t'(entry) : y_slot_q;

  perle_modexp_table_read #(
    .WindowBits(WindowBits),
    .Delay     (Early)
  ) u_digit_mux (
    .clk_i,
    .rst_ni,
    .run_i  (table_entry),
    .digit_i,
    .index_o(entry),
    .done_o (table_read_o),
    .on_o   (table_on_o),
    .first_o(table_first_o),
    .hit_o  (table_hit_o)
  );

  always_ff @(posedge clk_i) begin
    table_q <= table_entry;
    if (!hold_i) begin
      x_src_o <= x_src;
      y_src_o <= y_src;
      square_o <= square;
      x_slot_o <= x_slot;
      y_slot_q <= y_slot;
      op_o <= op;
      early_o <= (Early != 0) && !(next_i inside {StMont, StFlush, StExit});
    end
  end

  assign forward_o = (Early != 0) && (y_src_o == SrcLast);

endmodule
