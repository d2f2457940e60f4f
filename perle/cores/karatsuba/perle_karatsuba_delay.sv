// SPDX-License-Identifier: Apache-2.0
//
// q(t) = d(t − Cycles).
//
// Ranges    any bits
// Cycles    Cycles; 0 is a wire
// Left out  a memory instead of the shift register: tools infer shift-register cells where a device has them
//
// Parameters
//   Width    bits
//   Cycles   delay

module perle_karatsuba_delay #(
  parameter int unsigned Width  = 1,
  parameter int unsigned Cycles = 1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = clk_i;
    assign q_o = d_i;
  end else begin : gen_shift
    logic [Cycles-1:0][Width-1:0] shift_q;

    always_ff @(posedge clk_i) begin
      shift_q[0] <= d_i;
      for (int unsigned i = 1; i < Cycles; i++) shift_q[i] <= shift_q[i-1];
    end
    assign q_o = shift_q[Cycles-1];
  end

endmodule
