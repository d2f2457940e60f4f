// SPDX-License-Identifier: Apache-2.0
//
// The schedule: which word is fetched in a cycle, and what is done with it in the next one.
//
// Ranges    bits_i: n of the operation; 0 and more than Width count as Width, so that a modulus without
//           constants takes no more time than a legal one, and wiping reaches every word
// Algorithm passes of max(e + 1, p + ⌈vp/w⌉ + 1) cycles until f digits are taken; a sweep of e + 1 cycles that
//           unloads; for OpReduce two sweeps more. In each, words 0 … e are fetched, word e being the sign
// Cycles    of OpMul and OpReduce: perle_scalable_pkg
// Left out  several operations in flight
//
// Parameters
//   Width, WordWidth, Elements, Kind   as perle_scalable_mul

module perle_scalable_control
  import perle_pkg::*;
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned Width       = 256,
  parameter  int unsigned WordWidth   = 16,
  parameter  int unsigned Elements    = 16,
  parameter  int unsigned Kind        = KindR2,
  localparam int unsigned Words       = words(Width, WordWidth, Kind),
  localparam int unsigned OperandBits = Words * WordWidth,
  localparam int unsigned WordIdx     = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   accept_i,
  input  mul_op_e                op_i,
  input  logic [OperandBits-1:0] bits_i,
  input  logic                   taken_i,      // the response is taken
  // the word to be fetched
  output logic [    WordIdx-1:0] word_o,
  output logic                   sign_o,       // none: the sign
  output logic                   modulus_o,    // of M, not of M̂
  output logic                   first_o,      // word 0
  output logic                   turn_o,       // the digits of the next pass, from the next cycle on
  // the word that has been fetched
  output step_e                  step_o,
  output flags_t                 flags_o,
  output logic [    WordIdx-1:0] place_o,
  output logic                   idle_o,
  output logic                   done_o
);

  localparam int unsigned TickBits = $clog2(period(Width, WordWidth, Elements, Kind));
  localparam int unsigned SizeBits = $clog2(extended(Width, Kind) + WordWidth + 1);
  localparam int unsigned DigitBits = $clog2(digits(Width, Kind) + Elements + 1);
  localparam logic [TickBits-1:0] Turn = TickBits'(turn(Elements, WordWidth, Kind) - 1);

  typedef enum logic [2:0] {
    StIdle,
    StRun,
    StUnload,
    StCompare,
    StSubtract,
    StDone
  } state_e;

  state_e state_q;
  step_e step;
  logic [TickBits-1:0] tick_q, top_q;  // top: the tick of word e
  logic [DigitBits-1:0] taken_q, digits_q;
  logic first_pass_q, reduce_q, sweep_end, pass_end;
  logic [SizeBits-1:0] size, extra;

  // n2, and rounded up for words and digits
  assign size = (bits_i == '0 || bits_i > OperandBits'(Width)) ? SizeBits'(extended(Width, Kind)) :
      SizeBits'(bits_i) + SizeBits'(extended(0, Kind));
  assign extra = size + SizeBits'(WordWidth - 1);

  assign sweep_end = (tick_q == top_q);
  assign pass_end = (tick_q >= top_q) && (tick_q >= Turn);
  assign word_o = WordIdx'(tick_q);
  assign sign_o = sweep_end;
  assign first_o = (tick_q == '0);
  assign modulus_o = (state_q != StRun);
  assign turn_o = (state_q == StRun) && pass_end;
  assign idle_o = (state_q == StIdle);
  assign done_o = (state_q == StDone);

  always_comb begin
    unique case (state_q)
      StRun: step = first_pass_q ? StepFirstPass : StepPass;
      StUnload: step = StepUnload;
      StCompare: step = StepCompare;
      StSubtract: step = StepSubtract;
      default: step = StepNone;
    endcase
    // a pass may be longer than its words
    if (tick_q > top_q) step = StepNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      tick_q <= '0;
      top_q <= '0;
      taken_q <= '0;
      digits_q <= '0;
      first_pass_q <= 1'b0;
      reduce_q <= 1'b0;
      step_o <= StepNone;
      flags_o <= '0;
      place_o <= '0;
    end else begin
      step_o <= step;
      flags_o.valid <= (step == StepFirstPass) || (step == StepPass);
      flags_o.first <= (step != StepNone) && first_o;
      flags_o.last <= (step != StepNone) && sweep_end;
      place_o <= word_o;

      tick_q <= tick_q + TickBits'(1);
      unique case (state_q)
        StRun:
        if (pass_end) begin
          tick_q <= '0;
          first_pass_q <= 1'b0;
          taken_q <= taken_q + DigitBits'(Elements);
          if (taken_q + DigitBits'(Elements) >= digits_q) state_q <= StUnload;
        end
        StUnload, StCompare, StSubtract:
        if (sweep_end) begin
          tick_q <= '0;
          if (state_q == StUnload && reduce_q) state_q <= StCompare;
          else if (state_q == StCompare) state_q <= StSubtract;
          else state_q <= StDone;
        end
        StDone: if (taken_i) state_q <= StIdle;
        default: ;
      endcase

      if (accept_i) begin
        state_q <= StRun;
        tick_q <= '0;
        taken_q <= '0;
        first_pass_q <= 1'b1;
        reduce_q <= (op_i == OpReduce);
        top_q <= TickBits'(extra / SizeBits'(WordWidth));
        digits_q <= DigitBits'((size + SizeBits'(radix_bits(Kind) - 1)) / SizeBits'(radix_bits(Kind)));
      end
    end
  end

endmodule
