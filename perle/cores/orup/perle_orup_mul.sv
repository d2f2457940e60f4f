// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(k·N), N = ⌈(Width + k·(d+1) + 2) / k⌉
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width. With mprime = −M^-1 mod 2^(k·(d+1)) and Mt = mprime·M:
//           OpMul     x, y in [0, 2·Mt) → z in [0, 2·Mt): results feed back unchanged
//           OpReduce  y in [0, R)       → z in [0, M)
// Algorithm Orup's recurrence as in tang2003 slide 12 (d = 0 there). M̂ = (Mt + 1)/β^(d+1) is stored, so
//           the slide's correction z is not needed:
//             for i = 0 … N+d:  q_i = S mod β;  S ← ⌊S/β⌋ + q_{i−d}·M̂ + a_i·B      (a_i = 0 for i >= N)
//             z = β^d·S + the last d quotient digits
//           Every PE starts one product per cycle, alternating a·b and q·m. At the end the saved carries
//           are resolved.
//           OpReduce loads S and runs N classical digits with the modulus itself,
//             q = s_0·M'_0 mod β = s_0 + s_0·(M'_0 − 1) mod β;  S ← (S + q·M)/β
//           The result is at most M; M itself (only for y ≡ 0) becomes 0. Constant time.
// Cycles    mul_cycles and reduce_cycles of perle_orup_pkg; the next request is accepted with the response
// Left out  several operations in flight: the row is busy from request to response
//
// Parameters
//   Width           bits of the widest modulus
//   RadixBits       k, bits of a digit (8…18; from 3 for exhaustive verification)
//   QuotientDelay   d: 0 as on the slides; larger values allow registers in the broadcast
//   ChainSegments   cycles of the carry chain (4 on the slides)
//   Contexts        moduli held by the wrapper and selected by req_ctx_i
//   TagBits         bits of the tag that travels with an operation

module perle_orup_mul
  import perle_pkg::*;
  import perle_orup_pkg::*;
