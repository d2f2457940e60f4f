// SPDX-License-Identifier: Apache-2.0
//
// Control: the micro-operation of the row in each cycle.
//
// Ranges    N = Digits, d = QuotientDelay 1 or 2; quotient_i, in [0, 2^k), is read only in OpReduce
// Cycles    OpMul     d + 1 until the first multiples are added, N + d + 2 steps, 4 to resolve
//           OpReduce  the same until y is loaded, N + 1 turns (resolve, k bits of a quotient digit, step), d
//                     steps, 4 to resolve
//
// Outputs are registers, valid one cycle after the state that decides them; those named *_next_o are not
// registered.
//
// Parameters
//   Digits, RadixBits, QuotientDelay   as in perle_carry_save_pkg

module perle_carry_save_control
  import perle_pkg::*;
  import perle_carry_save_pkg::*;
#(
  parameter int unsigned Digits        = 35,
  parameter int unsigned RadixBits     = 8,
  parameter int unsigned QuotientDelay = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  mul_op_e                 req_op_i,
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  input  logic    [RadixBits-1:0] quotient_i,

  output logic    accept_o,
  output logic    open_next_o,      // operands are loaded in the next cycle
  output logic    modulus_next_o,   // ⌊M/β⌋ replaces y in the next cycle
  output logic    x_one_o,          // the digit of x is 1
  output logic    x_enable_o,       // the digit of x is that of the operand
  output logic    x_quotient_o,     // the digit of x is the quotient digit of OpReduce
  output logic    x_take_o,         // the recoding carry of this digit of x is kept for the next one
  output logic    q_enable_o,       // 1: the quotient digit is used; 0: it is 0
  output logic    quotient_load_o,
  output logic    quotient_run_o,
  output row_op_t op_o,
  output logic    step_next_o,      // op_o.step of the next cycle
  output logic    clear_next_o
);

  localparam int unsigned Steps = Digits + QuotientDelay + 2;
  localparam int unsigned Turn = turn(RadixBits, QuotientDelay);
  localparam int unsigned CountBits = $clog2(Steps + 1);
  localparam int unsigned PhaseBits = $clog2(Turn);

  typedef enum logic [2:0] {
    StIdle,
    StStart,
    StSteps,
    StTurn,
    StLast,
    StResolve,
    StDone
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_d, count_q;
  logic [PhaseBits-1:0] phase_d, phase_q;
  logic [4:0] ring_d, ring_q;  // one-hot: cycle number in a short state
  logic reduce_d, reduce_q, ones_d, ones_q, count_done, last_d, last_q, phase_done_d, phase_done_q;
  logic open_d, x_one_d, x_enable_d, x_quotient_d, x_take_d, q_enable_d, load_d, run_d;
  row_op_t op_d;

  assign req_ready_o = (state_q == StIdle) || (rsp_valid_o && rsp_ready_i);
  assign rsp_valid_o = (state_q == StDone);
  assign accept_o = req_valid_i && req_ready_o;

  // Long counts are compared one cycle early, for timing; in OpReduce the count is stable for a whole turn.
  assign last_d = (count_q == ((state_q == StTurn) ? CountBits'(Digits) : CountBits'(Steps - 2)));
  assign phase_done_d = (state_q == StTurn) && (phase_q == PhaseBits'(Turn - 2));

  always_comb begin
    unique case (state_q)
      StStart:   count_done = ring_q[QuotientDelay-1];
      StSteps:   count_done = last_q || reduce_q;
      StTurn:    count_done = last_q;
      StLast:    count_done = ring_q[QuotientDelay-1];
      StResolve: count_done = ring_q[4];
      default:   count_done = 1'b0;
    endcase
  end

  always_comb begin
    state_d  = state_q;
    count_d  = count_q + CountBits'(1);
    ring_d   = ring_q << 1;
    phase_d  = '0;
    reduce_d = reduce_q;

    unique case (state_q)
      StStart: if (count_done) state_d = StSteps;
      StSteps: if (count_done) state_d = reduce_q ? StTurn : StResolve;
      StTurn: begin
        phase_d = phase_done_q ? '0 : phase_q + PhaseBits'(1);
        count_d = count_q + CountBits'(phase_done_q);
        if (phase_done_q && count_done) state_d = StLast;
      end
      StLast: if (count_done) state_d = StResolve;
      StResolve: if (count_done) state_d = StDone;
      StDone: if (rsp_ready_i) state_d = StIdle;
      default: ;
    endcase
    if (accept_o) begin
      state_d  = StStart;
      reduce_d = (req_op_i == OpReduce);
    end
    if (accept_o || (count_done && (state_q != StTurn || phase_done_q))) begin
      count_d = '0;
      ring_d  = 5'd1;
    end
  end

  // Whether the quotient Q of OpReduce is at least R − 4·β^(d+1): then the result is M, which becomes 0.
  always_comb begin
    ones_d = ones_q;
    if (state_q == StTurn && x_quotient_o && count_q != CountBits'(Digits)) begin
      if (count_q == CountBits'(QuotientDelay + 1)) ones_d = &(quotient_i | RadixBits'(3));
      if (count_q > CountBits'(QuotientDelay + 1)) ones_d = ones_q && (&quotient_i);
    end
    if (state_q == StStart) ones_d = 1'b0;
  end

  // Control signals of the next cycle: functions of registers, loaded into a register or into a copy for each
  // group.
  always_comb begin
    open_d = (state_q == StIdle || state_q == StDone) ? !accept_o : (state_q == StResolve) && ring_q[4];
    x_one_d = (state_q == StStart) && ring_q[0] && reduce_q;
    x_enable_d = !reduce_q && ((state_q == StStart) || (state_q == StSteps));
    q_enable_d = !reduce_q && (state_q == StSteps) && (count_q <= CountBits'(Digits));
    x_quotient_d = 1'b0;
    x_take_d = !reduce_q;
    load_d = 1'b0;
    run_d = 1'b0;
    op_d = '{default: 1'b0};
    unique case (state_q)
      StStart: op_d.clear = ring_q[QuotientDelay-1];
      StSteps: op_d.step = 1'b1;
      StTurn: begin
        op_d.first = (phase_q == '0);
        op_d.step = phase_done_q;
        load_d = (phase_q == PhaseBits'(1)) && (count_q != CountBits'(Digits));
        run_d = (phase_q >= PhaseBits'(2)) && (phase_q < PhaseBits'(RadixBits + 2));
        x_quotient_d = (phase_q == PhaseBits'(RadixBits + 2));
        x_take_d = x_quotient_d;
      end
      StLast:  op_d.step = 1'b1;
      StResolve: begin
        op_d.clear = ring_q[0] && ones_q;
        op_d.first = ring_q[0] && !ones_q;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
      phase_q <= '0;
      ring_q <= '0;
      reduce_q <= 1'b0;
      last_q <= 1'b0;
      phase_done_q <= 1'b0;
      ones_q <= 1'b0;
      x_one_o <= 1'b0;
      x_enable_o <= 1'b0;
      q_enable_o <= 1'b0;
      x_quotient_o <= 1'b0;
      x_take_o <= 1'b0;
      quotient_load_o <= 1'b0;
      quotient_run_o <= 1'b0;
      op_o <= '{default: 1'b0};
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      phase_q <= phase_d;
      ring_q <= ring_d;
      reduce_q <= reduce_d;
      last_q <= last_d;
      phase_done_q <= phase_done_d;
      ones_q <= ones_d;
      x_one_o <= x_one_d;
      x_enable_o <= x_enable_d;
      q_enable_o <= q_enable_d;
      x_quotient_o <= x_quotient_d;
      x_take_o <= x_take_d;
      quotient_load_o <= load_d;
      quotient_run_o <= run_d;
      op_o <= op_d;
    end
  end

  assign step_next_o = op_d.step;
  assign clear_next_o = op_d.clear;
  assign open_next_o = open_d;
  assign modulus_next_o = (state_q == StSteps) && reduce_q;

endmodule
