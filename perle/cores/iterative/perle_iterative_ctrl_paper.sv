// SPDX-License-Identifier: Apache-2.0
//
// Controller of nedjah2002 section 3: six states and a down counter, three states per bit.
//
// Ranges    Iterations >= 1; reduce_i is stable from the cycle after load_o on
// Algorithm S0  initialize; go to S1
//           S1  load the registers and SHIFT REGISTER1; go to S2          (here: on a request)
//           S2  wait for ADDER1 and ADDER2; load SHIFT REGISTER2; count; go to S3
//           S3  shift both shift registers; go to S4
//           S4  check the counter; if 0 go to S5, else go to S2           (printed: S5 in both cases)
//           S5  halt: the response is valid; the next request is accepted with it or later
// Cycles    latency 3·Iterations + 1
// Left out  the halt in S5: a request in the cycle in which the response is accepted is loaded in S5
//
// Parameters
//   Iterations   bits of A that are scanned

module perle_iterative_ctrl_paper #(
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

  typedef enum logic [2:0] {
    StInit,
    StLoad,
    StSum,
    StShift,
    StCheck,
    StHalt
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_q;
  logic finished;

  assign req_ready_o = (state_q == StLoad) || (rsp_valid_o && rsp_ready_i);
  assign rsp_valid_o = (state_q == StHalt);
  assign load_o = req_valid_i && req_ready_o;
  assign sum_o = (state_q == StSum);
  assign shift_o = (state_q == StShift);
  assign finished = (count_q == '0);
  assign clear_o = (state_q == StCheck) && finished && reduce_i;

  always_comb begin
    unique case (state_q)
      StInit: state_d = StLoad;
      StLoad: state_d = load_o ? StSum : StLoad;
      StSum: state_d = StShift;
      StShift: state_d = StCheck;
      StCheck: state_d = finished ? StHalt : StSum;
      default: state_d = load_o ? StSum : rsp_ready_i ? StLoad : StHalt;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StInit;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      if (load_o) count_q <= CountBits'(Iterations);
      else if (sum_o) count_q <= count_q - CountBits'(1);
    end
  end

endmodule