#(
  parameter  int unsigned Width         = 1024,
  parameter  int unsigned RadixBits     = 17,
  parameter  int unsigned QuotientDelay = 0,
  parameter  int unsigned ChainSegments = 4,
  parameter  int unsigned Contexts      = 1,
  parameter  int unsigned TagBits       = 4,
  localparam int unsigned Digits        = digits(Width, RadixBits, QuotientDelay),
  localparam int unsigned OperandBits   = Digits * RadixBits,
  localparam int unsigned CtxBits       = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                 clk_i,
  input  logic                                                 rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                 req_valid_i,
  output logic                                                 req_ready_o,
  input  mul_op_e                                              req_op_i,
  input  logic    [ CtxBits-1:0]                               req_ctx_i,
  input  logic    [ TagBits-1:0]                               req_tag_i,
  input  logic    [OperandBits-1:0]                            req_x_i,
  input  logic    [OperandBits-1:0]                            req_y_i,
  output logic                                                 rsp_valid_o,
  input  logic                                                 rsp_ready_i,
  output logic    [ TagBits-1:0]                               rsp_tag_o,
  output logic    [OperandBits-1:0]                            rsp_z_o
);

  localparam int unsigned Stages = tree_stages(QuotientDelay);
  localparam int unsigned Turn = turn(QuotientDelay);
  localparam int unsigned DigitMax = Digits + QuotientDelay;
  localparam int unsigned ChainCycles = ChainSegments + ((QuotientDelay == 0) ? 0 : 1);
  localparam int unsigned CarryMax = ChainCycles + Stages + 7;
  localparam int unsigned CountBits = $clog2(((DigitMax > CarryMax) ? DigitMax : CarryMax) + 1);
  localparam int unsigned StepBits = $clog2(2 * Turn + 2);

  typedef enum logic [2:0] {
    StIdle,
    StMul,
    StReduce,
    StCarry,
    StDone
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_d, count_q;
  logic [StepBits-1:0] step_d, step_q;
  logic phase_d, phase_q, clear_d, clear_q, open_q, shift_a_q;
  logic reduce_q, accept, early, last_digit, all_shifted, load_mprime;
  logic [CtxBits-1:0] ctx_q;
  logic [TagBits-1:0] tag_q;

  row_op_t row_op_d, row_op_q;
  logic [Digits-1:0][RadixBits-1:0] a_q, b_q, modulus, value, m;
  logic [Digits-1:0] equal_q;

  assign req_ready_o = (state_q == StIdle) || (rsp_valid_o && rsp_ready_i);
  assign accept = req_valid_i && req_ready_o;
  assign rsp_valid_o = (state_q == StDone);
  assign rsp_tag_o = tag_q;
  assign rsp_z_o = value;

  assign last_digit = (count_q == CountBits'(reduce_q ? DigitMax - 1 : DigitMax));
  assign early = (state_q == StMul) && (count_q <= CountBits'(QuotientDelay));
  // OpReduce: after N digits, d more shifts bring the result to the position of an OpMul result
  assign all_shifted = (QuotientDelay > 0) && (count_q >= CountBits'(Digits));
  assign m = mod_i[ctx_q][ConstM];
  // every digit selects the modulus by its own copy of reduce_q: synthesis must not merge the copies
  for (genvar j = 0; j < Digits; j++) begin : gen_modulus
    logic real_q;
    (* keep *) always_ff @(posedge clk_i) real_q <= reduce_q;
    assign modulus[j] = real_q ? m[j] : mod_i[ctx_q][ConstMhat][j*RadixBits+:RadixBits];
  end

  // The row executes a micro-operation in the next cycle.
  always_comb begin
    state_d = state_q;
    count_d = count_q;
    step_d = '0;
    phase_d = 1'b0;
    row_op_d = '{op: PeIdle, default: 1'b0};
    clear_d = 1'b0;
    load_mprime = 1'b0;

    unique case (state_q)
      StMul: begin
        phase_d = ~phase_q;
        if (!phase_q) begin  // a_i·b
          row_op_d.op = PeShift;
        end else begin  // q_{i−d}·M̂
          row_op_d.x_quotient = 1'b1;
          row_op_d.y_modulus = 1'b1;
          row_op_d.op = PeAdd;
          count_d = count_q + CountBits'(1);
          if (last_digit) begin
            state_d = StCarry;
            count_d = '0;
          end
        end
      end

      StReduce: begin
        step_d = step_q + StepBits'(1);
        if (step_q == StepBits'(Turn)) begin  // P_0 ← s_0·(M'_0 − 1)
          row_op_d.x_quotient = 1'b1;
          load_mprime = 1'b1;
        end
        if (step_q == StepBits'(2 * Turn)) begin  // S ← S + (s_0 + lo(P_0))·M
          row_op_d.x_quotient = 1'b1;
          row_op_d.y_modulus = 1'b1;
          row_op_d.op = PeAdd;
        end
        if (step_q == StepBits'(2 * Turn + 1) || all_shifted) begin  // S ← S/β
          row_op_d.op = PeShift;
          step_d = '0;
          count_d = count_q + CountBits'(1);
          if (last_digit) begin
            state_d = StCarry;
            count_d = '0;
          end
        end
      end

      StCarry: begin
        count_d = count_q + CountBits'(1);
        if (count_q == '0) row_op_d.op = PeCarry;
        if (count_q == CountBits'(ChainCycles + 1)) row_op_d.op = PeAdd;
        if (count_q == CountBits'(CarryMax - 1)) clear_d = &equal_q;
        if (count_q == CountBits'(reduce_q ? CarryMax : CarryMax - 3)) state_d = StDone;
      end

      StDone: if (rsp_ready_i) state_d = StIdle;

      default: ;
    endcase

    if (accept) begin  // a_0·b, or 1·y
      state_d = (req_op_i == OpReduce) ? StReduce : StMul;
      count_d = (req_op_i == OpReduce) ? '0 : CountBits'(1);
      row_op_d.op = PeShift;
      clear_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
      step_q <= '0;
      phase_q <= 1'b0;
      row_op_q <= '{op: PeIdle, default: 1'b0};
      clear_q <= 1'b1;
      open_q <= 1'b1;
      shift_a_q <= 1'b0;
      reduce_q <= 1'b0;
      ctx_q <= '0;
      tag_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      step_q <= step_d;
      phase_q <= phase_d;
      row_op_q <= row_op_d;
      clear_q <= clear_d;
      open_q <= (state_d == StIdle) || (state_d == StDone);
      shift_a_q <= row_op_d.op.shift;
      if (accept) begin
        reduce_q <= (req_op_i == OpReduce);
        ctx_q <= req_ctx_i;
        tag_q <= req_tag_i;
      end
    end
  end

  // Operand registers: while a request may be accepted they load req_x_i and req_y_i in every cycle, so their
  // enable does not depend on the handshake. Afterwards a is shifted out digit by digit and b is kept.
  // OpReduce starts with the digit 1; once y is loaded, b_0 holds M'_0 − 1, which is M'_0 with bit 0 cleared,
  // as M'_0 is odd.
  always_ff @(posedge clk_i) begin
    if (open_q) begin
      a_q <= (req_op_i == OpReduce) ? OperandBits'(1) : req_x_i;
      b_q <= req_y_i;
    end else begin
      if (shift_a_q) a_q <= a_q >> RadixBits;
      if (load_mprime) b_q[0] <= {mod_i[ctx_q][ConstMprime][RadixBits-1:1], 1'b0};
    end
    for (int unsigned j = 0; j < Digits; j++) equal_q[j] <= (value[j] == m[j]);
  end

  perle_orup_row #(
    .Digits       (Digits),
    .RadixBits    (RadixBits),
    .QuotientDelay(QuotientDelay),
    .ChainSegments(ChainSegments)
  ) u_row (
    .clk_i,
    .rst_ni,
    .clear_i  (clear_q),
    .early_i  (early),
    .row_op_i (row_op_q),
    .digit_i  (a_q[0]),
    .b_i      (b_q),
    .modulus_i(modulus),
    .value_o  (value)
  );

endmodule
