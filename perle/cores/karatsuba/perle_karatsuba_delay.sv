// SPDX-License-Identifier: Apache-2.0
//
// q(t) = d(t − Cycles).
//
// Ranges    any bits
// Cycles    Cycles; 0 is a wire
// Left out  a memory in place of the shift register: devices with shift-register cells find them themselves
//
// Parameters
//   Width    bits
//   Cycles   how late

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
  end else begin : gen_word
    logic [Cycles-1:0][Width-1:0] slot_q;

    always_ff @(posedge clk_i) begin
      slot_q[0] <= d_i;
      for (int unsigned i = 1; i < Cycles; i++) slot_q[i] <= slot_q[i-1];
    end
    assign q_o = slot_q[Cycles-1];
  end

endmodule
