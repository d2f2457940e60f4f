// SPDX-License-Identifier: Apache-2.0
//
// S ← ⌊S/β⌋ + x·y + q·m + low,  digit_o = S mod β,  sum_o = S after it was resolved
//
// Ranges    x, q: k/2 digits of radix 4 in {−1, 0, 1, 2}; y of ValueBits, m of Width bits; low below β;
//           |S| < 2^(Columns − 2)
// Algorithm the partial products and both words of S pass through one tree of full adders; one of its rows
//           corrects the constant of the complemented sign bits. The lowest digit, which is shifted out of S,
//           is added separately, and its carry added to the next digit. The sum of the two top columns of
//           both words, modulo 4, is the signed top of S: it is sign-extended, and no carry above it is kept
// Cycles    digits in a cycle, their multiples in the next; with QuotientDelay = 2 they enter S one cycle
//           later
//
// Parameters
//   Width, RadixBits, QuotientDelay   as the multiplier
//   Segment                 bits that are added in a cycle; at least RadixBits
//   Group                   columns that share a copy of digits and operation

module perle_carry_save_sum
  import perle_carry_save_pkg::*;
#(
  parameter  int unsigned Width         = 256,
  parameter  int unsigned RadixBits     = 8,
  parameter  int unsigned QuotientDelay = 1,
  parameter  int unsigned Segment       = 8,
  parameter  int unsigned Group         = 16,
  localparam int unsigned ValueBits     = value_bits(Width, RadixBits, QuotientDelay),
  localparam int unsigned Columns       = columns(Width, RadixBits, QuotientDelay),
  localparam int unsigned Quarters      = RadixBits / 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   step_i,
  input  logic                   first_i,       // the first cycle that resolves
  input  logic                   step_next_i,   // step_i of the next cycle
  input  logic                   clear_next_i,
  input  digit_t [ Quarters-1:0] x_i,
  input  digit_t [ Quarters-1:0] q_i,
  input  logic   [ValueBits-1:0] y_i,
  input  logic   [    Width-1:0] m_i,
  input  logic   [RadixBits-1:0] low_i,
  output logic   [RadixBits-1:0] digit_o,
  output logic   [      Width:0] sum_o
);

  logic [Columns-1:0]
      sum_d, sum_q, carry_d, carry_q, sum_shifted, carry_shifted, sum_tree, carry_tree, correction;
  logic [Columns-1:0] resolved, passed;
  logic [1:0] top;
  logic carry_in_q, carry_out;

  logic [Quarters:0][Columns-1:0] x_rows, q_rows;

  perle_carry_save_multiple #(
    .Digits   (Quarters),
    .ValueBits(ValueBits),
    .Bits     (Columns),
    .Group    (Group)
  ) u_x (
    .clk_i,
    .rst_ni,
    .digit_i(x_i),
    .value_i(y_i),
    .rows_o (x_rows)
  );

  perle_carry_save_multiple #(
    .Digits   (Quarters),
    .ValueBits(Width),
    .Bits     (Columns),
    .Group    (Group)
  ) u_q (
    .clk_i,
    .rst_ni,
    .digit_i(q_i),
    .value_i(m_i),
    .rows_o (q_rows)
  );

  assign {carry_out, digit_o} = {1'b0, sum_q[RadixBits-1:0]} + {1'b0, carry_q[RadixBits-1:0]} +
      (RadixBits + 1)'(carry_in_q);

  // ⌊S/β⌋ in two words
  assign top = sum_q[Columns-1-:2] + carry_q[Columns-1-:2];
  assign sum_shifted = {{RadixBits{top[1]}}, top, sum_q[Columns-3:RadixBits]};
  // low_i and the carries are never both nonzero
  assign carry_shifted = Columns'(carry_q[Columns-3:RadixBits]) | Columns'(low_i);

  // Subtracts the constant that the complemented sign bits add.
  always_comb begin
    correction = '0;
    for (int unsigned r = 0; r < Quarters; r++) begin
      correction -= Columns'(1) << (ValueBits + 1 + 2 * r);
      correction -= Columns'(1) << (Width + 1 + 2 * r);
    end
  end

  if (QuotientDelay == 1) begin : gen_whole
    localparam int unsigned Rows = 2 * Quarters + 5;
    perle_carry_save_tree #(
      .Rows(Rows),
      .Bits(Columns)
    ) u_tree (
      .rows_i({
        correction,
        q_rows[Quarters],
        x_rows[Quarters],
        carry_shifted,
        sum_shifted,
        q_rows[Quarters-1:0],
        x_rows[Quarters-1:0]
      }),
      .sum_o(sum_tree),
      .carry_o(carry_tree)
    );
  end else begin : gen_cut
    logic [3:0][Columns-1:0] halves_d, halves_q;
    perle_carry_save_tree #(
      .Rows(Quarters + 1),
      .Bits(Columns)
    ) u_x_tree (
      .rows_i (x_rows),
      .sum_o  (halves_d[0]),
      .carry_o(halves_d[1])
    );
    perle_carry_save_tree #(
      .Rows(Quarters + 1),
      .Bits(Columns)
    ) u_q_tree (
      .rows_i (q_rows),
      .sum_o  (halves_d[2]),
      .carry_o(halves_d[3])
    );
    always_ff @(posedge clk_i) halves_q <= halves_d;
    perle_carry_save_tree #(
      .Rows(7),
      .Bits(Columns)
    ) u_tree (
      .rows_i ({correction, carry_shifted, sum_shifted, halves_q}),
      .sum_o  (sum_tree),
      .carry_o(carry_tree)
    );
  end

  perle_carry_save_resolve #(
    .Bits   (Columns),
    .Segment(Segment)
  ) u_resolve (
    .clk_i,
    .rst_ni,
    .first_i   (first_i),
    .sum_i     (sum_q),
    .carry_i   (carry_q),
    .carry_in_i(carry_in_q),
    .sum_o     (resolved),
    .carry_o   (passed)
  );

  // every group of columns has its own copy of the operation: synthesis must not merge them
  for (genvar g = 0; g < Columns; g += Group) begin : gen_groups
    localparam int unsigned Size = (g + Group > Columns) ? Columns - g : Group;
    logic step_q, resolve_q;
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        step_q <= 1'b0;
        resolve_q <= 1'b1;
      end else begin
        step_q <= step_next_i;
        resolve_q <= !step_next_i && !clear_next_i;
      end
    end
    assign sum_d[g+:Size] = (sum_tree[g+:Size] & {Size{step_q}}) | (resolved[g+:Size] & {Size{resolve_q}});
    assign carry_d[g+:Size] = (carry_tree[g+:Size] & {Size{step_q}}) | passed[g+:Size];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q <= '0;
      carry_q <= '0;
      carry_in_q <= 1'b0;
    end else begin
      sum_q <= sum_d;
      carry_q <= carry_d;
      carry_in_q <= carry_out && step_i;
    end
  end

  assign sum_o = sum_q[Width:0];

endmodule
