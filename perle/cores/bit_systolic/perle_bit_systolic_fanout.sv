// SPDX-License-Identifier: Apache-2.0
//
// Distributes a control signal to all columns through several copies of its register.
//
//   q_o[j] = d_i, a cycle later
//
// Ranges    a signal of one bit; Columns >= 1
// Algorithm one register per about SpreadColumns columns: a single one would have to drive the whole row
//           within a cycle, which would be the longest path. Synthesis must not merge the copies
// Cycles    latency 1
// Left out  a second layer: up to 4096 columns d_i can drive all copies
//
// Parameters
//   Columns   columns that use the signal

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
