// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(k·N), N = ⌈(Width + k·(d+1) + 2) / k⌉
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width. With mprime = −M^-1 mod 2^(k·(d+1)) and Mt = mprime·M:
//           OpMul     x, y in [0, 2·Mt) → z in [0, 2·Mt): results feed back unchanged
//           OpReduce  y in [0, R)       → z in [0, M)
// Algorithm Orup's recurrence, one iteration per cycle, with M̂ = (Mt + 1)/β^(d+1):
//             for i = 0 … N+d:  q_i = S mod β;  S ← ⌊S/β⌋ + q_{i−d}·M̂ + a_i·B      (a_i = 0 for i >= N)
//             z = β^d·S + the last d quotient digits
//           At the end the saved carries are resolved.
//           OpReduce loads S and runs N classical digits with the modulus itself,
//             q = s_0·mprime mod β;  S ← ⌊S/β⌋ + q·⌊M/β⌋ + (s_0 + q·m_0)/β
//           The result is at most M; M itself (only for y ≡ 0) becomes 0. Constant time.
// Forwarding (Forward = 1) The response to an OpMul with req_early_i comes EarlyCycles before its z is
//           complete, in the cycle of its last sum; then the saved carries are resolved. The request accepted
//           in that cycle may have this z as y (req_forward_i, valid two cycles before): B = b + e, digits
//           and saved carries, and a_i·e is added in three iterations in place of q_{i−d}·M̂, which is still
//           zero then. z as x needs no flag: its lowest digits are exact when they are read.
//           x and y stay valid for EarlyCycles after every acceptance and are read again at the end of
//           that time
// Cycles    mul_cycles, early_cycles and reduce_cycles of perle_lowlat_pkg; the next request is accepted with
//           the response
// Left out  several operations in flight: the row is busy from request to response
//
// Parameters
//   Width           bits of the widest modulus
//   RadixBits       k, bits of a digit (3…36; 17 and 18 suit device multipliers, 34 and 36 four of them)
//   QuotientDelay   d, 3…5: registers on the path of a quotient digit, and digits by which it is delayed; at
//                   least 4 for digits of more than 18 bits
//   Contexts        moduli held by the wrapper and selected by req_ctx_i
//   TagBits         bits of the tag that travels with an operation
//   Forward         0: no forwarding; req_early_i and req_forward_i are 0

module perle_lowlat_core
  import perle_pkg::*;
  import perle_lowlat_pkg::*;
