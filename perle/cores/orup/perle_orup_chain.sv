// SPDX-License-Identifier: Apache-2.0
//
// Carry into every digit, from one generate and one propagate bit a digit, a segment a cycle.
//
//   cin_0 = 0 ;  cin_{j+1} = g_j or (p_j and cin_j)
//
// Ranges    g and p are never both set (after the local carry step a digit that overflowed is small)
// Algorithm the row's addition is an N-bit addition of (g|p) and g: the carries of that sum are the
//           carries between digits. tang2003 slide 17 cuts its carry chain in four segments likewise
// Cycles    Segments: segment i is resolved in the cycle in which segment_i = i and step_i is set
//
// Parameters
//   Digits     N
//   Segments   pieces of the chain, 1…Digits: fewer are faster in cycles and slower in time

module perle_orup_chain #(
  parameter  int unsigned Digits      = 62,
  parameter  int unsigned Segments    = 4,
  localparam int unsigned SegmentBits = (Segments > 1) ? $clog2(Segments) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   step_i,
  input  logic [SegmentBits-1:0] segment_i,
  input  logic [     Digits-1:0] generate_i,
  input  logic [     Digits-1:0] propagate_i,
  output logic [     Digits-1:0] carry_o
);

  localparam int unsigned Size = (Digits + Segments - 1) / Segments;

  logic carry_q;
  logic [Segments-1:0] carry_out;

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int unsigned First = (i * Size < Digits) ? i * Size : Digits;
    localparam int unsigned Last = (First + Size < Digits) ? First + Size : Digits;
    localparam int unsigned Len = Last - First;

    if (Len == 0) begin : gen_empty
      assign carry_out[i] = 1'b0;
    end else begin : gen_digits
      logic [Len-1:0] any, both, sum;
      logic active;

      assign both = generate_i[First+:Len];
      assign any = both | propagate_i[First+:Len];
      assign active = step_i && (segment_i == SegmentBits'(i));
      assign {carry_out[i], sum} = (Len + 1)'(any) + (Len + 1)'(both) +
          (Len + 1)'((i == 0) ? 1'b0 : carry_q);

      always_ff @(posedge clk_i) begin
        if (active) carry_o[First+:Len] <= any ^ both ^ sum;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) carry_q <= 1'b0;
    else if (step_i) carry_q <= carry_out[segment_i];
  end

endmodule
