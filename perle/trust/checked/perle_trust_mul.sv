// SPDX-License-Identifier: Apache-2.0
//
// What the contract promises of any multiplier, for a model checker: the multiplier between arbitrary requests and
// an arbitrary taker of responses, and one request at any time, the marked one, whose fate is followed.
//
//   handshake  a response has a request before it that has none yet; the marked request's response is the one of
//              its turn and has its tag; it comes within Latest cycles of those in which it is the next and
//              nobody keeps a response waiting; a response that waits stays as it is; after a reset there is none
//   algebra    (with Algebra) z·R ≡ x·y (mod M) and z below the limit for OpMul, z·R ≡ y (mod M) and z < M for
//              OpReduce, for every odd M and all operands below the limit
//
// Ranges     inputs are as the contract has them: a request stays until it is accepted, the modulus stays, its
//            constants and the limit of operands are the model's
// Lemmas     of multipliers with many requests in flight are bound to this: perle_trust_line and a module of each
// Left out   contexts: there is one
//
// Parameters come as macros with the multiplier: PERLE_TOP its name, PERLE_PARAMS its parameters, PERLE_MOST how
// many requests it has in flight, PERLE_BITS of an operand, PERLE_CONSTS of a modulus, PERLE_WIDTH bits of M,
// PERLE_TABLE an entry for each odd M: its constants and limit, PERLE_LATEST cycles, PERLE_REXP the exponent of
// R, PERLE_ALGEBRA 0 or 1, PERLE_START 1: the first cycle is one of a reset (0: lemmas say what it is), PERLE_RESET
// 1: it may be reset at any time after that

`ifndef PERLE_TOP  // by itself: a multiplier without constants
  `define PERLE_TOP perle_iterative_mul
  `define PERLE_PARAMS .Width(3), .PaperStates(0), .Segment(32)
  `define PERLE_MOST 1
  `define PERLE_BITS 4
  `define PERLE_CONSTS 1
  `define PERLE_WIDTH 3
  `define PERLE_TABLE 3: {limit, constants} = {5'd6, 4'd3}; 5: {limit, constants} = {5'd10, 4'd5};
  `define PERLE_LATEST 12
  `define PERLE_REXP 4
  `define PERLE_ALGEBRA 0
  `define PERLE_START 1
  `define PERLE_RESET 0
`endif  // PERLE_TOP

module perle_trust_mul
  import perle_pkg::*;
