// SPDX-License-Identifier: Apache-2.0
//
// The row: N PEs, the top position, the registers that distribute the digits of A and Q, and the resolved
// result.
//
//   S = Σ (s_j + 2^k·c_j)·2^(k·j), j = 0 … N−1, plus the top digit s_N, plus carry units in T and V; followed
//   by the tail, d digits
//
// Ranges    S < 2^(k(N+1)) at all times, because S <= β·(M̂ + B); so the top position never carries
// Algorithm digits of A and of Q go to all PEs in the same cycle, from a copy of their register in every
//           group of PEs. Sums, high halves and carries pass between neighbors only. At the end every digit
//           adds the saved carry of the digit below it, with and without a carry-in;
//           perle_lowlat_carry_resolve finds the carries, which select
// Cycles    d = product_cycles + 1: the group registers load the sum of PE 0 together with its register; one
//           more: from its register; two more: through another register. Result: three cycles after the last
//           sum
//
// Parameters
//   Digits          N, PEs
//   ModulusDigits   PEs that have a digit of the modulus
//   RadixBits       k
//   QuotientDelay   d

module perle_lowlat_row
  import perle_lowlat_pkg::*;
#(
  parameter  int unsigned Digits        = 33,
  parameter  int unsigned ModulusDigits = 29,
  parameter  int unsigned RadixBits     = 18,
  parameter  int unsigned QuotientDelay = 3,
  localparam int unsigned ValueBits     = Digits * RadixBits
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  control_t             control_i,
  input  logic                 reduce_digit_i,  // a quotient digit of OpReduce is being computed
  input  logic [RadixBits-1:0] digit_i,         // of A, or of the quotient in OpReduce: goes to the PEs
  input  logic [ValueBits-1:0] b_i,
  input  logic [RadixBits-1:0] m_i,             // OpReduce: the low digit of M; otherwise 0
  input  logic [ModulusDigits-1:0][RadixBits-1:0] mhat_i,
  input  logic [RadixBits-1:0] mprime_i,
  output logic [RadixBits-1:0] digit_o,         // OpReduce: the quotient digit
  output logic [ValueBits-1:0] value_o
);

  localparam int unsigned ProductCycles = product_cycles(RadixBits);
  localparam int unsigned Copies = copies(QuotientDelay, RadixBits);
  localparam int unsigned GroupSize = group_size(RadixBits);
  localparam int unsigned Groups = (Digits + GroupSize - 1) / GroupSize;
  localparam int unsigned ResolvedDigits = Digits - QuotientDelay;

  logic [Groups-1:0][RadixBits-1:0] a, a_delayed, q;
  logic [RadixBits-1:0] s[Digits+1];
  logic [RadixBits-1:0] s_next[Digits];
  logic [RadixBits-1:0] a_hi[Digits+1];
  logic [RadixBits-1:0] q_hi[Digits+1];
  logic [2:0] c[Digits+1];
  logic unit_reduce;
  // verilator lint_off UNUSEDSIGNAL
  control_t control_q;  // `peek` has copies of its own
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) control_q <= '{zero: 1'b1, default: 1'b0};  // no state leak after a reset
    else control_q <= control_i;
  end

  // A digit drives many multipliers, which have registers at their inputs. A and, with the smallest d, Q have a
  // single register: it loads at the end of a long path, from the operands or from the sum of PE 0. A register
  // that loads from another one has a copy for every group of PEs; synthesis must not merge them.
  logic [RadixBits-1:0] a_q;
  always_ff @(posedge clk_i) a_q <= digit_i;
  assign a = {Groups{a_q}};

  for (genvar g = 0; g < Groups; g++) begin : gen_delayed
    logic [ProductCycles-1:0][RadixBits-1:0] a_delayed_q;
    (* keep *) always_ff @(posedge clk_i) a_delayed_q <= (ProductCycles * RadixBits)'({a_delayed_q, a_q});
    assign a_delayed[g] = a_delayed_q[ProductCycles-1];
  end

  if (Copies == 0) begin : gen_early
    logic [RadixBits-1:0] first_q;
    logic off_q;
    always_ff @(posedge clk_i) begin
      off_q <= !control_q.quotient;
      if (off_q) first_q <= '0;
      else first_q <= s_next[0];
    end
    assign q = {Groups{first_q}};
  end else begin : gen_copies
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [RadixBits-1:0] first_q;
      logic off_q;
      (* keep *) always_ff @(posedge clk_i) begin
        off_q <= !control_q.quotient;
        if (off_q) first_q <= '0;
        else first_q <= s[0];
      end
      if (Copies == 2) begin : gen_more
        logic [RadixBits-1:0] second_q;
        logic started_q;
        // Until first_q is cleared, one cycle after a reset, it may have a digit from before the reset, which
        // would reach the multipliers late enough for the first product.
        (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            started_q <= 1'b0;
            second_q <= '0;
          end else begin
            started_q <= 1'b1;
            second_q <= started_q ? first_q : '0;
          end
        end
        assign q[g] = second_q;
      end else begin : gen_no_more
        assign q[g] = first_q;
      end
    end
  end

  // The last d digits that were shifted out of S.
  logic [QuotientDelay-1:0][RadixBits-1:0] tail_q, shifted;
  logic tail_zero_q, tail_step_q;

  (* keep *) always_ff @(posedge clk_i) begin
    tail_zero_q <= control_q.zero;
    tail_step_q <= control_q.step;
  end
  always_ff @(posedge clk_i) begin
    if (tail_zero_q) tail_q <= '0;
    else if (tail_step_q) tail_q <= shifted;
  end
  assign shifted = (QuotientDelay * RadixBits)'({s[0], tail_q} >> RadixBits);

  assign a_hi[0] = '0;
  assign c[Digits] = '0;

  for (genvar j = 0; j < Digits; j++) begin : gen_element
    logic clear_q, step_q, forward_q, resolved_q;
    logic [RadixBits-1:0] m, joined;
    logic [1:0] carry_delayed, saved;

    (* keep *) always_ff @(posedge clk_i) begin
      clear_q <= !control_q.run;
      step_q <= control_q.step;
      forward_q <= control_q.forward;
      resolved_q <= control_q.resolved;
    end

    // forwarding: digit and saved carry of the product in the row, at position j of the operand
    if (j < QuotientDelay) begin : gen_tail
      assign joined = tail_q[j];
    end else begin : gen_sum
      assign joined = s[j-QuotientDelay];
    end
    if (j <= QuotientDelay) begin : gen_exact
      assign saved = '0;
    end else begin : gen_saved
      assign saved = c[j-QuotientDelay-1][1:0];
    end

    // part of PE 0: its multipliers are placed next to those of PE 0
    if (j == 0) begin : gen_below
      perle_lowlat_reduce_digit #(
        .RadixBits(RadixBits)
      ) u_reduce_digit (
        .clk_i,
        .on_i  (reduce_digit_i),
        .s_i   (s[0]),
        .mprime_i,
        .x_i   (a[0]),
        .m_i,
        .q_o   (digit_o),
        .hi_o  (q_hi[0]),
        .unit_o(unit_reduce)
      );
    end

    if (j < ModulusDigits) begin : gen_modulus
      assign m = mhat_i[j];
    end else begin : gen_none
      assign m = '0;
    end

    assign carry_delayed[0] = c[j+1][2] || (c[j+1][1] && c[j+1][0]);
    assign carry_delayed[1] = c[j+1][2] || ((j == 0) && unit_reduce);

    perle_lowlat_element #(
      .RadixBits(RadixBits),
      .Modulus  (j < ModulusDigits),
      .First    (j == 0)
    ) u_element (
      .clk_i,
      .clear_i        (clear_q),
      .step_i         (step_q),
      .a_i            (a[j/GroupSize]),
      .b_i            (forward_q ? joined : resolved_q ? value_o[j*RadixBits+:RadixBits] :
                       b_i[j*RadixBits+:RadixBits]),
      .q_i            (q[j/GroupSize]),
      .m_i            (m),
      .a_delayed_i    (a_delayed[j/GroupSize]),
      .saved_i        (forward_q ? saved : '0),
      .s_i            (s[j+1]),
      .carry_delayed_i(carry_delayed),
      .a_hi_i         (a_hi[j]),
      .q_hi_i         (q_hi[j]),
      .a_hi_o         (a_hi[j+1]),
      .q_hi_o         (q_hi[j+1]),
      .s_o            (s[j]),
      .s_next_o       (s_next[j]),
      .c_o            (c[j])
    );
  end

  // The top position has no product of its own: the high half is delayed by one register, like T and V.
  logic [RadixBits-1:0] top_q;
  logic top_clear_q, top_step_q;

  (* keep *) always_ff @(posedge clk_i) begin
    top_clear_q <= !control_q.run;
    top_step_q <= control_q.step;
  end
  always_ff @(posedge clk_i) begin
    top_q <= a_hi[Digits];
    if (top_clear_q) s[Digits] <= '0;
    else if (top_step_q) s[Digits] <= top_q;
  end

  // The digits of the result, in three cycles: values with and without a carry, the carries, the mux. The
  // lowest digits are valid earlier: the tail and s_0 are exact as they stand, and s_1 only adds c_0.
  logic [ResolvedDigits-1:0] generates, any, carry;

  for (genvar j = 0; j < QuotientDelay; j++) begin : gen_lowest
    logic peek_q;
    (* keep *) always_ff @(posedge clk_i) peek_q <= control_i.peek;
    assign value_o[j*RadixBits+:RadixBits] = peek_q ? shifted[j] : tail_q[j];
  end

  for (genvar j = 0; j < ResolvedDigits; j++) begin : gen_result
    logic resolve_q, result_q, zero_q;
    logic [1:0] saved;
    logic [RadixBits-1:0] local_q, plus_q, z_q;

    if (j == 0) begin : gen_first
      assign saved = '0;
    end else begin : gen_other
      assign saved = c[j-1][1:0];
    end

    // Value with a carry-in, which the appended ones generate; the top bit is 1 if the digit then overflows.
    // verilator lint_off UNUSEDSIGNAL
    logic [RadixBits+1:0] plus;
    // verilator lint_on UNUSEDSIGNAL
    assign plus = (RadixBits + 2)'({s[j], 1'b1}) + (RadixBits + 2)'({saved, 1'b1});

    (* keep *) always_ff @(posedge clk_i) begin
      resolve_q <= control_q.resolve;
      result_q <= control_q.result;
      zero_q <= control_q.zero;
    end
    always_ff @(posedge clk_i) begin
      if (zero_q) begin
        {generates[j], local_q, any[j], plus_q} <= '0;
      end else if (resolve_q) begin
        {generates[j], local_q} <= (RadixBits + 1)'(s[j]) + (RadixBits + 1)'(saved);
        {any[j], plus_q} <= plus[RadixBits+1:1];
      end
      if (zero_q) z_q <= '0;
      else if (result_q) z_q <= carry[j] ? plus_q : local_q;
    end
    assign value_o[(j+QuotientDelay)*RadixBits+:RadixBits] = (j < 2) ? local_q : z_q;
  end

  perle_lowlat_carry_resolve #(
    .Digits(ResolvedDigits)
  ) u_carry_resolve (
    .clk_i,
    .generate_i(generates),
    .any_i     (any),
    .carry_o   (carry)
  );

  logic unused;
  assign unused = ^s_next[Digits-1];

endmodule
