// SPDX-License-Identifier: Apache-2.0
//
// Lemmas of the proof of a handshake, for multipliers in which a request moves from step to step of a line, one in
// every cycle, and then waits for its response in a FIFO.
//
//   numbered  requests are numbered as they are accepted. The number of a step is that of the request in it; of two
//             steps, the one nearer to the entry has the next number if there is a request in the other, else the same
//   counted   a step and those nearer to the entry hold no more requests than they are steps
//   waits     the request whose turn it is, if it is in the line, has not waited longer than it is in it
//
// Each lemma is about two steps at most, not a sum or a search over the line, so that a solver decides it at once. They
// are proved by induction, together with the properties of the testbench, which follow from them and from those of a
// module for each multiplier: it says what is in each step, and how results wait.
//
// Parameters
//   Steps   of the line; a request is in step 0 in the cycle after its acceptance

module perle_trust_line #(
  parameter int unsigned Steps = 4
) (
  // signals of the testbench, and those of the module in which this is
  // verilog_lint: waive-start port-name-suffix
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  first_q,    // nothing holds before the first reset
  input  logic                  accept,     // a request
  input  logic                  take,       // a response
  input  logic                  mark_i,
  input  logic                  rsp_valid,
  input  logic [      5:0]      open_q,
  input  logic [      5:0]      before_q,
  input  logic                  marked_q,
  input  logic [      7:0]      age_q,
  input  logic [      7:0]      wait_q,
  input  logic [Steps-1:0]      line,       // steps with a request
  output logic [Steps-1:0][5:0] number,     // numbers of the steps
  output logic [      5:0]      accepted,   // number of the next request
  output logic [      5:0]      left,       // of the next one that leaves the line
  output logic [      5:0]      answered,   // of the next response
  output logic [      5:0]      marked      // of the marked request
  // verilog_lint: waive-stop port-name-suffix
);

  assign left = number[Steps-1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {accepted, answered, marked, number} <= '0;
    end else begin
      accepted <= accepted + 6'(accept);
      number <= {number[Steps-2:0], accepted};
      answered <= answered + 6'(take);
      if (accept && mark_i && !marked_q) marked <= accepted;
    end
  end

  logic [Steps-1:0] numbered, counted, waits;

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [5:0] younger;  // requests in this step and before it
    assign younger = accepted - number[i];
    assign numbered[i] = number[i] + 6'(line[i]) == ((i == 0) ? accepted : number[(i+Steps-1)%Steps]);
    assign counted[i] = 32'(younger) <= i + 1 && (younger != '0 || !line[i]);
    assign waits[i] = !line[i] || number[i] != answered || rsp_valid || 32'(wait_q) <= i;
  end

  always_comb begin
    if (!first_q && rst_ni) begin
      LemmaNumbered : assert (numbered == '1);
      LemmaCounted : assert (counted == '1);
      LemmaInLine : assert (accepted - left <= open_q);
      LemmaOpen : assert (open_q == accepted - answered);
      LemmaBefore : assert (!marked_q || (before_q == marked - answered && before_q < open_q));
      LemmaWaits : assert (waits == '1 && (open_q != '0 || wait_q == '0));
      LemmaAge : assert (!marked_q || rsp_valid || age_q <= wait_q);
      LemmaYoung : assert (!marked_q || before_q == '0 || age_q == '0);
    end
  end

endmodule
