// SPDX-License-Identifier: Apache-2.0
//
// The semi-systolic row: N processing elements, the top position, the broadcast and the carry resolution.
//
//   S = Σ (s_j + 2^k·c_j)·2^(k·j), j = 0 … N−1, plus the top digit s_N; followed by the tail, d digits
//
// Ranges    S < 2^(k(N+1)) at all times, because S <= β·(M̂ + B); so the top position never carries
// Algorithm tang2003 slides 15–20: the broadcast digit x and the micro-operation reach all PEs at once; sums
//           and high halves travel between neighbours only. The quotient digit is (s_0 + lo_0) mod β, the sum
//           of PE 0 as it is formed
// Cycles    d = 0: x goes directly to the input registers of the multipliers; its product is added two cycles
//           after the digit mux. d > 0: the quotient digit is registered, and 2d − 1 more registers stand
//           between the digit mux and the multipliers
//
// Parameters
//   Digits          N, PEs (multipliers)
//   RadixBits       k
//   QuotientDelay   d
//   ChainSegments   segments of the carry chain

module perle_orup_row
  import perle_orup_pkg::*;
#(
  parameter  int unsigned Digits        = 62,
  parameter  int unsigned RadixBits     = 17,
  parameter  int unsigned QuotientDelay = 0,
  parameter  int unsigned ChainSegments = 4,
  localparam int unsigned ValueBits     = Digits * RadixBits
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  // with quotient delay: the quotient digit available in the next cycle is zero, as it precedes S_1
  // verilator lint_off UNUSEDSIGNAL
  input  logic                 early_i,
  // verilator lint_on UNUSEDSIGNAL
  input  row_op_t              row_op_i,
  input  logic [RadixBits-1:0] digit_i,
  input  logic [ValueBits-1:0] b_i,
  input  logic [ValueBits-1:0] modulus_i,
  // N digits of the row, the tail in the lowest
  output logic [ValueBits-1:0] value_o
);

  localparam int unsigned Stages = tree_stages(QuotientDelay);
  localparam int unsigned GroupSize = 16;
  localparam int unsigned Groups = (Digits + GroupSize - 1) / GroupSize;

  logic [Groups-1:0][RadixBits-1:0] x;
  logic [RadixBits-1:0] quotient, quotient_sum;
  logic [RadixBits-1:0] s[Digits+1];
  logic [RadixBits-1:0] hi[Digits+1];
  logic [RadixBits-1:0] lo[Digits];
  logic [1:0] c[Digits];
  logic [Digits-1:0] generates, propagates, passed;
  logic y_modulus_d;  // one cycle early with quotient delay: every PE registers it
  pe_op_t op_q[Stages+2];
  pe_op_t op;

  assign quotient_sum = s[0] + lo[0];

  // From the digit mux to the multipliers. Every group of PEs has its own copy of the last register;
  // synthesis must not merge them.
  if (QuotientDelay == 0) begin : gen_direct
    assign quotient = quotient_sum;
    assign x = {Groups{row_op_i.x_quotient ? quotient : digit_i}};
    assign y_modulus_d = row_op_i.y_modulus;
  end else begin : gen_tree
    logic [RadixBits-1:0] quotient_q;
    logic [Stages-1:0][RadixBits-1:0] x_d;
    logic [Stages-1:0] y_modulus_stages;

    always_ff @(posedge clk_i) quotient_q <= early_i ? '0 : quotient_sum;
    assign quotient = quotient_q;
    assign x_d[0] = row_op_i.x_quotient ? quotient : digit_i;
    assign y_modulus_stages[0] = row_op_i.y_modulus;
    for (genvar i = 1; i < Stages; i++) begin : gen_stage
      always_ff @(posedge clk_i) begin
        x_d[i] <= x_d[i-1];
        y_modulus_stages[i] <= y_modulus_stages[i-1];
      end
    end
    for (genvar g = 0; g < Groups; g++) begin : gen_last
      (* keep *) always_ff @(posedge clk_i) x[g] <= x_d[Stages-1];
    end
    assign y_modulus_d = y_modulus_stages[Stages-1];
  end

  // The micro-operation is delayed like its product.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Stages + 2; i++) op_q[i] <= PeIdle;
    end else begin
      op_q[0] <= row_op_i.op;
      for (int unsigned i = 1; i < Stages + 2; i++) op_q[i] <= op_q[i-1];
    end
  end
  assign op = op_q[Stages+1];

  assign hi[0] = '0;

  for (genvar j = 0; j < Digits; j++) begin : gen_pe
    logic [1:0] c_prev;
    logic shift_q, y_modulus;

    // Select signals of many bits have a register in every PE.
    (* keep *) always_ff @(posedge clk_i) shift_q <= op_q[Stages].shift;
    if (QuotientDelay == 0) begin : gen_select
      assign y_modulus = y_modulus_d;
    end else begin : gen_select_q
      logic y_modulus_q;
      (* keep *) always_ff @(posedge clk_i) y_modulus_q <= y_modulus_d;
      assign y_modulus = y_modulus_q;
    end

    if (j == 0) begin : gen_first
      assign c_prev = '0;
    end else begin : gen_other
      assign c_prev = c[j-1];
    end

    perle_orup_pe #(
      .RadixBits(RadixBits)
    ) u_pe (
      .clk_i,
      .clear_i,
      .step_i    (op.step),
      .shift_i   (shift_q),
      .x_i       (x[j/GroupSize]),
      .y_i       (y_modulus ? modulus_i[j*RadixBits+:RadixBits] : b_i[j*RadixBits+:RadixBits]),
      .s_i       (s[j+1]),
      .hi_i      (hi[j]),
      .c_i       (c_prev),
      .resolved_i(passed[j]),
      .lo_o      (lo[j]),
      .hi_o      (hi[j+1]),
      .s_o       (s[j]),
      .c_o       (c[j])
    );

    assign generates[j] = c[j][0];
    assign propagates[j] = &s[j];
    if (j + QuotientDelay < Digits) begin : gen_value
      assign value_o[(j+QuotientDelay)*RadixBits+:RadixBits] = s[j];
    end
  end

  // The top position needs no multiplier: its own digits of B and M̂ are zero. It adds as the PEs do.
  logic [RadixBits-1:0] top;
  logic [1:0] top_c;
  // verilator lint_off UNUSEDSIGNAL
  logic [RadixBits:0] top_sum;
  // verilator lint_on UNUSEDSIGNAL

  always_comb begin
    top = op.shift ? '0 : s[Digits];
    top_c = op.shift ? '0 : c[Digits-1];
    top_sum = {top ^ hi[Digits], 1'b1} + (RadixBits + 1)'({top & hi[Digits], |top_c, top_c[1]});
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) s[Digits] <= '0;
    else if (op.step) s[Digits] <= top_sum[RadixBits:1];
  end

  // The last d digits that were shifted out of S.
  if (QuotientDelay > 0) begin : gen_tail
    logic [QuotientDelay-1:0][RadixBits-1:0] tail_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) tail_q <= '0;
      else if (op.shift) tail_q <= (QuotientDelay * RadixBits)'({s[0], tail_q} >> RadixBits);
    end
    assign value_o[QuotientDelay*RadixBits-1:0] = tail_q;
  end

  perle_orup_chain #(
    .Digits    (Digits),
    .Segments  (ChainSegments),
    .Registered(QuotientDelay > 0)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .clear_i,
    .start_i    (op.chain),
    .generate_i (generates),
    .propagate_i(propagates),
    .passed_o   (passed)
  );

endmodule
