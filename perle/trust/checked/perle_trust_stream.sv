// SPDX-License-Identifier: Apache-2.0
//
// Lemmas about perle_stream_mul (Fold = 1), bound into the testbench: in the chain, and up to the last digit of their
// results, requests are at least N + 1 cycles apart; results wait in the memory; at most two are between it and the
// response register, and none of them is blocked if there are two.

module perle_trust_stream
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Digits     = 3,  // N, as many PEs as are listed below
  localparam int unsigned MostOpen   = in_flight(Digits, 1),
  localparam int unsigned IdxBits    = $clog2(MostOpen),
  localparam int unsigned ChainSteps = DigitMuxCycles + ElementCycles * Digits,  // request to last PE
  localparam int unsigned OutSteps   = 11,                                       // digit's index to result
  localparam int unsigned IndexBits  = $clog2(Digits)
) (
  // signals of the testbench and of the multiplier
  // verilog_lint: waive-start port-name-suffix
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         first_q,
  input logic                         accept,
  input logic                         mark_i,
  input logic                         take,
  input logic                         rsp_valid,
  input logic [                  1:0] rsp_tag,
  input logic [                  5:0] open_q,
  input logic [                  5:0] before_q,
  input logic                         marked_q,
  input logic [                  1:0] marked_tag_q,
  input logic [                  7:0] age_q,
  input logic [                  7:0] wait_q,
  input logic                         ready,
  input logic                         active,       // digits of an operand enter the chain
  input logic [        IndexBits-1:0] index,
  input logic [       ChainSteps-1:0] chain,        // beat 0, the newest request lowest
  input logic                         exit_active,  // digits of a result
  input logic [        IndexBits-1:0] exit_index,
  input logic [         OutSteps-1:0] last,         // the last digit of a result
  input logic [         OutSteps-1:0] push,         // any digit
  input logic [            IdxBits:0] done,         // pointers: results in the memory, and those read
  input logic [            IdxBits:0] begun,
  input logic                         reading,
  input logic [        IndexBits-1:0] remaining,
  input logic                         last_valid,   // the last digit of a result that was read
  input logic                         last_shift,
  input logic                         full,         // a result waits for the response register
  input logic                         move,
  input logic                         move_copy,    // of `move`, for the digits
  input logic [                  1:0] pending,
  input logic                         entering,     // in the queue: the request of the cycle before
  input logic [                  1:0] entering_tag,
  input logic [            IdxBits:0] queued,
  input logic                         stopped,      // no further request
  input logic [          IdxBits-1:0] open_at,      // its pointers
  input logic [          IdxBits-1:0] move_at,
  input logic [2**IdxBits-1:0][1:0]   tags,
  input logic [                  1:0] next_tag
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Line = ChainSteps + Digits + OutSteps;  // request to memory
  localparam int unsigned Tail = Digits + 4;                      // memory to response

  typedef logic [IdxBits:0] pointer_t;
  typedef logic [IdxBits-1:0] index_t;

  logic [Line-1:0] line;
  logic [Tail-1:0] rest;
  pointer_t results;

  always_comb begin
    line[ChainSteps-1:0] = chain;
    for (int unsigned i = 0; i < Digits; i++) begin
      line[ChainSteps+i] = exit_active && exit_index == IndexBits'(i);
      rest[i] = reading && remaining == IndexBits'(Digits - 1 - i);
    end
    line[Line-1:ChainSteps+Digits] = last;
    rest[Tail-1:Digits] = {move, full, last_shift, last_valid};
  end
  assign results = done - begun;

  logic [Line-1:0][5:0] number;
  logic [Tail-1:0] waits;
  logic [5:0] accepted, left, answered, marked;

  perle_trust_line #(
    .Steps(Line)
  ) u_line (
    .*
  );

  always_comb begin
    for (int unsigned i = 0; i < Tail; i++) begin
      waits[i] = !rest[i] || (rest >> (i + 1)) != '0 || rsp_valid || wait_q <= 8'(Line + 1 + i);
    end
  end

  // No two requests are less than N + 1 steps apart.
  logic line_apart, rest_apart, entry_in_line;
  always_comb begin
    line_apart = 1'b1;
    rest_apart = 1'b1;
    entry_in_line = 1'b1;
    for (int unsigned d = 1; d <= Digits; d++) begin
      line_apart &= (line & (line >> d)) == '0;
      rest_apart &= (rest & (rest >> d)) == '0;
    end
    for (int unsigned i = 0; i < Digits; i++) begin
      entry_in_line &= line[i] == (active && index == IndexBits'(i));
    end
  end

  always_comb begin
    if (!first_q && rst_ni) begin
      LemmaIndex : assert (!active || 32'(index) < Digits);
      LemmaExitIndex : assert (!exit_active || 32'(exit_index) < Digits);
      LemmaPush : assert ((last & ~push) == '0);
      LemmaEntry : assert (entry_in_line && entering == line[0]);
      LemmaLine : assert (line_apart);
      LemmaRest : assert (rest_apart && (!reading || 32'(remaining) < Digits));
      LemmaMove : assert (move == move_copy && !(move && rsp_valid));
      LemmaPending : assert (3'(pending) == 3'($countones(rest)));
      LemmaUnblocked : assert (pending < 2'd2 || !rsp_valid);
      LemmaWaits : assert (waits == '1 &&
                           (results == '0 || pending != '0 || rsp_valid || wait_q <= 8'(Line)));
      LemmaBehind : assert (left == answered + 6'(rsp_valid) + 6'(pending) + 6'(results));
      LemmaResults : assert (32'(results) <= MostOpen);
      LemmaReady : assert (!ready || (!active && 32'(open_q) < MostOpen));
      LemmaCount : assert (open_q == 6'(queued) + 6'(entering) && 32'(open_q) <= MostOpen);
      LemmaFull : assert (stopped || (active && index <= IndexBits'(1)) || 32'(queued) < MostOpen);
      LemmaPointers : assert (open_at == index_t'(accepted) - index_t'(entering) &&
                              move_at == index_t'(answered) + index_t'(rsp_valid));
      LemmaNextTag : assert (!move || next_tag == tags[move_at]);
      LemmaResponseTag : assert (!rsp_valid || rsp_tag == tags[index_t'(answered)]);
      LemmaTag : assert (!marked_q || marked_tag_q ==
                         (entering && marked + 6'd1 == accepted ? entering_tag : tags[index_t'(marked)]));
    end
  end

endmodule

bind perle_trust_mul perle_trust_stream #(
  .Digits(perle_stream_pkg::digits(Width, 3, 1))
) u_lemmas (
  .*,
  .active      (u_mul.active_q),
  .index       (u_mul.index_q),
  .chain       ({u_mul.u_pe_chain.gen_element[2].u_element.head_q,
                 u_mul.u_pe_chain.gen_element[1].u_element.head_q,
                 u_mul.u_pe_chain.gen_element[0].u_element.head_q, u_mul.head_q, u_mul.start_q}),
  .exit_active (u_mul.u_pe_chain.u_exit.active_q),
  .exit_index  (u_mul.u_pe_chain.u_exit.index_q),
  .last        (u_mul.u_pe_chain.u_exit.last_q),
  .push        (u_mul.u_pe_chain.u_exit.push_q),
  .done        (u_mul.u_results.done_q),
  .begun       (u_mul.u_results.begun_q),
  .reading     (u_mul.u_results.reading_q),
  .remaining   (u_mul.u_results.left_q),
  .last_valid  (u_mul.u_results.last_valid_q),
  .last_shift  (u_mul.u_results.last_shift_q),
  .full        (u_mul.u_results.full_q),
  .move        (u_mul.u_results.move_o),
  .move_copy   (u_mul.u_results.gen_group[0].move_here_q),
  .pending     (u_mul.u_results.pending_q),
  .entering    (u_mul.u_inflight_fifo.delayed_q),
  .entering_tag(u_mul.u_inflight_fifo.delayed_tag_q),
  .queued      (u_mul.u_inflight_fifo.count_q),
  .stopped     (u_mul.u_inflight_fifo.full_o),
  .open_at     (u_mul.u_inflight_fifo.open_q),
  .move_at     (u_mul.u_inflight_fifo.move_q),
  .tags        (u_mul.u_inflight_fifo.tag_q),
  .next_tag    (u_mul.u_inflight_fifo.next_tag_q)
);
