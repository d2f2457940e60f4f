// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(k·N), N = ⌈(Width + k + 2)/k⌉ or the next multiple of Fold
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width. With mprime = −M^-1 mod 2^k and Mt = mprime·M:
//           OpMul     x, y in [0, 2·Mt) → z in [0, 2·Mt), so that results feed back unchanged
//           OpReduce  y in [0, 2·Mt)    → z in [0, M)
// Algorithm Orup's recurrence with M̂ = (Mt + 1)/β, one iteration per PE, N + 1 PEs:
//             for i = 0 … N:  q_i = Z mod β;  Z ← ⌊Z/β⌋ + q_i·M̂ + a_i·B      (a_N = 0)
//           Digits of Z, A, B and M̂ stream from PE to PE, so that every product brings its own modulus.
//           OpReduce is the product by 1, but with q = z_0·mprime mod β and M itself in the last iteration,
//           which leaves Z < 2·M; M is subtracted if Z >= M. Constant time.
//           Fold > 1: N/Fold PEs, which a product passes Fold times, interleaved with others
// Cycles    latency mul_cycles of perle_stream_pkg for both operations; average initiation interval
//           Fold·(N + 1); at most in_flight operations in flight. Fold > 1: perle_stream_pass_scheduler
//           decides when a product may start
//
// Parameters
//   Width       bits of the widest modulus
//   RadixBits   k, bits of a digit (3…18; device multipliers suit 17 and 18)
//   Fold        passes of a product
//   Contexts    moduli held by the wrapper and selected by req_ctx_i
//   TagBits     bits of the tag that travels with an operation

