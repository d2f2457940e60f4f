// SPDX-License-Identifier: Apache-2.0
//
// Decides when a product may start in a PE chain that each product passes several times (Fold > 1).
//
//   in turns of N + 1 cycles in which no other product has a pass; in any cycle if the chain is empty
//
// Ranges    accept_i only in the cycle after free_o was 1
// Algorithm S turns in rotation; for each a counter of the passes that its product still has to start
// Cycles    free_o refers to the next cycle
//
// Parameters
//   Digits, Fold   N; passes of a product
//   Turns          S

module perle_stream_pass_scheduler #(
  parameter int unsigned Digits = 58,
  parameter int unsigned Fold   = 2,
  parameter int unsigned Turns  = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic accept_i,
  output logic free_o
);

  localparam int unsigned PhaseBits = $clog2(Digits + 1);
  localparam int unsigned TurnBits = $clog2(Turns);

  typedef logic [$clog2(Fold+1)-1:0] passes_t;

  logic [PhaseBits-1:0] phase_q;
  logic [TurnBits-1:0] turn_q, next;
  passes_t [Turns-1:0] passes_q;
  logic last_phase;

  assign last_phase = (phase_q == PhaseBits'(Digits));
  assign next = (turn_q == TurnBits'(Turns - 1)) ? '0 : turn_q + TurnBits'(1);
  assign free_o = last_phase ? (passes_q[next] <= passes_t'(1)) : (passes_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      turn_q <= '0;
      passes_q <= '0;
    end else if (accept_i) begin
      phase_q <= PhaseBits'(1);
      passes_q[turn_q] <= passes_t'(Fold);
    end else begin
      phase_q <= last_phase ? '0 : phase_q + PhaseBits'(1);
      if (last_phase) begin
        turn_q <= next;
        if (passes_q[next] != '0) passes_q[next] <= passes_q[next] - passes_t'(1);
      end
    end
  end

endmodule
