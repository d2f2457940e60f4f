// SPDX-License-Identifier: Apache-2.0
//
// Controller without wait states: one bit per cycle.
//
// Ranges    Iterations >= 1; reduce_i is stable from the cycle after load_o on
// Algorithm sum, shift and count in one state: SHIFT REGISTER2 loads ADDER2's sum shifted, and the counter is
//           checked while it counts
//             load (on a request) → Iterations cycles of sum and shift → [check, OpReduce only] → halt
// Cycles    latency Iterations + 1; OpReduce takes one more
// Left out  nothing: compared with perle_iterative_ctrl_paper, S0 needs no state, and S2, S3, S4 are one
//           state
//
// Parameters
//   Iterations   bits of A that are scanned

module perle_iterative_ctrl_streamlined #(
  parameter int unsigned Iterations = 1026
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic req_valid_i,
  output logic req_ready_o,
  input  logic reduce_i,     // the operation in flight is OpReduce
  output logic rsp_valid_o,
  input  logic rsp_ready_i,
  output logic load_o,
  output logic sum_o,
  output logic shift_o,
  output logic clear_o
);

  localparam int unsigned CountBits = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StLoad,
    StBit,
    StCheck,
    StHalt
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_q;
  logic last;

  assign req_ready_o = (state_q == StLoad) || (rsp_valid_o && rsp_ready_i);
  assign rsp_valid_o = (state_q == StHalt);
  assign load_o = req_valid_i && req_ready_o;
  assign sum_o = (state_q == StBit);
  assign shift_o = sum_o;
  assign clear_o = (state_q == StCheck);
  assign last = (count_q == CountBits'(1));

  always_comb begin
    unique case (state_q)
      StLoad: state_d = load_o ? StBit : StLoad;
      StBit: state_d = !last ? StBit : reduce_i ? StCheck : StHalt;
      StCheck: state_d = StHalt;
      default: state_d = load_o ? StBit : rsp_ready_i ? StLoad : StHalt;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLoad;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      if (load_o) count_q <= CountBits'(Iterations);
      else if (sum_o) count_q <= count_q - CountBits'(1);
    end
  end

endmodule
