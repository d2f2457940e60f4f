// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(v·(p·⌈f/p⌉ − 1)), f = ⌈n2/v⌉, n2 = n + 2v + 2
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^n; n <= Width is the constant `bits` of the modulus, an input of every
//           operation. Mt ≡ −1 (mod 2^v) is M (radix 2), M or 3M (radix 4), M or −M (Booth):
//           OpMul     x, y in [0, 2·|Mt|) → z in [0, 2·|Mt|): results feed back unchanged
//           OpReduce  y in [0, 2·|Mt|)    → z in [0, M)
// Algorithm carter2012 figure 2 with M̂ = (Mt + 1)/2^v:
//             Z ← 0;  for i = 0 … f − 1:  q = Z mod 2^v;  Z ← ⌊Z/2^v⌋ + q·M̂ + x_i·Y
//           word by word through a chain of p elements, one digit each, and a FIFO back to the first element.
//           Carries are resolved while the redundant Z is unloaded; for Booth, whose Z is signed, M is added
//           there. OpReduce is the product by 1, at most |Mt| (Booth: below 2M); then the largest k·M not
//           above it is subtracted, k up to 3 for radix 4 and up to 1 otherwise, in constant time
// Cycles    OpMul     ⌈f/p⌉·max(e + 1, p + ⌈vp/w⌉ + 1) + e + 6, e = ⌈n2/w⌉: 1 to read n, 1 before the first
//                     word, the kernel, e + 4 to unload; the next request is accepted with the response
//           OpReduce  2·(e + 4) more
// Left out  several operations in flight
//
// Parameters
//   Width       widest n: words of the operand registers and of the FIFO
//   WordWidth   w, a power of two          Elements   p          Kind   the element: 0 r2, 1 r4, 2 b4
//   Paper       1: elements r4 and b4 as drawn in the paper
//   Contexts    moduli held by the wrapper and selected by req_ctx_i
//   TagBits     bits of the tag that travels with an operation

