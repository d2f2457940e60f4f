// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(k·N), N = ⌈(Width + k + 2) / k⌉
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width. With Mt = mprime·M < 2^(Width+k), mprime = −M^-1 mod 2^k:
//           OpMul     x, y in [0, 2·Mt) → z in [0, 2·Mt), so that results feed back unchanged
//           OpReduce  y in [0, R)       → z in [0, M)
// Algorithm Orup's recurrence after tang2003 slide 12, d = 0, with M̂ = (Mt + 1)/β stored so that the slide's
//           carry z disappears:
//             for i = 0 … N:  q = S mod β;  S ← ⌊S/β⌋ + q·M̂ + a_i·B      (a_N = 0)
//           one broadcast digit and one micro-operation a cycle; a·b in even cycles, q·m in odd ones;
//           then the saved carries are resolved.
//           OpReduce loads S and runs N classical digits with the real modulus,
//             q = s_0·M'_0 mod β;  S ← (S + q·M)/β
//           which ends at or below M; M itself (only from y ≡ 0) becomes 0. No data-dependent time.
// Cycles    OpMul     2N + 6 + ChainSegments: 1 load, 2(N+1) digits, 1 drain, 1 local carry,
//                     ChainSegments chain, 1 increment; the next request is accepted with the response
//           OpReduce  4N + 7 + ChainSegments
// Left out  several operations in flight: the row is busy from request to response
//
// Parameters
//   Width           bits of the widest modulus
//   RadixBits       k, bits of a digit (3…18; device multipliers suit 17 and 18)
//   ChainSegments   cycles of the carry chain (4 on the slides)
//   Contexts        moduli held by the wrapper and selected by req_ctx_i
//   TagBits         bits of the tag that travels with an operation

module perle_orup_mul
  import perle_pkg::*;
  import perle_orup_pkg::*;
