// SPDX-License-Identifier: Apache-2.0
//
// Position in the exponent and the step after the product in flight, and when the operands of that step are
// stable.
//
// Ranges    exponent_bit_i four cycles after pos_o; no output but stable_o changes while a request is due
//           (issue_i)
// Algorithm perle_modexp_program; the exponent is scanned from the highest digit that has a bit below elen_i,
//           in ModePaper from bit TopBit
// Cycles    stable_o rises StableCycles cycles after the last disturb_i, one cycle before the operands are
//           stable: four to the exponent's bit, two to the next step, one to the slot numbers, three to read
//           the slots, one to the operand registers. After written_i it takes two cycles less, as no exponent
//           bit is needed
//
// Parameters
//   WindowBits   w >= 2            PosBits   bits of an exponent position
//   SlotIdx      bits of a slot's number        TopBit  highest bit of the exponent register

module perle_modexp_plan
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 11,
  parameter  int unsigned SlotIdx    = 5,
  parameter  int unsigned TopBit     = 1053,
  localparam int unsigned SquareBits = $clog2(WindowBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  state_e                  state_i,
  input  logic                    issue_i,
  input  logic                    start_i,         // a command, with this step first
  input  state_e                  first_i,
  input  logic                    step_i,          // the response is accepted
  input  logic                    disturb_i,
  input  logic                    written_i,       // the host writes an operand, while nothing runs
  input  logic   [           1:0] mode_i,
  input  logic   [          12:0] elen_i,
  input  logic                    exponent_bit_i,
  output logic   [   PosBits-1:0] pos_o,
  output logic                    stable_o,       // in the next cycle a request may be made
  output state_e                  next_o,
  output logic   [   SlotIdx-1:0] slot_o,          // of the product in flight
  output logic   [WindowBits-1:0] pair_o           // ladder: slots of the next pair
);

  localparam int unsigned StableCycles = 10;

  logic [StableCycles-1:0] stable_q;
  state_e next, next_q;
  logic [SlotIdx-1:0] slot;
  logic windowed;
  logic [12:0] top;
  logic [PosBits-1:0] pos, pos_next_q;
  logic [SquareBits-1:0] squares, squares_next_q, squares_q;
  logic [WindowBits-1:0] entry, entry_q;

  assign windowed = (mode_i == ModeWindow);
  assign top = (mode_i == ModePaper) ? 13'(TopBit) : elen_i - 13'd1;

  perle_modexp_program #(
    .WindowBits(WindowBits),
    .PosBits   (PosBits),
    .SlotIdx   (SlotIdx)
  ) u_program (
    .state_i,
    .windowed_i(windowed),
    .ladder_i  (mode_i == ModeLadder),
    .exponent_bit_i,
    .pos_i    (pos_o),
    .squares_i(squares_q),
    .entry_i  (entry_q),
    .slot_o   (slot),
    .next_o   (next),
    .pos_o    (pos),
    .squares_o(squares),
    .entry_o  (entry)
  );

  assign stable_o = stable_q[StableCycles-1] && !disturb_i && !written_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stable_q <= '0;
      slot_o <= '0;
      next_q <= StFlush;
      next_o <= StFlush;
      pos_o <= '0;
      pos_next_q <= '0;
      squares_q <= '0;
      squares_next_q <= '0;
      entry_q <= '0;
      pair_o <= '0;
    end else begin
      stable_q <= disturb_i ? '0 : written_i ? StableCycles'(3) : {stable_q[StableCycles-2:0], 1'b1};
      slot_o <= slot;
      next_q <= next;
      if (state_i == StZeroize) next_o <= StFlush;
      else if (state_i == StIdle) next_o <= start_i ? first_i : StBase;
      else if (!issue_i) next_o <= next_q;
      if (!issue_i) begin
        pos_next_q <= pos;
        squares_next_q <= squares;
        pair_o <= entry;
      end
      if (step_i) begin
        pos_o <= pos_next_q;
        squares_q <= squares_next_q;
        entry_q <= pair_o;
      end
      // the highest digit
      if (state_i == StBase && issue_i) begin
        pos_o <= PosBits'(windowed ? top - top % 13'(WindowBits) : top);
      end
    end
  end

endmodule
