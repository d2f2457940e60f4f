// SPDX-License-Identifier: Apache-2.0
//
// Output: z ← Z (Booth: Z + M), and z ← z − k·M, k the largest number up to Multiples with k·M ≤ z.
//
//   word_o ← word of Z's sum + word of its carry + owed (+ word of M)   StepUnload
//            word of z − word of k·M                                    StepSubtract, after StepCompare
//
// Ranges    Z (Booth: Z + M) >= 0; z < (Multiples + 1)·M, so that the result is in [0, M)
// Algorithm one adder of two words and a carry adds sum and carry of Z (for Booth after carry-save adders for
//           M and the count owed by the last element), or z and the complement of k·M. StepCompare subtracts
//           M with it, and 2M and 3M with two further carry chains without sums; a carry out means z >= that
//           multiple. The multiples come from perle_scalable_feed
// Cycles    latency 2 from the words to word_o, 1 to write_o and first_o; constant time
// Left out  reset
//
// Parameters
//   WordWidth   w          Kind   the element (perle_scalable_pkg)

module perle_scalable_exit
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Kind      = KindR2,
  localparam int unsigned Streams   = streams(Kind)
) (
  input  logic                              clk_i,
  input  step_e                             step_i,
  input  logic                              first_i,  // word 0
  input  logic                              last_i,   // word e
  input  logic [OwedBits-1:0]               owed_i,
  input  logic [WordWidth-1:0]              z_s_i,
  input  logic [WordWidth-1:0]              z_c_i,
  input  logic [WordWidth-1:0]              z_i,
  input  logic [Streams-1:0][WordWidth-1:0] m_i,
  output logic                              write_o,  // word_o of the next cycle is written
  output logic                              first_o,  // word 0
  output logic [WordWidth-1:0]              word_o
);

  localparam int unsigned Multiples = multiples(Kind);

  logic [WordWidth-1:0] sum, carry, a_q, b_q, subtrahend;
  logic [WordWidth:0] total;
  logic subtract_q, compare_q, last_q, carry_q;
  logic [Multiples:1] ge;
  logic [1:0] k_q;

  function automatic logic carry_of(logic [WordWidth-1:0] x, logic [WordWidth-1:0] y, logic c);
    logic [WordWidth:0] all;
    all = (WordWidth + 1)'(x) + (WordWidth + 1)'(y) + (WordWidth + 1)'(c);
    return all[WordWidth];
  endfunction

  if (Kind == KindB4) begin : gen_booth
    logic [WordWidth-1:0] m_s, m_c;

    perle_scalable_csa #(
      .WordWidth(WordWidth)
    ) u_m (
      .clk_i,
      .first_i(first_i),
      .a_i    (z_s_i),
      .b_i    (z_c_i),
      .c_i    (m_i[0]),
      .sum_o  (m_s),
      .carry_o(m_c)
    );

    perle_scalable_csa #(
      .WordWidth(WordWidth)
    ) u_owed (
      .clk_i,
      .first_i(first_i),
      .a_i    (m_s),
      .b_i    (m_c),
      .c_i    (first_i ? WordWidth'(owed_i) : '0),
      .sum_o  (sum),
      .carry_o(carry)
    );
  end else begin : gen_sum
    assign sum = z_s_i;
    assign carry = z_c_i;

    logic unused;
    assign unused = ^owed_i;
  end

  if (Multiples == 3) begin : gen_three
    logic [WordWidth-1:0] twice;
    logic [3:2][WordWidth-1:0] b;
    logic [3:2] c_q;
    logic top_q;

    assign twice = {m_i[0][WordWidth-2:0], top_q && !first_i};
    assign subtrahend = (step_i == StepCompare || k_q == 2'd1) ? m_i[0] :
        (k_q == 2'd2) ? twice : (k_q == 2'd3) ? m_i[1] : '0;
    assign ge = {c_q, carry_q};

    always_ff @(posedge clk_i) begin
      top_q <= m_i[0][WordWidth-1];
      b <= ~{m_i[1], twice};
      for (int unsigned k = 2; k <= 3; k++)
        c_q[k] <= carry_of(a_q, b[k], first_o || c_q[k]);
    end
  end else begin : gen_one
    assign subtrahend = (step_i == StepCompare || k_q == 2'd1) ? m_i[0] : '0;
    assign ge = carry_q;
  end

  assign total = (WordWidth + 1)'(a_q) + (WordWidth + 1)'(b_q) +
      (WordWidth + 1)'(first_o ? subtract_q : carry_q);

  always_ff @(posedge clk_i) begin
    a_q <= (step_i == StepUnload) ? sum : z_i;
    b_q <= (step_i == StepUnload) ? carry : ~subtrahend;
    subtract_q <= (step_i != StepUnload);
    compare_q <= (step_i == StepCompare);
    write_o <= (step_i == StepUnload || step_i == StepSubtract) && !last_i;
    first_o <= first_i;
    last_q <= last_i;
    word_o <= total[WordWidth-1:0];
    carry_q <= total[WordWidth];
    if (step_i == StepUnload) k_q <= '0;
    else if (compare_q && last_q) k_q <= 2'($countones(ge));
  end

endmodule
