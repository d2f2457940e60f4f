// SPDX-License-Identifier: Apache-2.0
//
// sum_o + 2^Bits·carry_o = a_i + b_i + carry_i;  all_o: whether a carry would pass all bits
//
// Algorithm carries by Sklansky's prefix: log2(Bits) levels, in each of which the upper half of every group takes
//           what leaves its lower half
//
// Parameters
//   Bits   bits of the words

module perle_booth_row_adder #(
  parameter int unsigned Bits = 8
) (
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic            carry_i,
  output logic [Bits-1:0] sum_o,
  output logic            carry_o,
  output logic            all_o
);

  localparam int unsigned Levels = $clog2(Bits + 1);

  // position 0 is the carry that comes in
  logic [Levels:0][Bits:0] g, p;

  assign g[0] = {a_i & b_i, carry_i};
  assign p[0] = {a_i ^ b_i, 1'b0};
  for (genvar l = 0; l < Levels; l++) begin : gen_levels
    for (genvar i = 0; i <= Bits; i++) begin : gen_bits
      localparam int unsigned Below = ((i >> l) << l) - 1;
      if ((i >> l) % 2 == 1) begin : gen_upper
        assign g[l+1][i] = g[l][i] | (p[l][i] & g[l][Below]);
        assign p[l+1][i] = p[l][i] & p[l][Below];
      end else begin : gen_lower
        assign g[l+1][i] = g[l][i];
        assign p[l+1][i] = p[l][i];
      end
    end
  end
  assign sum_o = p[0][Bits:1] ^ g[Levels][Bits-1:0];
  assign carry_o = g[Levels][Bits];
  assign all_o = &p[0][Bits:1];

endmodule
