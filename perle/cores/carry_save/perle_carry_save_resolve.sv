// SPDX-License-Identifier: Apache-2.0
//
// Resolves sum_i + carry_i + carry_in_i to one word, in four cycles; a resolved word does not change
//
// Ranges    sums modulo 2^Bits; carry_in_i is 0 after the first cycle
// Algorithm every segment adds its two words. The first cycle registers the carry out of each segment
//           (generate) and whether it would pass a carry (propagate); the second combines them from the
//           lowest segment of every group upwards; the third combines groups. In the fourth every segment
//           adds its carry in. Segments, groups and segments per group are small, so that carries ripple
// Cycles    first_i in the first cycle; sum_o and carry_o of each cycle are sum_i and carry_i of the next;
//           sum_o of the fourth cycle is the result
//
// Parameters
//   Bits      bits of the words
//   Segment   bits of a segment

module perle_carry_save_resolve #(
  parameter int unsigned Bits    = 283,
  parameter int unsigned Segment = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            first_i,     // cycle one of four
  input  logic [Bits-1:0] sum_i,
  input  logic [Bits-1:0] carry_i,
  input  logic            carry_in_i,
  output logic [Bits-1:0] sum_o,
  output logic [Bits-1:0] carry_o
);

  localparam int unsigned Segments = (Bits + Segment - 1) / Segment;

  // Segments per group: the smallest g with g·g >= segments.
  function automatic int unsigned root(int unsigned segments);
    root = 1;
    while (root * root < segments) root++;
  endfunction

  localparam int unsigned Group = root(Segments);

  logic second_q, third_q;
  logic [Segments-1:0] generate_d, generate_q, propagate_d, propagate_q;
  logic [Segments-1:0] out, all, joined, passing, into;

  for (genvar s = 0; s < Segments; s++) begin : gen_segments
    localparam int unsigned First = s * Segment;
    localparam int unsigned Size = (First + Segment > Bits) ? Bits - First : Segment;
    logic [Size:0] total;
    assign total = {1'b0, sum_i[First+:Size]} + {1'b0, carry_i[First+:Size]} +
        (Size + 1)'((s == 0) ? carry_in_i : 1'b0);
    assign sum_o[First+:Size] = total[Size-1:0];
    assign out[s] = total[Size];
    assign all[s] = &(sum_i[First+:Size] ^ carry_i[First+:Size]);
  end

  always_comb begin
    logic below;
    below = 1'b0;
    for (int unsigned s = 0; s < Segments; s++) begin
      if (s % Group == 0) begin  // the lowest of a group: `below` leaves the groups below
        joined[s]  = generate_q[s];
        passing[s] = propagate_q[s];
      end else begin
        joined[s]  = generate_q[s] | (propagate_q[s] & joined[s-1]);
        passing[s] = propagate_q[s] & passing[s-1];
      end
      // in the third cycle the registers hold the combined signals of the second
      into[s] = (s % Group == 0) ? below : generate_q[s-1] | (propagate_q[s-1] & below);
      if (s % Group == Group - 1) below = generate_q[s] | (propagate_q[s] & below);
    end
  end

  always_comb begin
    generate_d  = '0;
    propagate_d = '0;
    if (first_i) begin
      generate_d  = out;
      propagate_d = all;
    end
    if (second_q) begin
      generate_d  = joined;
      propagate_d = passing;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      third_q <= 1'b0;
      generate_q <= '0;
      propagate_q <= '0;
    end else begin
      second_q <= first_i;
      third_q <= second_q;
      generate_q <= generate_d;
      propagate_q <= propagate_d;
    end
  end

  always_comb begin
    carry_o = '0;
    for (int unsigned s = 1; s < Segments; s++) carry_o[s*Segment] = into[s] && third_q;
  end

endmodule
