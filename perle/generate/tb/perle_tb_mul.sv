// SPDX-License-Identifier: Apache-2.0
//
// Testbench: gives a multiplier the operations of a file, twice: one at a time, with the latency checked;
// then at full speed, with random backpressure on responses. Every response is compared; any mismatch ends
// the simulation with a non-zero exit status. Inputs that are not valid are driven to X, so that a four-state
// simulator shows any use of them. Uses only the subset of SystemVerilog that simple simulators support.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  modulus    latency of an OpMul and of an OpReduce in cycles, from a request's acceptance to the
//                       first cycle of its response; then the constants in the order of mod_o, M first
//         2  OpMul      x, y, z
//         3  OpReduce   y, z
// The file is tb/vectors.hex, relative to the directory of the simulation; +vectors=PATH names another one.
//
// Parameters
//   OperandBits, ConstCount, TagBits   as the multiplier
//   Longest                            cycles of the longest operation
//   Operations, Lines                  operations and lines in the file

module perle_tb_mul #(
  parameter int OperandBits = 85,
  parameter int ConstCount  = 3,
  parameter int TagBits     = 4,
  parameter int Longest     = 31,
  parameter int Operations  = 1,
  parameter int Lines       = 8
) (
  output logic                                    clk_o,
  output logic                                    rst_no,
  output logic [ConstCount-1:0][OperandBits-1:0]  mod_o,
  output logic                                    req_valid_o,
  input  logic                                    req_ready_i,
  output logic                                    req_op_o,
  output logic [TagBits-1:0]                      req_tag_o,
  output logic [OperandBits-1:0]                  req_x_o,
  output logic [OperandBits-1:0]                  req_y_o,
  input  logic                                    rsp_valid_i,
  output logic                                    rsp_ready_o,
  input  logic [TagBits-1:0]                      rsp_tag_i,
  input  logic [OperandBits-1:0]                  rsp_z_i
);

  localparam logic [31:0] Modulus = 32'd1;
  localparam logic [31:0] Mul = 32'd2;
  localparam logic [31:0] Reduce = 32'd3;

  localparam int LineBits = OperandBits > 32 ? OperandBits : 32;
  localparam int Patience = 200 * Longest + 1000;
  localparam int MostShown = 10;
  localparam int InFlight = 256;  // more operations than any multiplier has in flight

  logic [LineBits-1:0] line[Lines];
  // operations that wait for their response; operation n is at index n mod InFlight
  logic [31:0] start[InFlight];
  logic reduce[InFlight];
  logic [TagBits-1:0] tag[InFlight];
  logic [OperandBits-1:0] z[InFlight];
  logic [31:0] now, last, asked, answered, failed, mul_cycles, reduce_cycles, at, kind, expected;
  logic [7:0] oldest, newest;
  logic [15:0] lfsr;
  logic waiting, taken, done;
  string path;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  assign oldest = answered[7:0];
  assign newest = asked[7:0];

  task automatic fault(input string what, input logic [31:0] number);
    failed = failed + 1;
    if (failed <= MostShown) $display("FAIL operation %0d, cycle %0d: %s", number, now, what);
  endtask

  task automatic idle;
    req_valid_o = 1'b0;
    req_op_o = 1'bx;
    req_tag_o = 'x;
    req_x_o = 'x;
    req_y_o = 'x;
  endtask

  task automatic reset;
    rst_no = 1'b0;
    idle;
    rsp_ready_o = 1'b0;
    mod_o = 'x;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
  endtask

  // Compares the response in this cycle; `waiting` is 1 if it was already valid in the cycle before.
  task automatic check(input logic alone);
    if (asked == answered) begin
      fault("a response nobody asked for", answered);
    end else begin
      expected = reduce[oldest] ? reduce_cycles : mul_cycles;
      if (rsp_z_i !== z[oldest]) begin
        fault($sformatf("z is 0x%0h, not 0x%0h", rsp_z_i, z[oldest]), answered + 1);
      end
      if (rsp_tag_i !== tag[oldest]) begin
        fault($sformatf("tag is 0x%0h, not 0x%0h", rsp_tag_i, tag[oldest]), answered + 1);
      end
      if (alone && !waiting && now - start[oldest] != expected) begin
        fault($sformatf("took %0d cycles, not %0d", now - start[oldest], expected), answered + 1);
      end
    end
  endtask

  task automatic rising(input logic alone);
    now = now + 1;
    lfsr = {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};
    if ((rsp_valid_i ^ req_ready_i) === 1'bx) begin
      $fatal(1, "FAIL cycle %0d: X in a handshake", now);
    end

    if (rsp_valid_i) begin
      check(alone);
      waiting = !rsp_ready_o;
      last = now;
      if (rsp_ready_o && asked != answered) answered = answered + 1;
    end else if (waiting) begin
      fault("a response that was not taken went away", answered + 1);
      waiting = 1'b0;
    end
    taken = req_valid_o && req_ready_i;
    if (taken) begin
      start[newest] = now;
      asked = asked + 1;
      last = now;
    end
    if (now - last > Patience) $fatal(1, "FAIL no response to operation %0d", answered + 1);
    if (asked - answered == InFlight) $fatal(1, "FAIL %0d operations under way", InFlight);
  endtask

  // Drives the next line of the file when it may follow. The modulus changes only while nothing is in flight.
  task automatic falling(input logic alone);
    rsp_ready_o = alone || lfsr[0];
    if (taken) idle;
    kind = 32'(line[at]);
    if (!req_valid_o && (asked == answered || !alone && (kind == Mul || kind == Reduce))) begin
      if (kind == Modulus) begin
        mul_cycles = 32'(line[at+1]);
        reduce_cycles = 32'(line[at+2]);
        for (int unsigned i = 0; i < ConstCount; i++) mod_o[i] = OperandBits'(line[at+3+i]);
        at = at + 3 + ConstCount;
      end else if (kind == Mul || kind == Reduce) begin
        req_valid_o = 1'b1;
        req_op_o = (kind == Reduce);
        req_tag_o = TagBits'(asked + 1);
        if (kind == Mul) begin
          req_x_o = OperandBits'(line[at+1]);
          at = at + 1;
        end
        req_y_o = OperandBits'(line[at+1]);
        reduce[newest] = (kind == Reduce);
        tag[newest] = req_tag_o;
        z[newest] = OperandBits'(line[at+2]);
        at = at + 3;
      end else begin
        done = 1'b1;
      end
    end
  endtask

  // Signals are sampled at the rising edge and driven at the falling one, which avoids races.
  task automatic run(input logic alone);
    at = 0;
    waiting = 1'b0;
    done = 1'b0;
    now = 0;
    last = 0;
    asked = 0;
    answered = 0;
    lfsr = 16'hace1;
    reset;
    while (!done) begin
      @(posedge clk_o);
      rising(alone);
      @(negedge clk_o);
      falling(alone);
    end
    if (answered != Operations) begin
      failed = failed + 1;
      $display("FAIL %0d operations, not %0d", answered, Operations);
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", path)) path = "tb/vectors.hex";
    $readmemh(path, line, 0, Lines - 1);
    failed = 0;
    run(1'b1);
    run(1'b0);
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d operations, alone and back to back", Operations);
    $finish;
  end

endmodule
