// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(k·N), N = ⌈(Width + k·(d+1) + 2) / k⌉
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width. With mprime = −M^-1 mod 2^(k·(d+1)) and Mt = mprime·M:
//           OpMul     x, y in [0, 2·Mt) → z in [0, 2·Mt): results feed back unchanged
//           OpReduce  y in [0, 2·Mt)    → z in [0, M)
// Algorithm Orup's recurrence with a delay of d digits, M̂ = (Mt + 1)/β^(d+1), a step every cycle:
//             for i = 0 … N+d+1:  q_i = S mod β;  S ← ⌊S/β⌋ + x_i·y + q_(i−d)·M̂
//           A digit is recoded to k/2 digits of radix 4 in {−1, 0, 1, 2}; S is in carry-save form. The last
//           digits that are shifted out of S are the lowest of z; the rest of S is resolved in four cycles.
//           The recoding carry of q_N is the digit of the last step.
//           OpReduce loads y as 1·y and divides by β with M itself N times, each time with S resolved first:
//           ⌊M/β⌋ replaces y, and the quotient digits replace those of x
// Cycles    mul_cycles and reduce_cycles of perle_carry_save_pkg; the next request is accepted with the
//           response
// Left out  several operations in flight: the row is busy from request to response
//
// Parameters
//   Width       bits of the widest modulus
//   RadixBits   k, bits of a digit; even
//   QuotientDelay   d: 1, or 2 for a register between partial products and S
//   Contexts    moduli held by the wrapper and selected by req_ctx_i
//   TagBits     bits of the tag that travels with an operation

module perle_carry_save_mul
  import perle_pkg::*;
  import perle_carry_save_pkg::*;
