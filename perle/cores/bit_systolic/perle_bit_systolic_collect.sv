// SPDX-License-Identifier: Apache-2.0
//
// Gathers the result bits, which leave the row one a cycle, column by column; makes OpReduce canonical.
//
//   z_j = sum of column j+1 in the product's last row, j = 0 … n−1
//
// Ranges    OpMul z < 2·M; OpReduce z <= M, and M becomes 0
// Algorithm the flag "last row" travels with that row. Two products share the row, so each bit is kept in a ring of
//           two registers: a bit written in cycle t is in the head in t + 1, t + 3, … The bit that was written n−1−j
//           cycles before the last one is therefore in the head where n−1−j is even.
//           z = M is found bit by bit in the same wave, against the bits of M that the row has just used
// Cycles    column n makes z_{n−1} in cycle t: push_o and z_o in cycle t + 1
// Left out  nothing
//
// Parameters
//   Bits   n, bits of an operand line

module perle_bit_systolic_collect #(
  parameter int unsigned Bits = 1025
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            last_i,    // the row that starts in column 0 is its product's last
  input  logic            reduce_i,  // the product of that row is an OpReduce
  input  logic [Bits : 1] sum_i,
  input  logic [Bits-1:0] m_i,       // bit j of the modulus of the row in column j
  output logic [Bits : 0] last_o,    // where last rows are
  output logic            push_o,
  output logic [Bits-1:0] z_o
);

  // Bits of a complete result that are in the rings' heads.
  localparam logic [Bits-1:0] InHead = Bits'({(Bits + 1) / 2{(Bits % 2 == 1) ? 2'b01 : 2'b10}});

  logic [Bits+1:1] last_q, equal_q;
  logic [Bits-1:0] head_q, tail_q, m_q, made, gathered;

  assign last_o = {last_q[Bits:1], last_i};
  assign push_o = last_q[Bits+1];
  assign made = last_q[Bits:1];
  assign gathered = (head_q & InHead) | (tail_q & ~InHead);
  assign z_o = equal_q[Bits+1] ? '0 : gathered;

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
      // column 0 makes no result bit: it only says whether the comparison counts
      equal_q <= {equal_q[Bits:1] & ~(sum_i ^ m_q), last_i && reduce_i};
      // what is pushed is gone
      head_q <= (made & sum_i) | (~made & tail_q & ~(push_o ? ~InHead : '0));
      tail_q <= head_q & ~(push_o ? InHead : '0);
    end
  end

endmodule
