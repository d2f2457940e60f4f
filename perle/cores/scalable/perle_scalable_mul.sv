// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(v·(p·⌈f/p⌉ − 1)), f = ⌈n2/v⌉, n2 = n + 2v + 2
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^n, n <= Width the constant `bits` of the modulus: an input of every operation.
//           Mt ≡ −1 (mod 2^v) is M (radix 2), M or 3M (radix 4), M or −M (Booth):
//           OpMul     x, y in [0, 2·|Mt|) → z in [0, 2·|Mt|), so that results feed back unchanged
//           OpReduce  y in [0, 2·|Mt|)    → z in [0, M)
// Algorithm carter2012 figure 2 with M̂ = (Mt + 1)/2^v:
//             Z ← 0;  for i = 0 … f − 1:  q = Z mod 2^v;  Z ← ⌊Z/2^v⌋ + q·M̂ + x_i·Y
//           word by word through a chain of p elements, each of which takes a digit, and a queue back to the
//           first. The redundant Z is resolved as it is unloaded; Booth's signed Z is raised by M there.
//           OpReduce is the product with 1, at most |Mt| (Booth: below 2M); then the largest k·M in it is
//           subtracted, k up to 3 for radix 4 and up to 1 else, in the same cycles for every k
// Cycles    OpMul     ⌈f/p⌉·max(e + 1, p + ⌈vp/w⌉ + 1) + e + 2, e = ⌈n2/w⌉: 1 to fetch the first word, the
//                     kernel, e + 1 to unload; the next request is accepted with the response
//           OpReduce  2·(e + 1) more
// Left out  several operations in flight
//
// Parameters
//   Width       widest n: the words of the operand line and of the queue
//   WordWidth   w, a power of two          Elements   p          Kind   the element: 0 r2, 1 r4, 2 b4
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
  // x is shifted out a pass at a time, the bit below it (Booth's) included
  localparam int unsigned XBits = ((PassBits > OperandBits) ? PassBits : OperandBits) + 1;
  localparam int unsigned WordIdx = (Words > 1) ? $clog2(Words) : 1;
  localparam bit Booth = (Kind == KindB4);

  typedef logic [Words-1:0][WordWidth-1:0] line_t;

  logic accept, idle, sign, modulus, first, turned, out_valid;
  logic [WordIdx-1:0] word, place;
  step_e step;
  flags_t flags;
  logic [CtxBits-1:0] ctx_q;

  line_t line_q, m_line;  // the line holds y, then z
  logic [XBits-1:0] x_q;
  logic [WordWidth-1:0] y_word, m_word;
  logic m_negative_q;
  logic [streams(Kind)-1:0][WordWidth-1:0] y, m;

  logic [WordWidth-1:0] z_s, z_c, queue_s, queue_c, out_s, out_c, exit_z, line_d;
  logic [OwedBits-1:0] owed, carry, carry_q;
  logic [WordWidth+OwedBits-1:0] resolved;
  logic line_we;

  assign req_ready_o = idle || (rsp_valid_o && rsp_ready_i);
  assign accept = req_valid_i && req_ready_o;
  assign rsp_z_o = line_q;

  perle_scalable_control #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Elements (Elements),
    .Kind     (Kind)
  ) u_control (
    .clk_i,
    .rst_ni,
    .accept_i (accept),
    .op_i     (req_op_i),
    .bits_i   (mod_i[req_ctx_i][ConstBits]),
    .taken_i  (rsp_ready_i),
    .word_o   (word),
    .sign_o   (sign),
    .modulus_o(modulus),
    .first_o  (first),
    .turn_o   (turned),
    .step_o   (step),
    .flags_o  (flags),
    .place_o  (place),
    .idle_o   (idle),
    .done_o   (rsp_valid_o)
  );

  // ---------------------------------------------------------------- fetch
  assign m_line = line_t'(mod_i[ctx_q][modulus ? ConstM : ConstMhat]);
  assign y_word = sign ? '0 : line_q[word];
  assign m_word = sign ? {WordWidth{m_negative_q}} : m_line[word];

  perle_scalable_feed #(
    .WordWidth(WordWidth),
    .Kind     (Kind)
  ) u_y (
    .clk_i,
    .first_i(first),
    .word_i (y_word),
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
  assign z_s = (step == StepPass) ? queue_s : '0;
  assign z_c = (step == StepPass) ? queue_c : '0;

  perle_scalable_chain #(
    .WordWidth(WordWidth),
    .Elements (Elements),
    .Kind     (Kind)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .flags_i('{valid: flags.valid, first: flags.valid && flags.first, last: flags.valid && flags.last}),
    .next_first_i(first && !modulus),
    .x_i    (x_q[PassBits:0]),
    .owed_i((step == StepPass) ? owed : '0),
    .z_s_i  (z_s),
    .z_c_i  (z_c),
    .y_i    (y),
    .m_i    (m),
    .valid_o(out_valid),
    .owed_o(owed),
    .z_s_o  (out_s),
    .z_c_o  (out_c)
  );

  perle_scalable_queue #(
    .Width(2 * WordWidth),
    .Depth(queue_depth(Width, WordWidth, Elements, Kind))
  ) u_queue (
    .clk_i,
    .clear_i(accept),
    .put_i  (out_valid),
    .data_i ({out_c, out_s}),
    .take_i (step == StepPass || step == StepUnload),
    .data_o ({queue_c, queue_s})
  );

  // ---------------------------------------------------------------- unload
  // what the last element owes is carried into word 0
  assign carry = flags.first ? owed : carry_q;
  assign resolved = (WordWidth + OwedBits)'(queue_s) + (WordWidth + OwedBits)'(queue_c) +
      (WordWidth + OwedBits)'(carry) + (Booth ? (WordWidth + OwedBits)'(m[0]) : '0);

  perle_scalable_exit #(
    .WordWidth(WordWidth),
    .Multiples(multiples(Kind))
  ) u_exit (
    .clk_i,
    .first_i (flags.first),
    .word_i  (!flags.last),
    .decide_i(step == StepCompare && flags.last),
    .clear_i (step == StepUnload),
    .z_i     (y[0]),
    .m_i     (m[0]),
    .z_o     (exit_z)
  );

  assign line_we = (step == StepUnload || step == StepSubtract) && !flags.last;
  assign line_d = (step == StepSubtract) ? exit_z : resolved[WordWidth-1:0];

  // ---------------------------------------------------------------- registers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_q <= '0;
      rsp_tag_o <= '0;
    end else if (accept) begin
      ctx_q <= req_ctx_i;
      rsp_tag_o <= req_tag_i;
    end
  end

  always_ff @(posedge clk_i) begin
    m_negative_q <= m_word[WordWidth-1];
    carry_q <= resolved[WordWidth+:OwedBits];
    if (accept) begin
      line_q <= line_t'(req_y_i);
      x_q <= XBits'({(req_op_i == OpReduce) ? OperandBits'(1) : req_x_i, 1'b0});
    end else begin
      if (line_we) line_q[place] <= line_d;
      if (turned) x_q <= x_q >> PassBits;
    end
  end

endmodule