module perle_stream_mul
  import perle_pkg::*;
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned RadixBits   = 18,
  parameter  int unsigned Fold        = 1,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned Digits      = digits(Width, RadixBits, Fold),
  localparam int unsigned OperandBits = Digits * RadixBits,
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                    req_valid_i,
  output logic                                                    req_ready_o,
  input  mul_op_e                                                 req_op_i,
  input  logic    [ CtxBits-1:0]                                  req_ctx_i,
  input  logic    [ TagBits-1:0]                                  req_tag_i,
  input  logic    [OperandBits-1:0]                               req_x_i,
  input  logic    [OperandBits-1:0]                               req_y_i,
  output logic                                                    rsp_valid_o,
  input  logic                                                    rsp_ready_i,
  output logic    [ TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                               rsp_z_o
);

  localparam int unsigned InFlight = in_flight(Digits, Fold);
  localparam int unsigned IndexBits = $clog2(Digits);
  localparam int unsigned SpreadDigits = 8;  // digits that share a copy of a control signal
  localparam int unsigned Groups = (Digits + SpreadDigits - 1) / SpreadDigits;

  logic ready_q, ready_d, accept, start_q, active_q, last_index, free, full, clear;
  logic [IndexBits-1:0] index_q;
  logic [CtxBits-1:0] ctx_q;
  logic [Digits-1:0][RadixBits-1:0] a_q, b_q, x, y;
  logic [DigitMuxCycles-2:0] head_q;
  logic [DigitMuxCycles-2:0][RadixBits-1:0] a_digit_q;
  logic [DigitMuxCycles-1:0][RadixBits-1:0] b_digit_q;
  logic [RadixBits-1:0] m_digit, value, diff;
  logic [Contexts-1:0][OperandBits-1:0] mhat, m;
  logic exit, reduce_exit, active_exit, push, last, ge, move;
  logic [CtxBits-1:0] ctx_exit, ctx_exit_q;
  logic [IndexBits-1:0] index_exit;
  logic [RadixBits-1:0] m_exit;

  assign req_ready_o = ready_q;
  assign accept = req_valid_i && ready_q;
  assign last_index = (index_q == IndexBits'(Digits - 1));
  assign ready_d = !accept && free && !full && !clear;

  if (Fold == 1) begin : gen_single_pass
    assign free = !active_q || last_index;
  end else begin : gen_ring
    perle_stream_pass_scheduler #(
      .Digits(Digits),
      .Fold  (Fold),
      .Turns (turns(Digits, Fold))
    ) u_ring (
      .clk_i,
      .rst_ni,
      .accept_i(accept),
      .free_o  (free)
    );
  end

  // ---------------------------------------------------------------- digits of the operands, one per cycle
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      start_q <= 1'b0;
      active_q <= 1'b0;
      index_q <= '0;
      head_q <= '0;
    end else begin
      ready_q <= ready_d;
      start_q <= accept;
      active_q <= accept || (active_q && !last_index);
      index_q <= (accept || !active_q) ? '0 : index_q + IndexBits'(1);
      head_q <= {head_q[DigitMuxCycles-3:0], start_q};
    end
  end

  // The operand registers load in every cycle in which req_ready_o is 1, so that they do not depend on
  // req_valid_i.
  assign x = (req_op_i == OpReduce) ? OperandBits'(1) : req_x_i;
  assign y = req_y_i;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned First = g * SpreadDigits;
    localparam int unsigned Count = (First + SpreadDigits < Digits) ? SpreadDigits : Digits - First;
    (* keep *) logic open_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) open_q <= 1'b0;
      else open_q <= ready_d;
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned j = First; j < First + Count; j++) begin
        a_q[j] <= open_q ? x[j] : (j == Digits - 1) ? '0 : a_q[(j==Digits-1)?0 : j+1];
        b_q[j] <= open_q ? y[j] : (j == Digits - 1) ? '0 : b_q[(j==Digits-1)?0 : j+1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_q) ctx_q <= req_ctx_i;
    a_digit_q <= {a_digit_q[DigitMuxCycles-3:0], active_q ? a_q[0] : '0};
    b_digit_q <= {b_digit_q[DigitMuxCycles-2:0], active_q ? b_q[0] : '0};
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    assign mhat[c] = mod_i[c][ConstMhat];
    assign m[c] = mod_i[c][ConstM];
  end

  perle_stream_digit_mux #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .Contexts (Contexts)
  ) u_digit_mux (
    .clk_i,
    .constant_i(mhat),
    .valid_i   (active_q),
    .ctx_i     (ctx_q),
    .index_i   (index_q),
    .digit_o   (m_digit)
  );

  // ---------------------------------------------------------------- the PE chain
  perle_stream_pe_chain #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .Fold     (Fold)
  ) u_pe_chain (
    .clk_i,
    .rst_ni,
    .head_i   (head_q[DigitMuxCycles-2]),
    .a_i      (a_digit_q[DigitMuxCycles-2]),
    .b_i      (b_digit_q[DigitMuxCycles-1]),
    .m_i      (m_digit),
    .exit_o   (exit),
    .reduce_i (reduce_exit),
    .mprime_i (mod_i[ctx_exit][ConstMprime][RadixBits-1:0]),
    .active_o (active_exit),
    .index_o  (index_exit),
    .modulus_i(m_exit),
    .push_o   (push),
    .last_o   (last),
    .ge_o     (ge),
    .value_o  (value),
    .diff_o   (diff)
  );

  always_ff @(posedge clk_i) if (exit) ctx_exit_q <= ctx_exit;

  perle_stream_digit_mux #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .Contexts (Contexts)
  ) u_digit_mux_exit (
    .clk_i,
    .constant_i(m),
    .valid_i   (active_exit),
    .ctx_i     (ctx_exit_q),
    .index_i   (index_exit),
    .digit_o   (m_exit)
  );

  perle_stream_inflight_fifo #(
    .InFlight(InFlight),
    .CtxBits (CtxBits),
    .TagBits (TagBits)
  ) u_inflight_fifo (
    .clk_i,
    .rst_ni,
    .open_i  (accept),
    .op_i    (req_op_i),
    .ctx_i   (req_ctx_i),
    .tag_i   (req_tag_i),
    .exit_i  (exit),
    .reduce_o(reduce_exit),
    .ctx_o   (ctx_exit),
    .move_i  (move),
    .tag_o   (rsp_tag_o),
    .done_i  (rsp_valid_o && rsp_ready_i),
    .full_o  (full)
  );

  perle_stream_results #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .InFlight (InFlight)
  ) u_results (
    .clk_i,
    .rst_ni,
    .clear_o(clear),
    .push_i (push),
    .last_i (last),
    .ge_i   (ge),
    .value_i(value),
    .diff_i (diff),
    .move_o (move),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .z_o    (rsp_z_o)
  );

endmodule
