// SPDX-License-Identifier: Apache-2.0
//
// sum_i + carry_i + carry_in_i becomes one word, in three cycles; a word that is alone stays as it is
//
// Algorithm every segment adds its own two words. In the first cycle the carries that leave segments are kept, in
//           the second they pass the segments that are all ones, in the third every segment adds the one it gets.
//
// Parameters
//   Bits      bits of the words
//   Segment   bits of a segment

module perle_booth_row_resolve #(
  parameter int unsigned Bits    = 283,
  parameter int unsigned Segment = 16
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            first_i,
  input  logic [Bits-1:0] sum_i,
  input  logic [Bits-1:0] carry_i,
  input  logic            carry_in_i,
  output logic [Bits-1:0] sum_o,
  output logic [Bits-1:0] carry_o
);

  localparam int unsigned Segments = (Bits + Segment - 1) / Segment;
  localparam int unsigned Levels = $clog2(Segments);

  logic [Segments-1:0] generate_d, generate_q, propagate_d, propagate_q;

  for (genvar s = 0; s < Segments; s++) begin : gen_segments
    localparam int unsigned First = s * Segment;
    localparam int unsigned Size = (First + Segment > Bits) ? Bits - First : Segment;
    logic out, all;
    perle_booth_row_adder #(
      .Bits(Size)
    ) u_adder (
      .a_i    (sum_i[First+:Size]),
      .b_i    (carry_i[First+:Size]),
      .carry_i((s == 0) ? carry_in_i : 1'b0),
      .sum_o  (sum_o[First+:Size]),
      .carry_o(out),
      .all_o  (all)
    );
    assign generate_d[s] = out && first_i;
    assign propagate_d[s] = all && first_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      generate_q  <= '0;
      propagate_q <= '0;
    end else begin
      generate_q  <= generate_d;
      propagate_q <= propagate_d;
    end
  end

  // The carry into a segment is that out of all below it: a prefix over pairs (generate, propagate).
  logic [Levels:0][Segments-1:0] g, p;
  assign g[0] = generate_q;
  assign p[0] = propagate_q;
  for (genvar l = 0; l < Levels; l++) begin : gen_levels
    for (genvar s = 0; s < Segments; s++) begin : gen_segments
      if (s >= (1 << l)) begin : gen_joined
        assign g[l+1][s] = g[l][s] | (p[l][s] & g[l][s-(1<<l)]);
        assign p[l+1][s] = p[l][s] & p[l][s-(1<<l)];
      end else begin : gen_kept
        assign g[l+1][s] = g[l][s];
        assign p[l+1][s] = p[l][s];
      end
    end
  end
  always_comb begin
    carry_o = '0;
    for (int unsigned s = 1; s < Segments; s++) carry_o[s*Segment] = g[Levels][s-1];
  end

endmodule
