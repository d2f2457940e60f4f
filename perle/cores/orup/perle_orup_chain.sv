// SPDX-License-Identifier: Apache-2.0
//
// Carry chain over digits, from one generate and one propagate bit per digit, one segment per cycle.
//
//   cin_0 = 0 ;  cin_{j+1} = g_j or passed_{j+1} ;  passed_{j+1} = p_j and cin_j
//
// Ranges    g and p are never both 1 (after the local carry step a digit that overflowed is small)
// Algorithm an N-bit addition of (g|p) and g: the carries of that sum are the carries between digits.
//           passed_o excludes g_j, which is still saved in the row. tang2003 slide 17 splits its carry chain
//           into four segments in the same way. Only the first segment has no time to register its inputs, so
//           that it is half as long
// Cycles    latency Segments: the first segment is resolved in the cycle after start_i, then one per cycle;
//           one cycle more with Registered
//
// Parameters
//   Digits       N
//   Segments     segments of the chain, 1…Digits: fewer take fewer cycles but have a longer carry path
//   Registered   the generate and propagate bits of the first segment are registered too

module perle_orup_chain #(
  parameter int unsigned Digits     = 62,
  parameter int unsigned Segments   = 4,
  parameter bit          Registered = 1'b0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clear_i,
  input  logic              start_i,
  input  logic [Digits-1:0] generate_i,
  input  logic [Digits-1:0] propagate_i,
  output logic [Digits-1:0] passed_o
);

  localparam int unsigned Parts = Registered ? Segments : 2 * Segments;
  localparam int unsigned Lead = (Segments == 1) ? Digits : (Digits + Parts - 1) / Parts;
  localparam int unsigned Size = (Segments == 1) ? Digits : (Digits - Lead + Segments - 2) / (Segments - 1);

  // one-hot token: segment_q[i] is 1 while the carries of segment i are computed
  logic [Segments-1:0] segment_q, carry_out;
  logic carry_q;
  logic start;
  logic [Digits-1:0] generates, propagates, generates_prev;

  for (genvar j = 0; j < Digits; j++) begin : gen_bits
    if (Registered || j >= Lead) begin : gen_registered
      always_ff @(posedge clk_i) begin
        generates[j] <= generate_i[j];
        propagates[j] <= propagate_i[j];
      end
    end else begin : gen_direct
      assign generates[j] = generate_i[j];
      assign propagates[j] = propagate_i[j];
    end
  end

  if (Registered) begin : gen_delayed
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) start <= 1'b0;
      else start <= start_i;
    end
  end else begin : gen_now
    assign start = start_i;
  end

  assign generates_prev = Digits'({generates, 1'b0});

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int unsigned Begin = (i == 0) ? 0 : Lead + (i - 1) * Size;
    localparam int unsigned End = Lead + i * Size;
    localparam int unsigned First = (Begin < Digits) ? Begin : Digits;
    localparam int unsigned Last = (End < Digits) ? End : Digits;
    localparam int unsigned Len = Last - First;

    if (Len == 0) begin : gen_empty
      assign carry_out[i] = 1'b0;
    end else begin : gen_digits
      logic [Len-1:0] any, both, sum;

      assign both = generates[First+:Len];
      assign any = both | propagates[First+:Len];
      assign {carry_out[i], sum} = (Len + 1)'(any) + (Len + 1)'(both) +
          (Len + 1)'((i == 0) ? 1'b0 : carry_q);

      always_ff @(posedge clk_i) begin
        if (clear_i) passed_o[First+:Len] <= '0;
        else if (segment_q[i]) passed_o[First+:Len] <= (any ^ both ^ sum) & ~generates_prev[First+:Len];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      segment_q <= '0;
      carry_q <= 1'b0;
    end else begin
      segment_q <= Segments'({segment_q, start});
      if (segment_q != '0) carry_q <= |(segment_q & carry_out);
    end
  end

endmodule