#(
  parameter  int unsigned Width         = 256,
  parameter  int unsigned RadixBits     = 4,
  parameter  int unsigned QuotientDelay = 1,
  parameter  int unsigned Contexts      = 1,
  parameter  int unsigned TagBits       = 4,
  localparam int unsigned Digits        = digits(Width, RadixBits, QuotientDelay),
  localparam int unsigned OperandBits   = Digits * RadixBits,
  localparam int unsigned CtxBits       = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                       clk_i,
  input  logic                                                       rst_ni,
  input  logic    [   Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                       req_valid_i,
  output logic                                                       req_ready_o,
  input  mul_op_e                                                    req_op_i,
  input  logic    [    CtxBits-1:0]                                  req_ctx_i,
  input  logic    [    TagBits-1:0]                                  req_tag_i,
  // operands are below 2·Mt: their highest bits are 0
  // verilator lint_off UNUSEDSIGNAL
  input  logic    [OperandBits-1:0]                                  req_x_i,
  input  logic    [OperandBits-1:0]                                  req_y_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic                                                       rsp_valid_o,
  input  logic                                                       rsp_ready_i,
  output logic    [    TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                                  rsp_z_o
);

  localparam int unsigned ValueBits = value_bits(Width, RadixBits, QuotientDelay);
  localparam int unsigned Quarters = RadixBits / 2;
  localparam int unsigned TailBits = ValueBits - Width - 1;
  localparam int unsigned Segment = (RadixBits > 8) ? 16 : 8;
  localparam int unsigned Group = 32;  // columns that share a copy of the control signals

  if (RadixBits % 2 != 0) begin : gen_radix
    $error("RadixBits must be even");
  end

  logic
      accept,
      open_next,
      modulus_next,
      x_one,
      x_enable,
      x_quotient,
      x_take,
      q_enable,
      quotient_load,
      quotient_run;
  row_op_t op;
  logic step_next, clear_next;
  logic [CtxBits-1:0] ctx_q;
  logic [TagBits-1:0] tag_q;
  logic [ValueBits-1:0] y_q;
  logic [OperandBits-1:0] m;
  logic [Width-1:0] mhat;
  logic [RadixBits-1:0] x_next, x_low_q, x_digit, q_digit, digit, quotient, low;
  logic x_carry_q, q_carry_q;
  logic [TailBits-1:0] tail_q;
  logic [Width:0] sum;

  assign m = mod_i[ctx_q][ConstM];
  assign mhat = mod_i[ctx_q][ConstMhat][Width-1:0];
  assign rsp_tag_o = tag_q;
  assign rsp_z_o = OperandBits'({sum, tail_q});

  perle_carry_save_control #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .QuotientDelay(QuotientDelay)
  ) u_control (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .req_op_i,
    .rsp_valid_o,
    .rsp_ready_i,
    .quotient_i     (quotient),
    .accept_o       (accept),
    .open_next_o    (open_next),
    .modulus_next_o (modulus_next),
    .x_one_o        (x_one),
    .x_enable_o     (x_enable),
    .x_quotient_o   (x_quotient),
    .x_take_o       (x_take),
    .q_enable_o     (q_enable),
    .quotient_load_o(quotient_load),
    .quotient_run_o (quotient_run),
    .op_o           (op),
    .step_next_o    (step_next),
    .clear_next_o   (clear_next)
  );

  perle_carry_save_quotient #(
    .RadixBits(RadixBits)
  ) u_quotient (
    .clk_i,
    .rst_ni,
    .load_i    (quotient_load),
    .run_i     (quotient_run),
    .clear_i   (op.step),
    .sum_i     (sum[RadixBits-1:0]),
    .modulus_i (m[RadixBits-1:0]),
    .quotient_o(quotient),
    .carry_o   (low)
  );

  // Recoding of a digit of k bits and a carry in: digits of radix 4 and a carry out.
  typedef struct packed {
    logic carry;
    digit_t [Quarters-1:0] digits;
  } recoded_t;

  recoded_t x_recoded, q_recoded;

  function automatic recoded_t recoded(logic [RadixBits-1:0] value, logic carry);
    recoded.carry = carry;
    for (int unsigned r = 0; r < Quarters; r++) begin
      recoded.digits[r].one = !value[2*r+1] && (value[2*r] ^ recoded.carry);
      recoded.digits[r].two = value[2*r+1] ? !value[2*r] && !recoded.carry : value[2*r] && recoded.carry;
      recoded.digits[r].minus = value[2*r+1] && (value[2*r] ^ recoded.carry);
      recoded.carry = value[2*r+1] && (value[2*r] || recoded.carry);
    end
  endfunction

  assign x_digit = {{RadixBits - 1{1'b0}}, x_one} | (x_low_q & {RadixBits{x_enable}}) |
      (quotient & {RadixBits{x_quotient}});
  assign q_digit = digit & {RadixBits{q_enable}};
  assign x_recoded = recoded(x_digit, x_carry_q);
  assign q_recoded = recoded(q_digit, q_carry_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_q <= '0;
      tag_q <= '0;
      x_low_q <= '0;
      x_carry_q <= 1'b0;
      q_carry_q <= 1'b0;
      tail_q <= '0;
    end else begin
      if (accept) begin
        ctx_q <= req_ctx_i;
        tag_q <= req_tag_i;
      end
      x_low_q <= x_next;
      if (x_take) x_carry_q <= x_recoded.carry;
      q_carry_q <= q_recoded.carry;
      if (op.step) tail_q <= {digit, tail_q[TailBits-1:RadixBits]};
      else if (op.clear) tail_q <= '0;
    end
  end

  perle_carry_save_operands #(
    .ValueBits(ValueBits),
    .RadixBits(RadixBits),
    .Group    (Group)
  ) u_operands (
    .clk_i,
    .rst_ni,
    .open_next_i   (open_next),
    .modulus_next_i(modulus_next),
    .x_i           (req_x_i[ValueBits-1:0]),
    .y_i           (req_y_i[ValueBits-1:0]),
    .modulus_i     (ValueBits'(m >> RadixBits)),
    .digit_o       (x_next),
    .y_o           (y_q)
  );

  perle_carry_save_sum #(
    .Width        (Width),
    .RadixBits    (RadixBits),
    .QuotientDelay(QuotientDelay),
    .Segment      (Segment),
    .Group        (Group)
  ) u_sum (
    .clk_i,
    .rst_ni,
    .step_i      (op.step),
    .first_i     (op.first),
    .step_next_i (step_next),
    .clear_next_i(clear_next),
    .x_i         (x_recoded.digits),
    .q_i         (q_recoded.digits),
    .y_i         (y_q),
    .m_i         (mhat),
    .low_i       (low),
    .digit_o     (digit),
    .sum_o       (sum)
  );

endmodule
