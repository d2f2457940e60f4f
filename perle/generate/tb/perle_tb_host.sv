// SPDX-License-Identifier: Apache-2.0
//
// Testbench: makes a host's accesses from a file and compares the words that it reads; any mismatch ends the
// simulation with a non-zero exit status. Other modules convert the accesses to a bus. Inputs that are not
// valid are driven to X, so that a four-state simulator shows any use of them. Uses only the subset of
// SystemVerilog that simple simulators support.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  write   number of words, address, value
//         2  check   number of words, address, value expected there
//         3  wait    mask of lanes: until all of their interrupts are 1
//         4  poll    address, mask: read until the masked bits are zero
//         5  refuse  address, 1 to write and 0 to read: the bus must respond with an error
// The file is tb/vectors.hex, relative to the directory of the simulation; +vectors=PATH names another one.
//
// Access  req_o with write_o, addr_o and wdata_o until the edge where ack_i is 1, with error_i and rdata_i
//
// Parameters
//   WordBits        bits of the data bus
//   AddrBits        bits of an address
//   Lanes           lanes, each with an interrupt
//   LineBits        bits of the widest value in the file
//   Patience        cycles of the longest operation
//   Checks, Lines   checks and lines in the file

module perle_tb_host #(
  parameter int WordBits = 64,
  parameter int AddrBits = 14,
  parameter int Lanes    = 1,
  parameter int LineBits = 128,
  parameter int Patience = 100000,
  parameter int Checks   = 1,
  parameter int Lines    = 8
) (
  output logic                clk_o,
  output logic                rst_no,
  output logic                req_o,
  output logic                write_o,
  output logic [AddrBits-1:0] addr_o,
  output logic [WordBits-1:0] wdata_o,
  input  logic                ack_i,
  input  logic                error_i,
  input  logic [WordBits-1:0] rdata_i,
  input  logic [Lanes-1:0]    irq_i
);

  localparam logic [31:0] Write = 32'd1;
  localparam logic [31:0] Check = 32'd2;
  localparam logic [31:0] Wait = 32'd3;
  localparam logic [31:0] Poll = 32'd4;
  localparam logic [31:0] Refuse = 32'd5;

  localparam int MostShown = 10;

  logic [LineBits-1:0] line[Lines];
  logic [31:0] idle, checked, failed, at, kind, polls;
  logic [WordBits-1:0] got;
  logic [AddrBits-1:0] place;
  logic [Lanes-1:0] lanes;
  logic answered, wrong, done;
  string path;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  task automatic fault(input string what);
    failed = failed + 1;
    if (failed <= MostShown) $display("FAIL check %0d: %s", checked, what);
  endtask

  // Waits for the next rising edge. Signals are sampled there and driven at the falling one, which avoids
  // races. A timeout ends the simulation, as does an X in a handshake.
  task automatic rising(input string what);
    @(posedge clk_o);
    idle = idle + 1;
    if (idle > 2 * Patience + 1000) $fatal(1, "FAIL after check %0d: %s does not end", checked, what);
    if ((ack_i ^ (^irq_i)) === 1'bx) begin
      $fatal(1, "FAIL after check %0d: X in a handshake of %s", checked, what);
    end
  endtask

  task automatic access(input logic writing, input logic [AddrBits-1:0] address,
                        input logic [WordBits-1:0] data);
    idle = 0;
    answered = 1'b0;
    req_o = 1'b1;
    write_o = writing;
    addr_o = address;
    wdata_o = data;
    while (!answered) begin
      rising("an access");
      answered = ack_i;
      got = rdata_i;
      wrong = (error_i !== 1'b0);
      @(negedge clk_o);
    end
    req_o = 1'b0;
    write_o = 1'bx;
    addr_o = 'x;
    wdata_o = 'x;
  endtask

  task automatic write(input logic [AddrBits-1:0] address, input logic [WordBits-1:0] data);
    access(1'b1, address, data);
    if (wrong) fault($sformatf("write to 0x%0h: bus error", address));
  endtask

  task automatic read(input logic [AddrBits-1:0] address);
    access(1'b0, address, 'x);
    if (wrong) fault($sformatf("read of 0x%0h: bus error", address));
  endtask

  task automatic check(input logic [AddrBits-1:0] address, input logic [WordBits-1:0] want);
    read(address);
    if (got !== want) fault($sformatf("0x%0h reads 0x%0h, not 0x%0h", address, got, want));
  endtask

  task automatic poll(input logic [AddrBits-1:0] address, input logic [WordBits-1:0] mask);
    polls = 0;
    read(address);
    while ((got & mask) !== '0) begin
      read(address);
      polls = polls + 1;
      if (polls > Patience) $fatal(1, "FAIL after check %0d: a poll does not end", checked);
    end
  endtask

  task automatic refuse(input logic writing, input logic [AddrBits-1:0] address);
    access(writing, address, '0);
    if (!wrong) fault($sformatf("access to 0x%0h: no bus error", address));
  endtask

  task automatic interrupts;
    idle = 0;
    rising("an operation");
    while ((irq_i & lanes) != lanes) rising("an operation");
    @(negedge clk_o);
  endtask

  // Writes or checks a value of several words at consecutive addresses.
  task automatic words(input logic writing);
    for (int unsigned i = 0; i < 32'(line[at+1]); i++) begin
      place = AddrBits'(line[at+2]) + AddrBits'(i * (WordBits / 8));
      if (writing) write(place, line[at+3][i*WordBits+:WordBits]);
      else check(place, line[at+3][i*WordBits+:WordBits]);
    end
    at = at + 4;
  endtask

  task automatic step;
    kind = 32'(line[at]);
    if (kind == Write) begin
      words(1'b1);
    end else if (kind == Check) begin
      words(1'b0);
      checked = checked + 1;
    end else if (kind == Wait) begin
      lanes = Lanes'(line[at+1]);
      interrupts;
      at = at + 2;
    end else if (kind == Poll) begin
      poll(AddrBits'(line[at+1]), WordBits'(line[at+2]));
      at = at + 3;
    end else if (kind == Refuse) begin
      refuse(line[at+2][0], AddrBits'(line[at+1]));
      at = at + 3;
      checked = checked + 1;
    end else begin
      done = 1'b1;
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", path)) path = "tb/vectors.hex";
    $readmemh(path, line, 0, Lines - 1);
    checked = 0;
    failed = 0;
    at = 0;
    done = 1'b0;
    rst_no = 1'b0;
    req_o = 1'b0;
    write_o = 1'bx;
    addr_o = 'x;
    wdata_o = 'x;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
    while (!done) step;
    if (checked != Checks) fault($sformatf("%0d checks, not %0d", checked, Checks));
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d checks", checked);
    $finish;
  end

endmodule