(
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [`PERLE_WIDTH-1:0] m_i,
  input logic                    valid_i,
  input logic                    op_i,
  input logic [             1:0] tag_i,
  input logic [ `PERLE_BITS-1:0] x_i,
  input logic [ `PERLE_BITS-1:0] y_i,
  input logic                    ready_i,
  input logic                    mark_i
);

  localparam int unsigned Wide = `PERLE_BITS + `PERLE_REXP;

  logic first_q = 1'b1;
  logic ready, rsp_valid;
  logic [1:0] rsp_tag;
  logic [`PERLE_BITS-1:0] rsp_z;
  logic [`PERLE_CONSTS-1:0][`PERLE_BITS-1:0] constants;
  logic [`PERLE_BITS:0] limit;

  always_comb begin
    unique case (m_i)
      `PERLE_TABLE
      default: {limit, constants} = '0;
    endcase
  end

  `PERLE_TOP #(
    `PERLE_PARAMS,
    .TagBits(2)
  ) u_mul (
    .clk_i,
    .rst_ni,
    .mod_i(constants),
    .req_valid_i(valid_i),
    .req_ready_o(ready),
    .req_op_i(mul_op_e'(op_i)),
    .req_ctx_i(1'b0),
    .req_tag_i(tag_i),
    .req_x_i(x_i),
    .req_y_i(y_i),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(ready_i),
    .rsp_tag_o(rsp_tag),
    .rsp_z_o(rsp_z)
  );

  // The request of the cycle before, if it was not accepted, and the response, if it was not taken.
  logic asked_q, waits_q, op_q;
  logic [1:0] tag_q, rsp_tag_q;
  logic [`PERLE_BITS-1:0] x_q, y_q, rsp_z_q;
  logic [`PERLE_WIDTH-1:0] m_q;

  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    asked_q <= rst_ni && valid_i && !ready;
    waits_q <= rst_ni && rsp_valid && !ready_i;
    {op_q, tag_q, x_q, y_q} <= {op_i, tag_i, x_i, y_i};
    {rsp_tag_q, rsp_z_q} <= {rsp_tag, rsp_z};
    m_q <= m_i;
  end

  always_comb begin
    if (`PERLE_START && first_q) assume (!rst_ni);
    if (!`PERLE_RESET && !first_q) assume (rst_ni);
    if (!first_q && asked_q) assume (valid_i && {op_i, tag_i, x_i, y_i} == {op_q, tag_q, x_q, y_q});
    if (!first_q) assume (m_i == m_q);
    assume (m_i[0] && m_i > 2);
    assume ({1'b0, x_i} < limit && {1'b0, y_i} < limit);
  end

  // How many requests have no response yet, and how many of them are before the marked one.
  logic [5:0] open_q, before_q;
  logic marked_q, marked_op_q;
  logic [1:0] marked_tag_q;
  logic [7:0] age_q, wait_q;  // cycles in which the marked one, or any one, is the next and has no response
  logic [`PERLE_BITS-1:0] marked_x_q, marked_y_q;
  logic accept, take, turn;

  assign accept = valid_i && ready;
  assign take = rsp_valid && ready_i;
  assign turn = marked_q && before_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {open_q, before_q, marked_q, age_q, wait_q} <= '0;
    end else begin
      open_q <= open_q + 6'(accept) - 6'(take);
      wait_q <= (open_q == '0 || rsp_valid) ? '0 : wait_q + 8'd1;
      if (accept && mark_i && !marked_q) begin
        marked_q <= 1'b1;
        before_q <= open_q - 6'(take);
        age_q <= '0;
        {marked_op_q, marked_tag_q, marked_x_q, marked_y_q} <= {op_i, tag_i, x_i, y_i};
      end else if (turn) begin
        age_q <= age_q + 8'(!rsp_valid);
        if (take) marked_q <= 1'b0;
      end else if (marked_q && take) begin
        before_q <= before_q - 6'd1;
      end
    end
  end

  // value mod m, a bit at a time: far smaller than a division of all bits by a variable
  localparam int unsigned Width = `PERLE_WIDTH;
  function automatic logic [Width-1:0] residue(logic [Wide-1:0] value, logic [Width-1:0] modulus);
    logic [Width:0] rest;
    rest = '0;
    for (int i = Wide - 1; i >= 0; i--) begin
      rest = {rest[Width-1:0], value[i]};
      if (rest >= {1'b0, modulus}) rest = rest - {1'b0, modulus};
    end
    return rest[Width-1:0];
  endfunction

  logic [Width-1:0] x_residue, y_residue, expected;
  assign x_residue = residue(Wide'(marked_x_q), m_i);
  assign y_residue = residue(Wide'(marked_y_q), m_i);
  assign expected = (marked_op_q == OpMul) ? residue(Wide'(x_residue) * Wide'(y_residue), m_i) : y_residue;

  always_comb begin
    if (!first_q && rst_ni) begin
      AssertAsked : assert (!rsp_valid || open_q != '0);
      AssertNotLost : assert (age_q <= `PERLE_LATEST && wait_q <= `PERLE_LATEST);
      // a multiplier with room for one request has it where none is in flight, and not where one is
      if (`PERLE_MOST == 1) begin
        AssertReady : assert (ready == (open_q == '0 || take));
      end
      AssertMost : assert (open_q <= `PERLE_MOST);
      AssertOrder : assert (!(turn && rsp_valid) || rsp_tag == marked_tag_q);
      AssertStable : assert (!waits_q || (rsp_valid && rsp_tag == rsp_tag_q));
      AssertSteady : assert (!waits_q || rsp_z == rsp_z_q);
      AssertCounted : assert (!marked_q || before_q < open_q);
      if (`PERLE_ALGEBRA && turn && rsp_valid) begin
        AssertRange : assert ({1'b0, rsp_z} < ((marked_op_q == OpMul) ? limit : (`PERLE_BITS + 1)'(m_i)));
        AssertProduct : assert (residue(Wide'(rsp_z) << `PERLE_REXP, m_i) == expected);
      end
    end
  end

endmodule
