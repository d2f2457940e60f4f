// SPDX-License-Identifier: Apache-2.0
//
// Lemmas about perle_karatsuba_mul (Fold = 0), bound into the testbench: an operation passes through the stages of
// the loop three times; its result waits in the ring, then in one of two response registers, which take turns.

module perle_trust_karatsuba
  import perle_pkg::*;
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width    = 4,
  // default parameters, and a product of one leaf
  localparam int unsigned Bits     = operand_bits(Width, 0),
  localparam int unsigned Depth    = depth(Bits, 17, 33, 0, 0, 0),  // cycles from one pass to the next
  // the stage, in the third pass, whose result goes to the ring
  localparam int unsigned Last     = outer_cycles(Bits, 17, 33, 0, 0) + exit_cycles(Bits, 33, 0, 0) - 2,
  localparam int unsigned Words    = places(Bits, 17, 33, 0, 0, 0, 0) + 1,  // of the ring
  localparam int unsigned Steps    = 2 * Depth + Last + 2,  // entry, and the stages of three passes
  localparam int unsigned WordBits = $clog2(Words)
) (
  // signals of the testbench and of the multiplier
  // verilog_lint: waive-start port-name-suffix
  input logic                clk_i,
  input logic                rst_ni,
  input logic                first_q,
  input logic                accept,
  input logic                mark_i,
  input logic                take,
  input logic                rsp_valid,
  input logic [         5:0] open_q,
  input logic [         5:0] before_q,
  input logic                marked_q,
  input logic [         1:0] marked_tag_q,
  input logic [         7:0] age_q,
  input logic [         7:0] wait_q,
  input logic                ready,
  input logic [WordBits-1:0] held,          // operations without a response
  input logic [         6:0] entry,         // a request before its first pass
  input logic [Last:0][6:0]  stage,
  input logic [WordBits-1:0] waiting,       // results in the ring
  input logic                nonempty,
  input logic [WordBits-1:0] write,
  input logic [WordBits-1:0] read,
  input logic [         7:0] ring [Words],  // its words, the tag highest
  input logic [         1:0] valid,         // response registers
  input logic [         1:0] follow,
  input logic                head,          // the register of the response
  input logic                tail,          // that of the next result
  input logic                second,
  input logic [    1:0][1:0] response       // tags in them
  // verilog_lint: waive-stop port-name-suffix
);

  typedef struct packed {
    logic       valid;
    pass_e      pass;
    mul_op_e    op;
    logic       ctx;
    logic [1:0] tag;
  } stage_t;

  stage_t begun;
  stage_t [Last:0] at;
  assign begun = entry;
  assign at = stage;

  logic [Steps-1:0] line, same_tag;
  logic [Steps-1:0][5:0] number;
  logic [5:0] accepted, left, answered, marked, responses, behind;
  logic [WordBits-1:0] marked_at;
  logic returns, settles;

  always_comb begin
    line[0] = begun.valid;
    same_tag[0] = begun.tag == marked_tag_q;
    for (int unsigned pass = 0; pass < 3; pass++) begin
      for (int unsigned i = 0; i < ((pass == 2) ? Last + 1 : Depth); i++) begin
        line[1+pass*Depth+i] = at[i].valid && at[i].pass == 2'(pass);
        same_tag[1+pass*Depth+i] = at[i].tag == marked_tag_q;
      end
    end
    for (int unsigned i = 0; i < Steps; i++) same_tag[i] |= !line[i] || number[i] != marked;
  end

  perle_trust_line #(
    .Steps(Steps)
  ) u_line (
    .*
  );

  // A stage whose operation returns, and one whose operation does so next.
  assign returns = at[Depth-1].valid && at[Depth-1].pass != PassSum;
  assign settles = at[Depth-2].valid && at[Depth-2].pass != PassSum;

  logic passes;
  always_comb begin
    passes = 1'b1;
    for (int unsigned i = 0; i <= Last; i++) begin
      if (at[i].valid) passes &= at[i].pass inside {PassProduct, PassQuotient, PassSum};
    end
  end

  // Results: in the response registers, then in the ring; there the marked one is behind so many others.
  assign responses = 6'(valid[0]) + 6'(valid[1]);
  assign behind = marked - answered - responses;
  always_comb begin
    marked_at = read + WordBits'(behind);
    if (32'(read) + 32'(behind) >= Words) marked_at = WordBits'(32'(read) + 32'(behind) - Words);
  end

  always_comb begin
    if (!first_q && rst_ni) begin
      LemmaHeld : assert (6'(held) == open_q && 32'(held) < Words);
      LemmaReady : assert (!ready || (32'(held) + 1 < Words && !settles));
      LemmaEntry : assert (!begun.valid || (!returns && begun.pass == PassProduct));
      LemmaPass : assert (passes);
      LemmaResults : assert (left == answered + responses + 6'(waiting));
      LemmaWaiting : assert (32'(waiting) < Words && nonempty == (waiting != '0));
      LemmaRing : assert (32'(read) < Words && 32'(write) < Words && (
          32'(write) == 32'(read) + 32'(waiting) || 32'(write) + Words == 32'(read) + 32'(waiting)));
      LemmaRegisters : assert (rsp_valid == (valid != '0) && follow == ~valid && second == head);
      LemmaTurn : assert (^valid ? valid[head] && head != tail : head == tail);
      LemmaWaits : assert (waiting == '0 || rsp_valid || 32'(wait_q) <= Steps);
      LemmaTag : assert (!marked_q || same_tag == '1);
      LemmaRingTag : assert (!(marked_q && behind < 6'(waiting)) || ring[marked_at][7:6] == marked_tag_q);
      LemmaResponseTag : assert (!(marked_q && marked - answered < responses) ||
                                 response[head ^ (marked != answered)] == marked_tag_q);
    end
  end

endmodule

bind perle_trust_mul perle_trust_karatsuba #(
  .Width(Width)
) u_lemmas (
  .*,
  .held    (u_mul.held_q),
  .entry   (u_mul.entry_q),
  .stage   (u_mul.stage_q),
  .waiting (u_mul.u_results.waiting_q),
  .nonempty(u_mul.u_results.nonempty_q),
  .write   (u_mul.u_results.gen_part[0].wr_q),
  .read    (u_mul.u_results.gen_part[0].rd_q),
  .ring    (u_mul.u_results.gen_part[0].ring_mem),
  .valid   (u_mul.u_results.valid_q),
  .follow  (u_mul.u_results.gen_part[0].follow_q),
  .head    (u_mul.u_results.head_q),
  .tail    (u_mul.u_results.tail_q),
  .second  (u_mul.u_results.gen_part[0].second_q),
  .response({u_mul.u_results.gen_part[0].second_word_q[7:6], u_mul.u_results.gen_part[0].first_word_q[7:6]})
);