module perle_scalable_mul
  import perle_pkg::*;
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned Width       = 256,
  parameter  int unsigned WordWidth   = 16,
  parameter  int unsigned Elements    = 16,
  parameter  int unsigned Kind        = KindR2,
  parameter  bit          Paper       = 1'b0,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned Words       = words(Width, WordWidth, Kind),
  localparam int unsigned OperandBits = Words * WordWidth,
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

  if ((WordWidth & (WordWidth - 1)) != 0) begin : gen_refuse
    $error("WordWidth must be a power of two");
  end

  localparam int unsigned PassBits = radix_bits(Kind) * Elements;
  localparam int unsigned XBits = ((PassBits > OperandBits) ? PassBits : OperandBits) + 1;
  localparam int unsigned WordIdx = (Words > 1) ? $clog2(Words) : 1;
  // bits of each operand that one copy of the control signals drives
  localparam int unsigned CopyBits = 32;
  localparam int unsigned Copies = (XBits + CopyBits - 1) / CopyBits;
  localparam bit Booth = (Kind == KindB4);

  logic next_modulus, first, sign, pass_first, pop, buffered, start, out_valid, write, write_first;
  logic [Copies-1:0] load, one, shift;
  logic [WordIdx-1:0] next_word;
  step_e step;
  flags_t flags;
  logic [CtxBits-1:0] ctx_q;

  logic [OperandBits-1:0] yz;  // y, then z
  logic [PassBits:0] x;
  logic [WordWidth-1:0] y_fetched, m_fetched, m_word, write_word;
  logic m_negative_q;
  logic [streams(Kind)-1:0][WordWidth-1:0] y, m;

  logic [WordWidth-1:0] z_s, z_c, out_s, out_c;
  logic [OwedBits-1:0] owed, owed_q;

  assign rsp_z_o = yz;

  perle_scalable_control #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Elements (Elements),
    .Kind     (Kind),
    .Copies   (Copies)
  ) u_control (
    .clk_i,
    .rst_ni,
    .valid_i       (req_valid_i),
    .op_i          (req_op_i),
    .bits_i        (mod_i[ctx_q][ConstBits]),
    .rsp_ready_i   (rsp_ready_i),
    .ready_o       (req_ready_o),
    .done_o        (rsp_valid_o),
    .load_o        (load),
    .one_o         (one),
    .shift_o       (shift),
    .start_o       (start),
    .next_word_o   (next_word),
    .next_modulus_o(next_modulus),
    .first_o       (first),
    .sign_o        (sign),
    .pass_first_o  (pass_first),
    .pop_o         (pop),
    .buffered_o    (buffered),
    .step_o        (step),
    .flags_o       (flags)
  );

  // ---------------------------------------------------------------- operands
  perle_scalable_operand_regs #(
    .WordWidth(WordWidth),
    .Words    (Words),
    .PassBits (PassBits),
    .CopyBits (CopyBits)
  ) u_operands (
    .clk_i,
    .load_i (load),
    .one_i  (one),
    .shift_i(shift),
    .x_i    (req_x_i),
    .y_i    (req_y_i),
    .write_i(write),
    .first_i(write_first),
    .word_i (write_word),
    .x_o    (x),
    .yz_o   (yz)
  );

  perle_scalable_word_mux #(
    .WordWidth(WordWidth),
    .Words    (Words)
  ) u_fetch_y (
    .clk_i,
    .next_i        (next_word),
    .next_operand_i(1'b0),
    .operand_i     (yz),
    .word_o        (y_fetched)
  );

  perle_scalable_word_mux #(
    .WordWidth(WordWidth),
    .Words    (Words),
    .Operands (2)
  ) u_fetch_m (
    .clk_i,
    .next_i        (next_word),
    .next_operand_i(next_modulus),
    .operand_i     ({mod_i[ctx_q][ConstM], mod_i[ctx_q][ConstMhat]}),
    .word_o        (m_fetched)
  );

  assign m_word = !sign ? m_fetched : Booth ? {WordWidth{m_negative_q}} : '0;

  perle_scalable_feed #(
    .WordWidth(WordWidth),
    .Kind     (Kind)
  ) u_y (
    .clk_i,
    .first_i(first),
    .word_i (sign ? '0 : y_fetched),
    .words_o(y)
  );

  perle_scalable_feed #(
    .WordWidth(WordWidth),
    .Kind     (Kind)
  ) u_m (
    .clk_i,
    .first_i(first),
    .word_i (m_word),
    .words_o(m)
  );

  // ---------------------------------------------------------------- kernel
  perle_scalable_chain #(
    .WordWidth(WordWidth),
    .Elements (Elements),
    .Kind     (Kind),
    .Paper    (Paper)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .flags_i     ('{valid: flags.valid, first: flags.valid && flags.first, last: flags.valid && flags.last}),
    .next_first_i(pass_first),
    .x_i         (x),
    .owed_i      (owed_q),
    .z_s_i       (z_s),
    .z_c_i       (z_c),
    .y_i         (y),
    .m_i         (m),
    .valid_o     (out_valid),
    .owed_o      (owed),
    .z_s_o       (out_s),
    .z_c_o       (out_c)
  );

  perle_scalable_z_fifo #(
    .Width(2 * WordWidth),
    .Depth(queue_depth(Width, WordWidth, Elements, Kind) - 1)
  ) u_queue (
    .clk_i,
    .clear_i   (start),
    .buffered_i(buffered),
    .push_i    (out_valid),
    .data_i    ({out_c, out_s}),
    .pop_i     (pop),
    .data_o    ({z_c, z_s})
  );

  // ---------------------------------------------------------------- unload
  perle_scalable_exit #(
    .WordWidth(WordWidth),
    .Kind     (Kind)
  ) u_exit (
    .clk_i,
    .step_i (step),
    .first_i(flags.first),
    .last_i (flags.last),
    .owed_i (owed_q),
    .z_s_i  (z_s),
    .z_c_i  (z_c),
    .z_i    (y[0]),
    .m_i    (m),
    .write_o(write),
    .first_o(write_first),
    .word_o (write_word)
  );

  // ---------------------------------------------------------------- registers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_q <= '0;
      rsp_tag_o <= '0;
    end else if (load[0]) begin
      ctx_q <= req_ctx_i;
      rsp_tag_o <= req_tag_i;
    end
  end

  always_ff @(posedge clk_i) begin
    m_negative_q <= m_word[WordWidth-1];
    // the count owed by the last element enters with word 0 of Z
    owed_q <= pop ? owed : '0;
  end

endmodule
