// SPDX-License-Identifier: Apache-2.0
//
// The word length of A, set at run time: selects where P is tapped into P_out.
//
//   bit_o = tap_i[Words − length],  length = 2·⌈(consecutive WriteAs) / 2⌉ words, at most Words
//
// Ranges    length in 2, 4, … Words; Words after reset
// Algorithm shand1990 section 4.1, the variable-length multiplier. The words of A enter the row at its top,
//           so A of `length` words occupies the words from Words − length upwards. The first WriteA after a
//           WriteB counts as one. The tap moves at the first multiplying step (start_i && !select_a_i), not
//           with the WriteAs: while the next A is loaded, the previous product is shifted out through its own
//           tap
// Cycles    the tap is valid in the cycle after start_i
//
// Parameters
//   Words   maximum number of words of A

module perle_bus_mul_length
  import perle_bus_mul_pkg::*;
#(
  parameter  int unsigned Words     = 16,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned TapBits   = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             write_a_i,
  input  logic             select_a_i,
  input  logic             start_i,
  input  logic [Words-1:0] tap_i,
  output logic             bit_o
);

  logic [CountBits-1:0] count_q;
  logic [TapBits-1:0] position_q;

  assign bit_o = tap_i[position_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= CountBits'(Words);
      position_q <= '0;
    end else begin
      if (write_a_i) begin
        if (!select_a_i) count_q <= CountBits'(1);
        else if (count_q != CountBits'(Words)) count_q <= count_q + CountBits'(1);
      end
      if (start_i && !select_a_i) position_q <= TapBits'(Words - length(Words, 32'(count_q)));
    end
  end

endmodule
