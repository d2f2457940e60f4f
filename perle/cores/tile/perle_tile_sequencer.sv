// SPDX-License-Identifier: Apache-2.0
//
// The order of issue: which operation of which context is next, and when it has to wait.
//
// Ranges    blocks_i (N) in [3, MaxBlocks]; stable while a context is not at rest
// Algorithm contexts have turns, one cycle in four; the state of each goes round in a ring of four registers. A column
//           c has, in this order (schedule.py):
//             x pairs   (x_i − x_j)·(y_i − y_j), i + j = c
//             x diag    x_c·y_c, c < N
//             q pairs   (q_i − q_j)·(m̂_i − m̂_j), i + j = c − 1, without the newest block
//             q diag    q_{c−1}·m̂_{c−1}, 1 <= c <= N; q_{c−1} is written into its memory meanwhile
//             newest    (q_0 − q_{c−1})·(m̂_0 − m̂_{c−1}), 2 <= c <= N
//             end       nothing, if there was no pair or the last operation was a diagonal
// Waits     q diag for its quotient block; x pairs and x diag for the result of the modular product before; the end of a
//           column of the result for a place in the queue of results. Nothing depends on a value
// Cycles    N² + N + 5 turns of a context, if nothing but its quotient blocks make it wait; issue_o is a register
// Left out  addresses: it counts blocks
//
// Parameters
//   MaxBlocks   most blocks of a modulus

module perle_tile_sequencer
  import perle_tile_pkg::*;
