// SPDX-License-Identifier: Apache-2.0
//
// Puts a multiplier through a file of operations, twice: one operation at a time, with its cycles counted; then
// as fast as it takes them, with responses that wait at random. Every answer is compared; any fault ends the
// simulation with a non-zero exit status.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  modulus    cycles of an OpMul and of an OpReduce, from a request's acceptance to the first cycle of
//                       its response; then the constants in the order of mod_o, M first
//         2  OpMul      x, y, z
//         3  OpReduce   y, z
// +vectors=PATH names another file.
//
// Parameters
//   OperandBits, ConstCount, TagBits   of the multiplier
//   Longest                            cycles of the longest operation
//   Operations, Lines                  of the file
//   Vectors                            the file, as seen from where the simulation runs

module perle_tb_mul #(
  parameter int unsigned OperandBits  = 85,
  parameter int unsigned ConstCount   = 3,
  parameter int unsigned TagBits      = 4,
  parameter int unsigned Longest      = 31,
  parameter int unsigned Operations   = 1,
  parameter int unsigned Lines        = 8,
  parameter string       Vectors      = "tb/vectors.hex"
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

  typedef enum logic [1:0] {
    End,
    Modulus,
    Mul,
    Reduce
  } kind_e;

  typedef struct packed {
    logic [31:0]            number;
    logic [31:0]            start;
    logic                   reduce;
    logic [TagBits-1:0]     tag;
    logic [OperandBits-1:0] z;
  } pending_t;

  localparam int unsigned LineBits = OperandBits > 32 ? OperandBits : 32;
  localparam int unsigned Patience = 200 * Longest + 1000;
  localparam int unsigned MostShown = 10;

  logic [LineBits-1:0] line[Lines];
  pending_t pending[$];
  logic [31:0] now, last, answered, failed, mul_cycles, reduce_cycles;
  logic [15:0] lfsr;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  function automatic void fault(string what, logic [31:0] number);
    failed++;
    if (failed <= MostShown) $display("FAIL operation %0d, cycle %0d: %s", number, now, what);
  endfunction

  task automatic reset();
    rst_no = 1'b0;
    req_valid_o = 1'b0;
    req_op_o = 1'b0;
    req_tag_o = '0;
    req_x_o = '0;
    req_y_o = '0;
    rsp_ready_o = 1'b0;
    for (int unsigned i = 0; i < ConstCount; i++) mod_o[i] = '0;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
  endtask

  // What a response of this cycle has to be; `waiting` tells that the cycle before had it too.
  function automatic void check(logic alone, logic waiting);
    automatic pending_t of = pending[0];
    automatic logic [31:0] expected;
    if (pending.size() == 0) begin
      fault("a response nobody asked for", answered);
      return;
    end
    expected = of.reduce ? reduce_cycles : mul_cycles;
    if (rsp_z_i !== of.z) fault($sformatf("z is 0x%0h, not 0x%0h", rsp_z_i, of.z), of.number);
    if (rsp_tag_i !== of.tag) fault($sformatf("tag is 0x%0h, not 0x%0h", rsp_tag_i, of.tag), of.number);
    if (alone && !waiting && now - of.start != expected) begin
      fault($sformatf("took %0d cycles, not %0d", now - of.start, expected), of.number);
    end
  endfunction

  task automatic run(input logic alone);
    automatic int unsigned at = 0;
    automatic logic waiting = 1'b0;
    automatic logic taken;
    automatic pending_t next;
    next = '0;
    pending.delete();
    now = 0;
    last = 0;
    answered = 0;
    lfsr = 16'hace1;
    reset();
    forever begin
      @(posedge clk_o);
      now++;
      lfsr = {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};

      if (rsp_valid_i) begin
        check(alone, waiting);
        waiting = !rsp_ready_o;
        last = now;
        if (rsp_ready_o) begin
          answered++;
          if (pending.size() != 0) void'(pending.pop_front());
        end
      end else if (waiting) begin
        fault("a response that was not taken went away", pending[0].number);
        waiting = 1'b0;
      end
      taken = req_valid_o && req_ready_i;
      if (taken) begin
        next.start = now;
        pending.push_back(next);
        last = now;
      end
      if (now - last > Patience) $fatal(1, "FAIL no response to operation %0d", answered + 1);

      // Everything was seen at the rising edge and is changed at the falling one: no race.
      @(negedge clk_o);
      rsp_ready_o = alone || lfsr[0];
      if (taken) req_valid_o = 1'b0;

      // A request that is not taken holds. A modulus changes only while nothing is under way.
      if (req_valid_o) continue;
      if (pending.size() != 0 && (alone || kind_e'(line[at][1:0]) inside {End, Modulus})) continue;
      unique case (kind_e'(line[at][1:0]))
        Modulus: begin
          mul_cycles = line[at+1][31:0];
          reduce_cycles = line[at+2][31:0];
          for (int unsigned i = 0; i < ConstCount; i++) mod_o[i] = line[at+3+i][OperandBits-1:0];
          at += 3 + ConstCount;
        end
        Mul, Reduce: begin
          next.reduce = (kind_e'(line[at][1:0]) == Reduce);
          next.number++;
          next.tag++;
          next.z = line[next.reduce?at+2 : at+3][OperandBits-1:0];
          req_valid_o = 1'b1;
          req_op_o = next.reduce;
          req_tag_o = next.tag;
          req_x_o = next.reduce ? '0 : line[at+1][OperandBits-1:0];
          req_y_o = line[next.reduce?at+1 : at+2][OperandBits-1:0];
          at += next.reduce ? 3 : 4;
        end
        default: break;
      endcase
    end
    if (answered != Operations) begin
      failed++;
      $display("FAIL %0d operations, not %0d", answered, Operations);
    end
  endtask

  initial begin
    automatic string path = Vectors;
    void'($value$plusargs("vectors=%s", path));
    $readmemh(path, line);
    failed = 0;
    run(1'b1);
    run(1'b0);
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d operations, alone and back to back", Operations);
    $finish;
  end

endmodule
