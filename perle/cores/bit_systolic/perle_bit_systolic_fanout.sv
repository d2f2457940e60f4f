// SPDX-License-Identifier: Apache-2.0
//
// A signal for all columns, registered several times: each copy reaches the columns around it.
//
//   q_o[j] = d_i, a cycle later
//
// Ranges    a bit
// Algorithm one register for about SpreadColumns columns. One for all of them would drive its wires over the whole
//           row within a cycle, and that would be the longest of its paths. Synthesis must not join the copies
// Cycles    one
// Left out  a second layer: up to 4096 columns the copies are few enough to be loads of d_i
//
// Parameters
//   Columns   bits that want the signal

module perle_bit_systolic_fanout
  import perle_bit_systolic_pkg::*;
#(
  parameter int unsigned Columns = 1025
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               d_i,
  output logic [Columns-1:0] q_o
);

  localparam int unsigned Copies = (Columns + SpreadColumns - 1) / SpreadColumns;

  logic [Copies-1:0] copies_q;

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) copies_q[i] <= 1'b0;
      else copies_q[i] <= d_i;
    end
  end
  for (genvar j = 0; j < Columns; j++) begin : gen_column
    assign q_o[j] = copies_q[j*Copies/Columns];
  end

endmodule