#(
  parameter int unsigned MaxBlocks = 39,
  localparam int unsigned IndexBits = index_bits(MaxBlocks)
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [IndexBits-1:0]                blocks_i,
  // requests that wait; started_o tells that a context takes its own
  input  logic [ Contexts-1:0]                waiting_i,
  output logic [ Contexts-1:0]                started_o,
  output logic [ Contexts-1:0]                running_o,
  // results
  input  logic [ Contexts-1:0][IndexBits-1:0] written_i,  // blocks of the result before that can be read
  input  logic                                full_i,
  output logic                                reserve_o,  // a block of a result is on its way
  output logic                                free_o,     // port B of both memories is free
  // the operation, a cycle later
  output op_t                                 op_o,
  output logic [  CtxBits-1:0]                ctx_o,
  output logic                                bank_o,     // which of two requests of the context
  output logic                                quotient_o, // operands are quotients, not x and y
  output logic                                write_o,    // the quotient block gets into its memory
  output logic                                renew_o,    // results of another modular product begin
  output logic [IndexBits-1:0]                a_o,        // blocks
  output logic [IndexBits-1:0]                b_o,
  output logic [IndexBits-1:0]                index_o     // of the diagonal that is made, or that leaves
);

  localparam int unsigned ColumnBits = IndexBits + 1;
  localparam int unsigned AgeBits = $clog2(QuotientTurns);
  localparam logic [AgeBits-1:0] Ready = AgeBits'(QuotientTurns - 1);

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
    logic [ColumnBits-1:0] column;
    logic [IndexBits-1:0] i;
    logic [IndexBits-1:0] j;
    logic [AgeBits-1:0] age;  // turns since the last column ended
    logic fresh;              // no pair of this column yet
  } state_t;

  // What is found out of a state a cycle before its turn.
  typedef struct packed {
    logic below;      // c < N
    logic at_most;    // c <= N
    logic drop;       // c + 1 >= N
    logic zero;       // c = 0
    logic two;        // c >= 2
    logic four;       // c >= 4
    logic last;       // c = 2·N − 1
    logic next_last;  // c + 1 = 2·N − 1
    logic next_two;   // c + 1 = 2·N − 2: no x pairs
    logic last_pair;
    logic missing;    // x_c is not there
    logic [IndexBits-1:0] previous;      // c − 1
    logic [IndexBits-1:0] above;        // c + 1 − N
    logic [IndexBits-1:0] x_i, x_j;     // first x pair of column c + 1
    logic [IndexBits-1:0] q_i, q_j;     // first q pair of column c
  } found_t;

  logic [CtxBits-1:0] turn_q;  // of state_q[1]
  state_t state_q[Contexts], state;
  found_t found_q, found;
  logic pair, diag, issue, column_ends, waits;
  logic [ColumnBits-1:0] column, blocks, twice, c_minus_n;
  logic [CtxBits-1:0] next_turn;
  state_t now;

  // a cycle before
  assign column = state_q[0].column;
  assign blocks = ColumnBits'(blocks_i);
  assign twice = {blocks_i, 1'b0};
  assign c_minus_n = column - blocks;
  assign next_turn = turn_q + CtxBits'(1);
  always_comb begin
    found.below = (column < blocks);
    found.at_most = (column <= blocks);
    found.drop = (column + ColumnBits'(1) >= blocks);
    found.zero = (column == '0);
    found.two = (column >= ColumnBits'(2));
    found.four = (column >= ColumnBits'(4));
    found.last = (column + ColumnBits'(1) == twice);
    found.next_last = (column + ColumnBits'(2) == twice);
    found.next_two = (column + ColumnBits'(3) == twice);
    found.last_pair = (state_q[0].j - state_q[0].i <= IndexBits'(2));
    found.missing = (ColumnBits'(written_i[next_turn]) <= column);
    found.previous = IndexBits'(column - ColumnBits'(1));
    found.above = IndexBits'(c_minus_n + ColumnBits'(1));
    found.x_i = found.drop ? IndexBits'(c_minus_n + ColumnBits'(2)) : '0;
    found.x_j = found.drop ? blocks_i - IndexBits'(1) : IndexBits'(column + ColumnBits'(1));
    found.q_i = found.at_most ? IndexBits'(1) : IndexBits'(c_minus_n);
    found.q_j = found.at_most ? IndexBits'(column - ColumnBits'(2)) : blocks_i - IndexBits'(1);
  end

  // its turn
  assign now = state_q[1];
  assign pair = (now.phase == XPairs) || (now.phase == QPairs);
  assign diag = (now.phase == XDiag) || (now.phase == QDiag);
  assign column_ends = (now.phase == QNewest) || (now.phase == End) ||
      (now.phase == QPairs && found_q.last_pair && !found_q.at_most);
  always_comb begin
    waits = column_ends && !found_q.below && full_i;
    if (now.phase == QDiag) waits = (now.age != Ready);
    if (now.phase == XPairs || now.phase == XDiag) waits = found_q.below && found_q.missing;
  end
  assign issue = now.run && !waits;
  assign free_o = !issue || diag;
  assign reserve_o = issue && column_ends && !found_q.below;

  always_comb begin
    state = now;
    if (now.age != Ready) state.age = now.age + AgeBits'(1);
    started_o = '0;
    if (issue) begin
      if (!diag) state.fresh = 1'b0;
      if (pair) begin
        state.i = now.i + IndexBits'(1);
        state.j = now.j - IndexBits'(1);
      end
      unique case (now.phase)
        XPairs, XDiag: begin
          if (now.phase == XDiag || (found_q.last_pair && !found_q.below)) begin
            state.i = found_q.q_i;
            state.j = found_q.q_j;
            state.phase = found_q.zero ? End : (found_q.at_most && !found_q.four) ? QDiag : QPairs;
          end else if (found_q.last_pair) begin
            state.phase = XDiag;
          end
        end
        QPairs:  if (found_q.last_pair) state.phase = QDiag;
        QDiag:   state.phase = found_q.two ? QNewest : End;
        default: ;
      endcase
      if (column_ends) begin
        state.column = now.column + ColumnBits'(1);
        state.i = found_q.x_i;
        state.j = found_q.x_j;
        state.phase = found_q.next_last ? End : found_q.next_two ? QPairs : XPairs;
        if (found_q.next_two) state.i = found_q.above;
        state.age = '0;
        state.fresh = 1'b1;
        if (found_q.last) state.run = 1'b0;
      end
    end
    if (!state.run && waiting_i[turn_q]) begin
      state = '{run: 1'b1, bank: !now.bank, phase: XDiag, age: '0, fresh: 1'b1, default: '0};
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
    end else begin
      turn_q <= next_turn;
      state_q <= '{state_q[Contexts-1], state_q[0], state, state_q[2]};
      running_o[turn_q] <= state.run;
    end
  end

  always_ff @(posedge clk_i) begin
    found_q <= found;
    op_o.valid <= issue;
    op_o.clear <= !now.run;
    op_o.diag <= diag;
    op_o.first <= found_q.zero;
    op_o.open <= diag ? (now.phase == XDiag || !found_q.below) : now.fresh;
    op_o.close <= diag ? (now.phase == QDiag || found_q.zero) : column_ends;
    op_o.result <= !found_q.below;
    op_o.drop <= found_q.drop;
    ctx_o <= turn_q;
    bank_o <= now.bank;
    quotient_o <= (now.phase != XPairs) && (now.phase != XDiag);
    write_o <= issue && (now.phase == QDiag);
    renew_o <= issue && (now.phase == QDiag) && !found_q.below;
    unique case (now.phase)
      XPairs, QPairs: a_o <= now.j;
      XDiag:          a_o <= now.column[IndexBits-1:0];
      QDiag, QNewest: a_o <= found_q.previous;
      default:        a_o <= '0;
    endcase
    b_o <= pair ? now.i : '0;
    index_o <= diag ? now.column[IndexBits-1:0] : found_q.above;
  end

endmodule
