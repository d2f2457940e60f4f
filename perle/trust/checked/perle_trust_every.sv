// SPDX-License-Identifier: Apache-2.0
//
// A multiplier of a tiny width that computes every product of a range, one after the other; each is checked
// (perle.trust.exhaustive).
//
// Requests   operation op_i for x_first_i <= x < x_end_i and 0 <= y < y_end_i: y counts up, then x; the first one
//            after a reset. M and its constants stay
// Checked    z·R ≡ x·y (mod M) and z below the limit of operands for OpMul, z·R ≡ y (mod M) and z < M for
//            OpReduce; a request is accepted, and its response comes, within PERLE_LATEST
//            cycles and a few
// Left out   responses that wait, and pauses between requests: the handshake is proved elsewhere
//
// done_o: every response has come. wrong_o: one was wrong, or late, and x_o and y_o are its operands.
//
// Parameters are the macros of perle_trust_mul, of which this uses those of the multiplier, with one request in
// flight.

`ifndef PERLE_TOP  // by itself: a multiplier without constants
  `define PERLE_TOP perle_iterative_mul
  `define PERLE_PARAMS .Width(3), .PaperStates(0), .Segment(32)
  `define PERLE_BITS 4
  `define PERLE_CONSTS 1
  `define PERLE_WIDTH 3
  `define PERLE_TABLE 3: {limit, constants} = {5'd6, 4'd3}; 5: {limit, constants} = {5'd10, 4'd5};
  `define PERLE_LATEST 12
  `define PERLE_REXP 4
`endif  // PERLE_TOP

module perle_trust_every
  import perle_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [`PERLE_WIDTH-1:0] m_i,
  input  logic                    op_i,
  input  logic [            31:0] x_first_i,
  input  logic [            31:0] x_end_i,
  input  logic [            31:0] y_end_i,
  output logic                    done_o,
  output logic                    wrong_o,
  output logic [            31:0] x_o,
  output logic [            31:0] y_o,
  output logic [            31:0] z_o
);

  localparam int unsigned Slack = 4;  // cycles from a reset, or from a response, to the next request

  logic ready, rsp_valid, accept, valid_q, open_q;
  logic [`PERLE_BITS-1:0] rsp_z;
  logic [`PERLE_CONSTS-1:0][`PERLE_BITS-1:0] constants;
  logic [`PERLE_BITS:0] limit;
  logic [31:0] x_q, y_q, wait_q;
  logic [63:0] expected_q, m, found;
  logic right;

  always_comb begin
    unique case (m_i)
      `PERLE_TABLE
      default: {limit, constants} = '0;
    endcase
  end

  `PERLE_TOP #(
    `PERLE_PARAMS,
    .TagBits(1)
  ) u_mul (
    .clk_i,
    .rst_ni,
    .mod_i(constants),
    .req_valid_i(valid_q),
    .req_ready_o(ready),
    .req_op_i(mul_op_e'(op_i)),
    .req_ctx_i(1'b0),
    .req_tag_i(1'b0),
    .req_x_i(`PERLE_BITS'(x_q)),
    .req_y_i(`PERLE_BITS'(y_q)),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(1'b1),
    .rsp_tag_o(),
    .rsp_z_o(rsp_z)
  );

  assign accept = valid_q && ready;
  assign m = 64'(m_i);
  assign found = (64'(rsp_z) << `PERLE_REXP) % m;
  assign right = (found == expected_q) && (64'(rsp_z) < ((op_i == OpMul) ? 64'(limit) : m));
  assign done_o = !valid_q && !open_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {valid_q, open_q, wrong_o} <= 3'b100;
      {x_q, y_q, wait_q} <= {x_first_i, 64'b0};
    end else if (!wrong_o) begin
      open_q <= accept || (open_q && !rsp_valid);
      wait_q <= accept ? '0 : wait_q + 32'd1;
      if (rsp_valid) wrong_o <= !open_q || !right;
      else wrong_o <= (accept && open_q) || (wait_q > `PERLE_LATEST + Slack);
      if (rsp_valid) z_o <= 32'(rsp_z);
      if (accept) begin
        expected_q <= (64'(y_q) * ((op_i == OpMul) ? 64'(x_q) : 64'd1)) % m;
        y_q <= (y_q + 1 == y_end_i) ? '0 : y_q + 1;
        if (y_q + 1 == y_end_i) begin
          x_q <= x_q + 1;
          valid_q <= (x_q + 1 != x_end_i);
        end
      end
      // the operands of the response that is checked, not of one that is accepted with it
      if (accept && !(rsp_valid && !right)) {x_o, y_o} <= {x_q, y_q};
    end
  end

endmodule