#(
  parameter  int unsigned Width         = 512,
  parameter  int unsigned RadixBits     = 18,
  parameter  int unsigned QuotientDelay = 3,
  parameter  int unsigned Contexts      = 1,
  parameter  int unsigned TagBits       = 4,
  parameter  bit          Forward       = 1'b0,
  localparam int unsigned Digits        = digits(Width, RadixBits, QuotientDelay),
  localparam int unsigned OperandBits   = Digits * RadixBits,
  localparam int unsigned CtxBits       = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                    req_valid_i,
  output logic                                                    req_ready_o,
  input  mul_op_e                                                 req_op_i,
  input  logic                                                    req_early_i,
  input  logic                                                    req_forward_i,
  input  logic    [ CtxBits-1:0]                                  req_ctx_i,
  input  logic    [ TagBits-1:0]                                  req_tag_i,
  input  logic    [OperandBits-1:0]                               req_x_i,
  input  logic    [OperandBits-1:0]                               req_y_i,
  output logic                                                    rsp_valid_o,
  input  logic                                                    rsp_ready_i,
  output logic    [ TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                               rsp_z_o
);

  localparam int unsigned ModulusDigits = modulus_digits(Width, RadixBits);
  localparam int unsigned Turn = turn(RadixBits);
  localparam int unsigned TurnBits = $clog2(Turn);
  // the first product of an operation is in the PEs this many cycles later than with one device multiplier
  localparam int unsigned Later = product_cycles(RadixBits) - 2;
  localparam int unsigned LastMul = Digits + QuotientDelay + 2;
  localparam int unsigned PartSize = 8;
  localparam int unsigned GroupSize = group_size(RadixBits);
  localparam int unsigned Groups = (Digits + GroupSize - 1) / GroupSize;
  localparam int unsigned Parts = (OperandBits + PartSize - 1) / PartSize;
  localparam int unsigned PartGroups = (Parts + PartSize - 1) / PartSize;
  localparam int unsigned CountBits = $clog2(LastMul + 1);
  // last count at which OpMul passes a quotient digit to the multipliers
  localparam int unsigned LastQuotient = Digits + ((copies(QuotientDelay, RadixBits) == 0) ? 1 : 2);

  if (copies(QuotientDelay, RadixBits) > 2) begin : gen_refuse
    $error("QuotientDelay must be 3 to 5, and at least 4 for digits of more than 18 bits");
  end

  typedef enum logic [2:0] {
    StIdle,
    StMul,
    StReduce,
    StResolve,
    StDone
  } state_e;

  state_e state_d, state_q;
  logic [CountBits-1:0] count_d, count_q;
  logic [TurnBits-1:0] turn_d, turn_q;
  control_t control_d;
  logic reduce_q, early_q, forward_q, accept, open_d, open_q, done_d, done_q, resolve_done, first_q;
  logic reduce_digit_d, reduce_digit_q;
  logic [1:0] resolve_q;
  logic [3:0] since_q;  // an OpMul was accepted 1, 2, 3, 4 cycles ago
  logic [Groups-1:0] follow_q, exchange_q, complete_q;
  logic loads_one, early_one_q;  // the operation is OpReduce: A is 1
  logic last_d, last_q;  // the next cycle, this cycle, is the last one in its state
  logic [CtxBits-1:0] ctx_q;
  logic [TagBits-1:0] tag_q;
  logic [OperandBits-1:0] value;
  logic [Digits+EarlyCycles+1:0][RadixBits-1:0] x, x_q;
  logic [Digits-1:0][RadixBits-1:0] a_q, b_q;
  logic [RadixBits-1:0] digit, q_reduce;
  logic [ModulusDigits-1:0][RadixBits-1:0] mhat;
  logic [RadixBits-1:0] m, mprime;  // the low digit of each
  logic [Parts-1:0] part_equal;
  logic [PartGroups-1:0] group_equal;
  logic equal_q;
  // only the digits of the constants that can be nonzero are used
  // verilator lint_off UNUSEDSIGNAL
  logic [ConstCount-1:0][OperandBits-1:0] constants;
  // verilator lint_on UNUSEDSIGNAL

  // a request may be accepted: no operation is in flight, or its response is valid
  assign req_ready_o = open_q && (!done_q || rsp_ready_i);
  assign accept = req_valid_i && req_ready_o;
  assign resolve_done = (state_q == StResolve) && last_q;
  assign done_d = resolve_done || (done_q && !rsp_ready_i);
  assign open_d = resolve_done || (open_q && !accept);
  assign rsp_valid_o = done_q;
  assign rsp_tag_o = tag_q;
  assign rsp_z_o = value;

  assign constants = mod_i[ctx_q];
  assign m = constants[ConstM][RadixBits-1:0];
  assign mhat = constants[ConstMhat][ModulusDigits*RadixBits-1:0];
  assign mprime = constants[ConstMprime][RadixBits-1:0];

  // The PEs execute a micro-operation two cycles later.
  always_comb begin
    state_d = state_q;
    count_d = count_q;
    turn_d = turn_q;
    control_d = '{default: 1'b0};
    control_d.result = resolve_q[1];
    control_d.forward = Forward && forward_q && (first_q || done_q || resolve_done);
    control_d.resolved = Forward && forward_q && since_q[1];
    reduce_digit_d = 1'b0;
    last_d = 1'b0;

    unique case (state_q)
      StMul: begin
        count_d = count_q + CountBits'(1);
        control_d.run = (count_q >= CountBits'(2));
        control_d.step = (count_q >= CountBits'(2));
        control_d.quotient = (count_q >= CountBits'(2)) && (count_q <= CountBits'(LastQuotient));
        last_d = (count_q == CountBits'(LastMul - 1));
      end

      // One turn (Turn cycles) for y itself, N with quotient digits, and d that shift the result to the
      // position of an OpMul result.
      StReduce: begin
        turn_d = turn_q + TurnBits'(1);
        control_d.run = (count_q != '0) || (turn_q == TurnBits'(Turn - 1));
        reduce_digit_d = (count_q != '0) && (count_q <= CountBits'(Digits));
        if (turn_q == TurnBits'(Turn - 1)) begin
          turn_d = '0;
          control_d.step = 1'b1;
          count_d = count_q + CountBits'(1);
        end
        last_d = (turn_q == TurnBits'(Turn - 2)) && (count_q == CountBits'(Digits + QuotientDelay));
      end

      StResolve: begin
        count_d = count_q + CountBits'(1);
        control_d.resolve = (count_q == CountBits'(0));
        control_d.peek = Forward && control_d.resolve;
        control_d.zero = (count_q == CountBits'(8)) && equal_q;
        control_d.run = 1'b1;
        last_d = (count_q == CountBits'(reduce_q ? 9 : 3));
        if (last_q) state_d = StDone;
      end

      // the sum is kept: the low digits of the result and a forwarded operand are read from it
      StDone: begin
        control_d.run = 1'b1;
        if (rsp_ready_i) state_d = StIdle;
      end

      default: ;
    endcase

    if ((state_q inside {StMul, StReduce}) && last_q) begin
      state_d = StResolve;
      count_d = '0;
      last_d = early_q;
    end

    // operation and operands are loaded in every cycle in which a request could be accepted, so that only the
    // state depends on the handshake
    if (accept) state_d = (req_op_i == OpReduce) ? StReduce : StMul;
    if (open_q) begin
      count_d = (req_op_i == OpReduce) ? '0 : CountBits'(1 - Later);
      turn_d = TurnBits'(Turn - 2 - Later);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
      turn_q <= '0;
      last_q <= 1'b0;
      open_q <= 1'b1;
      done_q <= 1'b0;
      first_q <= 1'b0;
      since_q <= '0;
      resolve_q <= '0;
      forward_q <= 1'b0;
      early_q <= 1'b0;
      reduce_digit_q <= 1'b0;
      reduce_q <= 1'b0;
      ctx_q <= '0;
      tag_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      turn_q <= turn_d;
      last_q <= last_d;
      open_q <= open_d;
      done_q <= done_d;
      first_q <= accept;
      since_q <= {since_q[2:0], accept && (req_op_i != OpReduce)};
      resolve_q <= {resolve_q[0], control_d.resolve};
      forward_q <= req_forward_i;
      reduce_digit_q <= reduce_digit_d;
      if (open_q) begin
        reduce_q <= (req_op_i == OpReduce);
        early_q <= Forward && req_early_i && (req_op_i != OpReduce);
        ctx_q <= req_ctx_i;
      end
      if (accept) tag_q <= req_tag_i;
    end
  end

  // Operand registers: while a request may be accepted they load in every cycle, so their enable does not
  // depend on the handshake. `digit`, the current digit of A, is one register ahead of a_q. OpReduce has a
  // single digit, 1, with B = y; then quotient digits replace it, and ⌊M/β⌋ replaces y. With forwarding only
  // the three lowest digits of A have to be valid at acceptance and the next three when they are used; the
  // others, through a register, and B are read once the forwarded product is resolved.
  always_comb begin
    if (open_q) digit = loads_one ? RadixBits'(1) : x[0];
    else digit = a_q[0] | (reduce_digit_q ? q_reduce : '0);
  end

  // The enables of the operand registers, copied for every group of digits; synthesis must not merge them. With
  // forwarding the operands stay valid, so that B is loaded once more after the acceptance, on which the enable
  // then does not depend.
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        follow_q[g] <= 1'b1;
        exchange_q[g] <= 1'b0;
        complete_q[g] <= 1'b0;
      end else begin
        follow_q[g] <= Forward ? (open_q || resolve_done || since_q[2]) : open_d;
        if (open_q) exchange_q[g] <= (req_op_i == OpReduce);
        complete_q[g] <= Forward && since_q[3];
      end
    end
  end

  // With forwarding the operation is valid in the cycle before its acceptance already.
  always_ff @(posedge clk_i) early_one_q <= (req_op_i == OpReduce);
  assign loads_one = Forward ? early_one_q : (req_op_i == OpReduce);

  assign x = ((Digits + EarlyCycles + 2) * RadixBits)'(req_x_i);
  always_ff @(posedge clk_i) x_q <= x;

  for (genvar j = 0; j < Digits; j++) begin : gen_a
    logic [RadixBits-1:0] a_next;
    if (j < Digits - 1) begin : gen_shift
      assign a_next = a_q[j+1];
    end else begin : gen_last
      assign a_next = '0;
    end
    always_ff @(posedge clk_i) begin
      if (open_q && (!Forward || j < 2)) a_q[j] <= loads_one ? '0 : x[j+1];
      else if (complete_q[j/GroupSize]) a_q[j] <= x_q[j+EarlyCycles+2];
      else if (Forward && j == 0 && since_q[1]) a_q[j] <= x[3];
      else if (Forward && j == 0 && since_q[2]) a_q[j] <= x[4];
      else if (Forward && j == 0 && since_q[3]) a_q[j] <= x[5];
      else a_q[j] <= a_next;
    end
  end

  for (genvar j = 0; j < Digits; j++) begin : gen_b
    logic [RadixBits-1:0] above;
    if (j < Digits - 1) begin : gen_shift
      assign above = constants[ConstM][(j+1)*RadixBits+:RadixBits];
    end else begin : gen_last
      assign above = '0;
    end
    always_ff @(posedge clk_i) begin
      if (follow_q[j/GroupSize]) b_q[j] <= req_y_i[j*RadixBits+:RadixBits];
      else if (exchange_q[j/GroupSize]) b_q[j] <= above;
    end
  end

  // Comparison of the result with M, for OpReduce only; pipelined with a few bits per stage, as it may take
  // time.
  for (genvar i = 0; i < Parts; i++) begin : gen_part
    localparam int unsigned Last = ((i + 1) * PartSize < OperandBits) ? (i + 1) * PartSize : OperandBits;
    always_ff @(posedge clk_i)
      part_equal[i] <= (value[Last-1:i*PartSize] == constants[ConstM][Last-1:i*PartSize]);
  end
  for (genvar i = 0; i < PartGroups; i++) begin : gen_part_group
    localparam int unsigned Last = ((i + 1) * PartSize < Parts) ? (i + 1) * PartSize : Parts;
    always_ff @(posedge clk_i) group_equal[i] <= &part_equal[Last-1:i*PartSize];
  end
  always_ff @(posedge clk_i) equal_q <= &group_equal;

  perle_lowlat_row #(
    .Digits       (Digits),
    .ModulusDigits(ModulusDigits),
    .RadixBits    (RadixBits),
    .QuotientDelay(QuotientDelay)
  ) u_row (
    .clk_i,
    .rst_ni,
    .control_i     (control_d),
    .reduce_digit_i(reduce_digit_q),
    .digit_i       (digit),
    .b_i           (b_q),
    .m_i           (reduce_q ? m : '0),
    .mhat_i        (mhat),
    .mprime_i      (mprime),
    .digit_o       (q_reduce),
    .value_o       (value)
  );

endmodule