#(
  parameter  int unsigned Width         = 1024,
  parameter  int unsigned RadixBits     = 17,
  parameter  int unsigned ChainSegments = 4,
  parameter  int unsigned Contexts      = 1,
  parameter  int unsigned TagBits       = 4,
  localparam int unsigned Digits        = digits(Width, RadixBits),
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

  localparam int unsigned SegmentBits = (ChainSegments > 1) ? $clog2(ChainSegments) : 1;
  localparam int unsigned CountMax = (Digits + 1 > ChainSegments + 3) ? Digits + 1 : ChainSegments + 3;
  localparam int unsigned CountBits = $clog2(CountMax + 1);

  typedef logic [Digits-1:0][RadixBits-1:0] digits_t;
  typedef enum logic [2:0] {
    StIdle,
    StMul,
    StReduce,
    StCarry,
    StDone
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_d, count_q;
  logic [1:0] phase_d, phase_q;
  logic reduce_q, accept, last_carry;
  logic [CtxBits-1:0] ctx_q;
  logic [TagBits-1:0] tag_q;

  pe_op_e op;
  x_sel_e x_sel;
  logic mul_en, y_modulus, y_update, shift_a, chain, resolved, compare;
  digits_t a_q, b_q, y_q, s, modulus;
  logic [Digits-1:0] equal_q;
  logic [SegmentBits-1:0] segment;

  assign req_ready_o = (state_q == StIdle) || (rsp_valid_o && rsp_ready_i);
  assign accept = req_valid_i && req_ready_o;
  assign rsp_valid_o = (state_q == StDone);
  assign rsp_tag_o = tag_q;
  assign rsp_z_o = s;

  assign last_carry = (count_q == (reduce_q ? CountBits'(ChainSegments + 3) : CountBits'(ChainSegments + 1)));
  assign segment = SegmentBits'(count_q - CountBits'(1));
  assign modulus = digits_t'(mod_i[ctx_q][reduce_q ? ConstM : ConstMhat]);

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    phase_d = phase_q;
    op = PeIdle;
    x_sel = XDigit;
    mul_en = 1'b0;
    y_modulus = 1'b0;
    y_update = 1'b0;
    shift_a = 1'b0;
    chain = 1'b0;
    resolved = 1'b0;
    compare = 1'b0;

    unique case (state_q)
      StMul: begin
        mul_en = 1'b1;
        y_update = 1'b1;
        phase_d = phase_q ^ 2'd1;
        if (phase_q[0] == 1'b0) begin
          // even: form a_i·b, add q_{i-1}·M̂
          op = (count_q == '0) ? PeIdle : PeAdd;
          shift_a = 1'b1;
          y_modulus = 1'b1;
          if (count_q == CountBits'(Digits + 1)) begin
            state_d = StCarry;
            count_d = '0;
          end
        end else begin
          // odd: form q_i·M̂, shift and add a_i·b
          op = PeShiftAdd;
          x_sel = XSum;
          count_d = count_q + CountBits'(1);
        end
      end

      StReduce: begin
        mul_en = (phase_q <= 2'd1);
        phase_d = phase_q + 2'd1;
        unique case (phase_q)
          2'd0: begin  // P_0 ← s_0·M'_0
            x_sel = XSum;
            y_modulus = 1'b1;
            y_update = 1'b1;
          end
          2'd1: x_sel = (count_q == '0) ? XOne : XQuotient;  // P ← q·M; at first P ← 1·y
          2'd2: begin  // S ← S + q·M; at first S ← y
            op = PeAdd;
            y_update = 1'b1;
            if (count_q == '0) begin
              phase_d = 2'd0;
              count_d = CountBits'(1);
            end
          end
          default: begin  // S ← S/β
            op = PeShift;
            count_d = count_q + CountBits'(1);
            if (count_q == CountBits'(Digits)) begin
              state_d = StCarry;
              count_d = '0;
            end
          end
        endcase
      end

      StCarry: begin
        count_d = count_q + CountBits'(1);
        chain = (count_q != '0) && (count_q <= CountBits'(ChainSegments));
        resolved = (count_q == CountBits'(ChainSegments + 1));
        compare = (count_q == CountBits'(ChainSegments + 2));
        if (count_q == '0 || resolved) op = PeCarry;
        if (count_q == CountBits'(ChainSegments + 3) && (&equal_q)) op = PeClear;
        if (last_carry) state_d = StDone;
      end

      StDone: if (rsp_ready_i) state_d = StIdle;

      default: ;
    endcase

    if (accept) begin
      state_d = (req_op_i == OpReduce) ? StReduce : StMul;
      count_d = '0;
      phase_d = (req_op_i == OpReduce) ? 2'd1 : 2'd0;
      op = PeClear;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
      phase_q <= '0;
      reduce_q <= 1'b0;
      ctx_q <= '0;
      tag_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      phase_q <= phase_d;
      if (accept) begin
        reduce_q <= (req_op_i == OpReduce);
        ctx_q <= req_ctx_i;
        tag_q <= req_tag_i;
      end
    end
  end

  // Operand registers: a is shifted out by digits, b stays; y is the digit each element multiplies next.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      a_q <= digits_t'(req_x_i);
      b_q <= digits_t'(req_y_i);
      y_q <= digits_t'(req_y_i);
      if (req_op_i == OpReduce) b_q[0] <= mod_i[req_ctx_i][ConstMprime][RadixBits-1:0];
    end else begin
      if (shift_a) a_q <= a_q >> RadixBits;
      if (y_update) y_q <= y_modulus ? modulus : b_q;
    end
    if (compare) begin
      for (int unsigned j = 0; j < Digits; j++) equal_q[j] <= (s[j] == modulus[j]);
    end
  end

  perle_orup_row #(
    .Digits       (Digits),
    .RadixBits    (RadixBits),
    .ChainSegments(ChainSegments)
  ) u_row (
    .clk_i,
    .rst_ni,
    .op_i      (op),
    .x_sel_i   (x_sel),
    .mul_en_i  (mul_en),
    .digit_i   (a_q[0]),
    .y_i       (y_q),
    .chain_i   (chain),
    .segment_i (segment),
    .resolved_i(resolved),
    .s_o       (s)
  );

endmodule
