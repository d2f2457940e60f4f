// SPDX-License-Identifier: Apache-2.0
//
// Collects the result bits, which leave the row one per cycle, column by column; makes OpReduce canonical.
//
//   z_j = sum of column j+1 in the product's last row, j = 0 … n−1
//
// Ranges    OpMul z < 2·M; OpReduce z <= M, and M becomes 0
// Algorithm the flag "last row" moves from column to column with that row. Two products share the row, so
//           that each bit is kept in a ring of two registers: a bit written in cycle t is in the head in t +
//           1, t + 3, … The bit written n−1−j cycles before the last one is therefore in the head if n−1−j is
//           even, else in the tail, and a cycle later the other way round. z = M is tested bit by bit as the
//           flag moves, against the bits of M that the row has just used
// Cycles    column n computes z_{n−1} in cycle t: push_o and zero_o in cycle t + 1, z_o in t + 2, directly
//           from registers
//
// Parameters
//   Bits   n, bits of an operand

module perle_bit_systolic_collect #(
  parameter int unsigned Bits = 1025
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            last_i,    // the row that starts in column 0 is its product's last
  input  logic            reduce_i,  // the product of that row is an OpReduce
  input  logic [Bits : 1] sum_i,
  input  logic [Bits-1:0] m_i,       // bit j of the modulus of the row in column j
  output logic [Bits : 0] last_o,    // columns that a last row is in
  output logic            push_o,
  output logic            zero_o,    // with push_o: the result is M and has to become 0
  output logic [Bits-1:0] z_o        // a cycle after push_o
);

  // Bits of a result that are in the heads of the rings when z_o is valid.
  localparam logic [Bits-1:0] InHead = Bits'({(Bits + 1) / 2{(Bits % 2 == 1) ? 2'b10 : 2'b01}});

  logic [Bits+1:1] last_q, equal_q;
  logic [Bits-1:0] head_q, tail_q, m_q, made;
  logic [Bits-1:0] gone;

  // a result that was pushed is cleared a cycle later
  perle_bit_systolic_fanout #(
    .Columns(Bits)
  ) u_gone (
    .clk_i,
    .rst_ni,
    .d_i(push_o),
    .q_o(gone)
  );

  assign last_o = {last_q[Bits:1], last_i};
  assign push_o = last_q[Bits+1];
  assign made = last_q[Bits:1];
  assign zero_o = equal_q[Bits+1];
  assign z_o = (head_q & InHead) | (tail_q & ~InHead);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q <= '0;
      equal_q <= '0;
      m_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else begin
      last_q <= last_o;
      m_q <= m_i;
      // column 0 has no result bit: its flag enables the comparison
      equal_q <= {equal_q[Bits:1] & ~(sum_i ^ m_q), last_i && reduce_i};
      head_q <= (made & sum_i) | (~made & tail_q & ~(gone & ~InHead));
      tail_q <= head_q & ~(gone & InHead);
    end
  end

endmodule
