// SPDX-License-Identifier: Apache-2.0
//
// Control: the word that is fetched in each cycle, its flags, and the loading of operands.
//
// Ranges    bits_i: n of the operation, in the cycle after its acceptance; see perle_scalable_size
// Algorithm passes of max(e + 1, p + ⌈vp/w⌉ + 1) cycles until f digits are used; one sweep that unloads Z;
//           for OpReduce two more sweeps. A sweep has e + 1 words and Drain cycles until the last of them is
//           written. Passes and sweeps fetch words 0 … e; word e is the sign. The limits that the cycle
//           counter is compared with are registers, for timing
// Cycles    of OpMul and OpReduce: perle_scalable_pkg
// Left out  several operations in flight
//
// Parameters
//   Width, WordWidth, Elements, Kind   as perle_scalable_mul
//   Copies   copies of the control signals of all bits of an operand

module perle_scalable_control
  import perle_pkg::*;
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned Width       = 256,
  parameter  int unsigned WordWidth   = 16,
  parameter  int unsigned Elements    = 16,
  parameter  int unsigned Kind        = KindR2,
  parameter  int unsigned Copies      = 1,
  localparam int unsigned Words       = words(Width, WordWidth, Kind),
  localparam int unsigned OperandBits = Words * WordWidth,
  localparam int unsigned WordIdx     = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  input  mul_op_e                op_i,
  input  logic [OperandBits-1:0] bits_i,
  input  logic                   rsp_ready_i,     // of the multiplier
  output logic                   ready_o,
  output logic                   done_o,
  // operands: loaded in every cycle, valid or not, in which no operation or result is held
  output logic [     Copies-1:0] load_o,
  output logic [     Copies-1:0] one_o,           // x is 1, after the load of OpReduce
  output logic [     Copies-1:0] shift_o,         // to the digits of the next pass
  output logic                   start_o,         // in the cycle after the acceptance
  // the word that is fetched in the next cycle
  output logic [    WordIdx-1:0] next_word_o,
  output logic                   next_modulus_o,  // from M, not from M̂
  // the word that arrives
  output logic                   first_o,         // word 0
  output logic                   sign_o,          // word e: the sign
  output logic                   pass_first_o,    // word 0 of a pass
  output logic                   pop_o,           // the word of Z comes from the FIFO
  output logic                   buffered_o,      // the FIFO buffers words: passes are longer than turn()
  // the word, registered
  output step_e                  step_o,
  output flags_t                 flags_o
);

  localparam int unsigned Longest = longest(Width, WordWidth, Elements, Kind);
  localparam int unsigned TickBits = $clog2(Longest);
  localparam int unsigned DigitBits = $clog2(digits(Width, Kind) + Elements + 1);
  localparam logic [TickBits-1:0] Turn = TickBits'(turn(Elements, WordWidth, Kind) - 1);

  typedef enum logic [2:0] {
    StIdle,
    StStart,
    StRun,
    StUnload,
    StCompare,
    StSubtract,
    StDone
  } state_e;

  state_e state_q, state_d;
  step_e step, step_q;
  logic accept, running, end_q, words_done_q, sized_q, last;
  logic first_pass_q, reduce_q, last_pass_q;
  // top: the tick of word e; stops: the last tick but one of a pass and of a sweep
  logic [TickBits-1:0] tick_q, tick_d, top, top_q, stop, pass_stop_q, sweep_stop_q;
  logic [DigitBits-1:0] count, remaining_q;  // digits

  assign accept = valid_i && ready_o;
  assign running = (state_q inside {StRun, StUnload, StCompare, StSubtract});
  assign last = (tick_q == top_q);
  assign tick_d = (end_q || !running) ? '0 : tick_q + TickBits'(1);
  assign next_word_o = WordIdx'(tick_d);
  assign next_modulus_o = (state_d != StRun);
  assign ready_o = (state_q == StIdle) || (state_q == StDone && rsp_ready_i);
  assign done_o = (state_q == StDone);
  assign start_o = (state_q == StStart);

  perle_scalable_size #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Elements (Elements),
    .Kind     (Kind),
    .TickBits (TickBits),
    .CountBits(DigitBits)
  ) u_size (
    .clk_i,
    .bits_i,
    .top_o  (top),
    .stop_o (stop),
    .count_o(count)
  );

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (valid_i) state_d = StStart;
      StStart: state_d = StRun;
      StRun: if (end_q && last_pass_q) state_d = StUnload;
      StUnload: if (end_q) state_d = reduce_q ? StCompare : StDone;
      StCompare: if (end_q) state_d = StSubtract;
      StSubtract: if (end_q) state_d = StDone;
      default: if (rsp_ready_i) state_d = valid_i ? StStart : StIdle;
    endcase

    unique case (state_q)
      StRun: step = first_pass_q ? StepFirstPass : StepPass;
      StUnload: step = StepUnload;
      StCompare: step = StepCompare;
      StSubtract: step = StepSubtract;
      default: step = StepNone;
    endcase
    // a pass may have more cycles than words, a sweep always has
    if (words_done_q) step = StepNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      tick_q <= '0;
      top_q <= TickBits'(1);
      pass_stop_q <= '1;
      sweep_stop_q <= '1;
      end_q <= 1'b0;
      words_done_q <= 1'b0;
      sized_q <= 1'b0;
      remaining_q <= '0;
      last_pass_q <= 1'b0;
      first_pass_q <= 1'b0;
      reduce_q <= 1'b0;
      buffered_o <= 1'b0;
      step_q <= StepNone;
      first_o <= 1'b0;
      sign_o <= 1'b0;
      pass_first_o <= 1'b0;
      pop_o <= 1'b0;
      step_o <= StepNone;
      flags_o <= '0;
    end else begin
      state_q <= state_d;
      tick_q <= tick_d;
      sized_q <= start_o;
      if (sized_q) begin
        top_q <= top;
        pass_stop_q <= stop;
      end
      sweep_stop_q <= top_q + TickBits'(Drain - 1);
      end_q <= running && (tick_q == ((state_q == StRun) ? pass_stop_q : sweep_stop_q));
      buffered_o <= (top_q > Turn);
      words_done_q <= running && !end_q && (words_done_q || last);

      if (sized_q) remaining_q <= count;
      else if (end_q && state_q == StRun) remaining_q <= remaining_q - DigitBits'(Elements);
      last_pass_q <= (remaining_q <= DigitBits'(Elements));
      if (accept) reduce_q <= (op_i == OpReduce);
      if (start_o) first_pass_q <= 1'b1;
      else if (end_q) first_pass_q <= 1'b0;

      step_q <= step;
      first_o <= (step != StepNone) && (tick_q == '0);
      sign_o <= (step != StepNone) && last;
      pass_first_o <= (state_q == StRun) && (tick_q == '0);
      pop_o <= (step == StepPass) || (step == StepUnload);

      step_o <= step_q;
      flags_o.valid <= (step_q == StepFirstPass) || (step_q == StepPass);
      flags_o.first <= first_o;
      flags_o.last <= sign_o;
    end
  end

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    logic idle_q, done_q, one_q, shift_q;

    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        idle_q <= 1'b1;
        done_q <= 1'b0;
        one_q <= 1'b0;
        shift_q <= 1'b0;
      end else begin
        idle_q <= (state_d == StIdle);
        done_q <= (state_d == StDone);
        one_q <= start_o && reduce_q;
        shift_q <= end_q && (state_q == StRun);
      end
    end

    assign load_o[i] = idle_q || (done_q && rsp_ready_i);
    assign one_o[i] = one_q;
    assign shift_o[i] = shift_q;
  end

endmodule
