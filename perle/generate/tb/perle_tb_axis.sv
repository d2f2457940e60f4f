// SPDX-License-Identifier: Apache-2.0
//
// Sends a file of records to a stream and compares the records that come back, by their tags; twice: as fast as they
// are taken, then with gaps at random on both sides. Any fault ends the simulation with a non-zero exit status.
// Inputs that say nothing are X: whoever looks at them is found out by a simulator that knows X. Written for
// simulators that read little SystemVerilog, too.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  word     of a record
//         2  last     word of a record
//         3  answer   the words that have to come with it
//         4  wait     until all answers have come
// It is tb/vectors.hex, as seen from where the simulation runs; +vectors=PATH names another one.
//
// Parameters
//   Words           of a result
//   Counted         1: cycles, the upper half of an answer's first word, are compared too
//   Patience        cycles of the longest wait for an answer
//   Answers, Lines  of the file; tags count from 0

module perle_tb_axis #(
  parameter int Words    = 2,
  parameter bit Counted  = 1'b1,
  parameter int Patience = 100000,
  parameter int Answers  = 1,
  parameter int Lines    = 8
) (
  output logic        clk_o,
  output logic        rst_no,
  output logic        s_axis_tvalid_o,
  input  logic        s_axis_tready_i,
  output logic [63:0] s_axis_tdata_o,
  output logic        s_axis_tlast_o,
  input  logic        m_axis_tvalid_i,
  output logic        m_axis_tready_o,
  input  logic [63:0] m_axis_tdata_i,
  input  logic        m_axis_tlast_i
);

  localparam logic [31:0] Word = 32'd1;
  localparam logic [31:0] Last = 32'd2;
  localparam logic [31:0] Answer = 32'd3;
  localparam logic [31:0] Wait = 32'd4;
  localparam int MostShown = 10;

  logic [63:0] line[Lines];
  logic [63:0] wanted;
  logic [31:0] at, kind, idle, sent, failed, answered, word, place, tag;
  logic [31:0] answer[Answers];  // where what is expected of a tag is in the file
  logic [15:0] lfsr;
  logic gaps, done, taken;
  string path;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  task automatic fault(input string what);
    failed = failed + 1;
    if (failed <= MostShown) $display("FAIL answer %0d: %s", answered, what);
  endtask

  // A word of an answer: the first one says whose it is.
  task automatic receive;
    if (word == 0) begin
      tag = 32'(m_axis_tdata_i[31:16]);
      if ((^tag) === 1'bx || tag >= sent) $fatal(1, "FAIL an answer with the tag 0x%0h", tag);
      place = answer[tag];
      if (place == 0) $fatal(1, "FAIL two answers with the tag 0x%0h", tag);
      answer[tag] = 0;
    end
    wanted = line[place+word];
    if (word == 0 && !Counted) wanted[63:32] = m_axis_tdata_i[63:32];
    if (m_axis_tdata_i !== wanted) begin
      fault($sformatf("word %0d is 0x%0h, not 0x%0h", word, m_axis_tdata_i, wanted));
    end
    if (m_axis_tlast_i !== (word == Words)) fault($sformatf("TLAST of word %0d", word));
    word = word + 1;
    if (word == Words + 1) begin
      word = 0;
      answered = answered + 1;
    end
  endtask

  task automatic rising;
    idle = idle + 1;
    lfsr = {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};
    if ((s_axis_tready_i ^ m_axis_tvalid_i) === 1'bx) $fatal(1, "FAIL X in a handshake");
    if (m_axis_tvalid_i && m_axis_tready_o) begin
      receive;
      idle = 0;
    end
    taken = s_axis_tvalid_o && s_axis_tready_i;
    if (taken) idle = 0;
    if (idle > Patience) $fatal(1, "FAIL no answer after %0d", answered);
  endtask

  // The next word, where it may follow; what is expected of its tag comes before a record.
  task automatic falling;
    m_axis_tready_o = !gaps || lfsr[0];
    if (taken) begin
      s_axis_tvalid_o = 1'b0;
      s_axis_tdata_o = 'x;
      s_axis_tlast_o = 1'bx;
    end
    kind = 32'(line[at]);
    while (kind == Answer) begin
      answer[sent] = at + 1;
      sent = sent + 1;
      at = at + 2 + Words;
      kind = 32'(line[at]);
    end
    if (!s_axis_tvalid_o) begin
      if (kind == Word || kind == Last) begin
        if (!gaps || lfsr[3]) begin
          s_axis_tvalid_o = 1'b1;
          s_axis_tdata_o = line[at+1];
          s_axis_tlast_o = (kind == Last);
          at = at + 2;
        end
      end else if (kind == Wait) begin
        if (answered == sent) at = at + 1;
      end else if (answered == sent) begin
        done = 1'b1;
      end
    end
  endtask

  // Everything is seen at the rising edge and changed at the falling one: no race.
  task automatic run(input logic with_gaps);
    gaps = with_gaps;
    at = 0;
    idle = 0;
    sent = 0;
    answered = 0;
    word = 0;
    lfsr = 16'hace1;
    done = 1'b0;
    taken = 1'b1;
    rst_no = 1'b0;
    s_axis_tvalid_o = 1'b0;
    m_axis_tready_o = 1'b0;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
    while (!done) begin
      @(posedge clk_o);
      rising;
      @(negedge clk_o);
      falling;
    end
    if (answered != Answers) fault($sformatf("%0d answers, not %0d", answered, Answers));
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", path)) path = "tb/vectors.hex";
    $readmemh(path, line, 0, Lines - 1);
    failed = 0;
    run(1'b0);
    run(1'b1);
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d answers, twice", Answers);
    $finish;
  end

endmodule
