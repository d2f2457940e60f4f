// SPDX-License-Identifier: Apache-2.0
//
// The wordlength of A, chosen at run time: where P is tapped into P_out.
//
//   bit_o = tap_i[Words − length],  length = 2·⌈(WriteAs in a row) / 2⌉ words, at most Words
//
// Ranges    length in 2, 4, … Words; Words after reset
// Algorithm shand1990 section 4.1, the variable-length multiplier. The words of A enter the row at its top,
//           so A of `length` words stands at word Words − length and above. The first WriteA after a WriteB
//           counts as one. The tap follows at the first multiplying step (start_i && !select_a_i), not with
//           the WriteAs: the words of the product before still leave by its own tap while the next A
//           is loaded
// Cycles    the tap is right in the cycle after start_i
//
// Parameters
//   Words   words of A at most

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
