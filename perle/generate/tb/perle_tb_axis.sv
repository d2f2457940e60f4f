// SPDX-License-Identifier: Apache-2.0
//
// Testbench: sends records from a file to a stream and compares the answers by their tags; twice: at full
// speed, then with random gaps on both sides. Any mismatch ends the simulation with a non-zero exit status.
// Inputs that are not valid are driven to X, so that a four-state simulator shows any use of them. Uses only
// the subset of SystemVerilog that simple simulators support.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  word     of a record
//         2  last     word of a record
//         3  answer   the words expected as the answer to the next record
//         4  wait     until all answers have arrived
// The file is tb/vectors.hex, relative to the directory of the simulation; +vectors=PATH names another one.
//
// Parameters
//   Words           words of a result
//   Counted         1: cycles, the upper half of an answer's header word, are compared too
//   Patience        timeout in cycles without progress
//   Answers, Lines  answers and lines in the file; tags count from 0

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
  logic [31:0] answer[Answers];  // by tag: line of the expected answer; 0 once it has been received
  logic [15:0] lfsr;
  logic gaps, done, taken;
  string path;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  task automatic fault(input string what);
    failed = failed + 1;
    if (failed <= MostShown) $display("FAIL answer %0d: %s", answered, what);
  endtask

  // One word of an answer; its header word holds the tag.
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

  // Drives the next word when it may follow. The file has the expected answer before its record.
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

  // Signals are sampled at the rising edge and driven at the falling one, which avoids races.
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
