// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of a tile: issues the block products of all contexts, and stalls a context that has to wait.
//
// Ranges    N = top_i + 1 in [3, MaxBlocks]; that of a context is stable while it is not idle
// Algorithm a context has its turn in one cycle of four; the states rotate through a ring of four registers.
//           A column c has, in this order (schedule.py):
//             x pairs   (x_i − x_j)·(y_i − y_j), i + j = c
//             x diag    x_c·y_c, c < N
//             q pairs   (q_i − q_j)·(m̂_i − m̂_j), i + j = c − 1, without the newest block
//             q diag    q_{c−1}·m̂_{c−1}, 1 <= c <= N; q_{c−1} is written to memory X in the same cycle
//             newest    (q_0 − q_{c−1})·(m̂_0 − m̂_{c−1}), 2 <= c <= N
//             end       no product, only the end of the column: if it has no pair, or a diagonal last
// Waits     q diag for its quotient block; x pairs and x diag for the result of the last modular product; the
//           end of a column of the result for a place in the queue of results. Nothing depends on a value
// Cycles    N² + N + 5 turns of a context for N >= 5, if it waits only for its quotient blocks; more for
//           N = 3 and 4 (perle_tile). op_o is a register
// Left out  addresses: outputs are numbers of blocks
//
// Parameters
//   MaxBlocks   most blocks of a modulus
//   Sizes       1: all contexts have the same N; Contexts: each has its own

module perle_tile_sequencer
  import perle_tile_pkg::*;
