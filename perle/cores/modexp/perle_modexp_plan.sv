// SPDX-License-Identifier: Apache-2.0
//
// Where the program is, what follows the product in flight, decided while it runs, and when all of it is laid out.
//
// Ranges    exponent_bit_i four cycles after pos_o; no decision changes while issue_i says that a request is due
// Algorithm perle_modexp_program; the exponent is scanned from the highest digit that has a bit below elen_i, in the
//           paper's mode from its highest bit
// Cycles    a step's decisions stand four cycles after its bit; settled_o SettleCycles cycles after the last
//           unsettle_i, a cycle before all stands: four to the exponent's bit, one to what follows, two to the lines'
//           numbers, three to the lines, one to the operands. Two less after written_i, which waits for no bit
//
// Parameters
//   WindowBits   w >= 2            PosBits   bits of an exponent position
//   LineIdx      bits of a line's number        TopBit  highest bit of the exponent register

module perle_modexp_plan
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 11,
  parameter  int unsigned LineIdx    = 5,
  parameter  int unsigned TopBit     = 1053,
  localparam int unsigned SquareBits = $clog2(WindowBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  state_e                  state_i,
  input  logic                    issue_i,
  input  logic                    start_i,         // a command, with this step first
  input  state_e                  first_i,
  input  logic                    step_i,          // the product has come
  input  logic                    unsettle_i,
  input  logic                    written_i,       // an operand, while nothing runs
  input  logic   [           1:0] mode_i,
  input  logic   [          12:0] elen_i,
  input  logic                    exponent_bit_i,
  output logic   [   PosBits-1:0] pos_o,
  output logic                    settled_o,       // all is laid out in the next cycle; no product is shorter
  output state_e                  next_o,
  output logic   [   LineIdx-1:0] line_o,          // of the product in flight
  output logic   [WindowBits-1:0] pair_o           // the ladder's next one
);

  localparam int unsigned SettleCycles = 10;

  logic [SettleCycles-1:0] settled_q;
  state_e next, next_q;
  logic [LineIdx-1:0] line;
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
    .LineIdx   (LineIdx)
  ) u_program (
    .state_i,
    .windowed_i(windowed),
    .ladder_i  (mode_i == ModeLadder),
    .exponent_bit_i,
    .pos_i    (pos_o),
    .squares_i(squares_q),
    .entry_i  (entry_q),
    .line_o   (line),
    .next_o   (next),
    .pos_o    (pos),
    .squares_o(squares),
    .entry_o  (entry)
  );

  assign settled_o = settled_q[SettleCycles-1] && !unsettle_i && !written_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settled_q <= '0;
      line_o <= '0;
      next_q <= StFlush;
      next_o <= StFlush;
      pos_o <= '0;
      pos_next_q <= '0;
      squares_q <= '0;
      squares_next_q <= '0;
      entry_q <= '0;
      pair_o <= '0;
    end else begin
      settled_q <= unsettle_i ? '0 : written_i ? SettleCycles'(3) : {settled_q[SettleCycles-2:0], 1'b1};
      line_o <= line;
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