#(
  parameter int unsigned MaxBlocks = 39,
  parameter int unsigned Sizes     = 1,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [   Sizes-1:0][IndexBits-1:0] top_i,
  // requests that wait; started_o: a context accepts its request
  input  logic [ Contexts-1:0] waiting_i,
  output logic [ Contexts-1:0] started_o,
  output logic [ Contexts-1:0] running_o,
  // results
  output logic [  CtxBits-1:0] wanted_ctx_o,  // three turns ahead
  output logic [IndexBits-1:0] wanted_o,      // one cycle later: the block that this context needs
  input  logic                 missing_i,     // another cycle later: the block is not written yet
  input  logic                 full_i,
  output logic                 reserve_o,  // a block of a result will come
  output logic                 free_o,     // port B of both memories is free
  // whose turn it is
  output logic [  CtxBits-1:0] turn_o,
  output logic                 bank_o,      // which of two requests of the context
  output logic                 quotient_o,  // operands are quotients, not x and y
  // the operation, a cycle later
  output op_t                  op_o,
  output logic [  CtxBits-1:0] ctx_o,
  output logic                 write_o,     // the quotient block is written to memory X
  output logic                 renew_o,     // results of the next modular product begin
  output logic [IndexBits-1:0] a_o,         // blocks
  output logic [IndexBits-1:0] b_o,
  output logic [IndexBits-1:0] index_o      // of the diagonal that enters or leaves the window
);

  localparam int unsigned AgeBits = $clog2(QuotientTurns);
  localparam logic [AgeBits-1:0] Ready = AgeBits'(QuotientTurns - 1);
  localparam logic [IndexBits-1:0] One = IndexBits'(1);

  typedef enum logic [2:0] {
    XPairs  = 3'd0,
    XDiag   = 3'd1,
    QPairs  = 3'd2,
    QDiag   = 3'd3,
    QNewest = 3'd4,
    End     = 3'd5
  } phase_e;

  typedef struct packed {
    logic run;
    logic bank;
    phase_e phase;
    logic upper;                     // c >= N
    logic [IndexBits-1:0] t;         // c, or c − N
    logic [IndexBits-1:0] previous;  // the same of c − 1
    logic [IndexBits-1:0] i;
    logic [IndexBits-1:0] j;
    logic [AgeBits-1:0] age;         // turns since the last column ended
    logic fresh;                     // no pair of this column yet
  } state_t;

  // Comparisons of a state, two cycles before its turn.
  typedef struct packed {
    logic zero;       // c = 0
    logic most;       // c <= N
    logic two;        // c >= 2
    logic four;       // c >= 4
    logic highest;    // t = N − 1
    logic next_last;  // c + 1 = 2·N − 1: no pairs
    logic next_two;   // c + 1 = 2·N − 2: no x pairs
    logic last_pair;
    logic diag;       // phases
    logic pair;
    logic q_pairs;
    logic surely;     // the column ends, if this is issued
    logic asks;       // the block of x has to be written
    logic waits;      // waits in any case: not running, or no quotient block yet
    logic ends;       // a column of the result may end, which takes a place in the queue
    logic renews;     // results of the next modular product begin
  } compared_t;

  // Decisions one cycle before the turn.
  typedef struct packed {
    logic ends;                      // the column, if it is issued
    logic waits;
    logic free;                      // port B of both memories
    logic reserve;                   // a block of a result will come
    compared_t is;
    logic next_upper;                // c + 1 >= N
    logic [IndexBits-1:0] next;      // t of c + 1
    logic [IndexBits-1:0] above;     // t + 2
  } found_t;

  logic [CtxBits-1:0] turn_q, next_turn;  // of state_q[1], state_q[0]
  // verilator lint_off UNUSEDSIGNAL
  state_t first, early;  // states two cycles and one cycle before their turn
  // verilator lint_on UNUSEDSIGNAL
  state_t state_q[Contexts], now, state;
  found_t found_q, found;
  compared_t compared_q, compared;
  logic issue, blocked;

  // N − 1 of the context whose turn is in that many cycles
  function automatic logic [IndexBits-1:0] top(logic [CtxBits-1:0] ahead);
    return top_i[(Sizes > 1) ? turn_q + ahead : '0];
  endfunction

  // two cycles before the turn
  assign first = state_q[Contexts-1];
  always_comb begin
    compared.zero = !first.upper && (first.t == '0);
    compared.most = !first.upper || (first.t == '0);
    compared.two = first.upper || (first.t >= IndexBits'(2));
    compared.four = first.upper ? (top(2'd2) >= IndexBits'(3)) : (first.t >= IndexBits'(4));
    compared.highest = (first.t == top(2'd2));
    compared.next_last = first.upper && (first.t + One == top(2'd2));
    compared.next_two = first.upper && (first.t + IndexBits'(2) == top(2'd2));
    compared.last_pair = (first.i + One == first.j) || (first.i + IndexBits'(2) == first.j);
    compared.diag = (first.phase == XDiag) || (first.phase == QDiag);
    compared.pair = (first.phase == XPairs) || (first.phase == QPairs);
    compared.q_pairs = (first.phase == QPairs) && !compared.most;
    compared.surely = (first.phase == QNewest) || (first.phase == End);
    compared.asks = (first.phase == XPairs || first.phase == XDiag) && !first.upper;
    compared.waits = !first.run || (first.phase == QDiag && first.age != Ready);
    compared.ends = first.upper && (first.phase == QPairs || compared.surely);
    compared.renews = first.run && first.upper && (first.phase == QDiag) && (first.age == Ready);
  end
  assign wanted_ctx_o = turn_q - CtxBits'(1);
  assign wanted_o = first.t;

  // one cycle before the turn
  assign early = state_q[0];
  assign next_turn = turn_q + CtxBits'(1);
  always_comb begin
    found.is = compared_q;
    found.next_upper = early.upper || compared_q.highest;
    found.ends = compared_q.surely || (compared_q.q_pairs && compared_q.last_pair);
    found.next = compared_q.highest ? '0 : early.t + One;
    found.above = early.t + IndexBits'(2);
    blocked = (compared_q.asks && missing_i) || (compared_q.ends && found.ends && full_i);
    found.waits = compared_q.waits || blocked;
    found.free = (compared_q.waits || compared_q.diag || blocked) && !compared_q.renews;
    found.reserve = compared_q.ends && found.ends && !compared_q.waits && !full_i;
  end

  // the turn
  assign now = state_q[1];
  assign turn_o = turn_q;
  assign bank_o = now.bank;
  assign quotient_o = (now.phase != XPairs) && (now.phase != XDiag);
  assign issue = !found_q.waits;
  assign free_o = found_q.free;
  assign reserve_o = found_q.reserve;

  always_comb begin
    state = now;
    if (now.age != Ready) state.age = now.age + AgeBits'(1);
    started_o = '0;
    if (issue) begin
      if (!found_q.is.diag) state.fresh = 1'b0;
      if (found_q.is.pair) begin
        state.i = now.i + One;
        state.j = now.j - One;
      end
      unique case (now.phase)
        XPairs: if (found_q.is.last_pair) state.phase = XDiag;
        QPairs: if (found_q.is.last_pair) state.phase = QDiag;
        QDiag:  state.phase = found_q.is.two ? QNewest : End;
        default: ;
      endcase
      if (now.phase == XDiag || (now.phase == XPairs && found_q.is.last_pair && now.upper)) begin
        state.i = found_q.is.most ? One : now.t;
        state.j = found_q.is.most ? now.previous - One : top(2'd0);
        state.phase = found_q.is.zero ? End : (found_q.is.most && !found_q.is.four) ? QDiag : QPairs;
      end
      if (found_q.ends) begin
        state.upper = found_q.next_upper;
        state.t = found_q.next;
        state.previous = now.t;
        state.i = !found_q.next_upper ? '0 : found_q.is.next_two ? found_q.next :
            found_q.is.highest ? One : found_q.above;
        state.j = found_q.next_upper ? top(2'd0) : found_q.next;
        state.phase = found_q.is.next_last ? End : found_q.is.next_two ? QPairs : XPairs;
        state.age = '0;
        state.fresh = 1'b1;
        if (now.upper && found_q.is.highest) state.run = 1'b0;
      end
    end
    if (!state.run && waiting_i[turn_q]) begin
      state = '{run: 1'b1, bank: !now.bank, phase: XDiag, fresh: 1'b1, default: '0};
      started_o[turn_q] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
      for (int unsigned n = 0; n < Contexts; n++) begin
        state_q[n] <= '{phase: XDiag, default: '0};
        running_o[n] <= 1'b0;
      end
      found_q <= '{waits: 1'b1, free: 1'b1, default: '0};
      op_o <= '0;
      write_o <= 1'b0;
      renew_o <= 1'b0;
    end else begin
      turn_q <= next_turn;
      state_q <= '{state_q[Contexts-1], state_q[0], state, state_q[2]};
      running_o[turn_q] <= state.run;
      found_q <= found;
      op_o.valid <= issue;
      op_o.clear <= !now.run;
      op_o.diag <= found_q.is.diag;
      op_o.first <= found_q.is.zero;
      op_o.open <= found_q.is.diag ? (now.phase == XDiag || now.upper) : now.fresh;
      op_o.close <= found_q.is.diag ? (now.phase == QDiag || found_q.is.zero) : found_q.ends;
      op_o.result <= now.upper;
      op_o.drop <= found_q.next_upper;
      write_o <= issue && (now.phase == QDiag);
      renew_o <= found_q.is.renews;
    end
  end

  always_ff @(posedge clk_i) begin
    compared_q <= compared;
    ctx_o <= turn_q;
    unique case (now.phase)
      XPairs, QPairs: a_o <= now.j;
      XDiag:          a_o <= now.t;
      QDiag, QNewest: a_o <= now.previous;
      default:        a_o <= '0;
    endcase
    b_o <= found_q.is.pair ? now.i : '0;
    index_o <= found_q.is.diag ? now.t : found_q.next;
  end

endmodule
