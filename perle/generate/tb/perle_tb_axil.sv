// SPDX-License-Identifier: Apache-2.0
//
// Puts a board through a file of AXI4-Lite accesses, as a host makes them, and compares what it reads; any fault
// ends the simulation with a non-zero exit status. Inputs that say nothing are X: whoever looks at them is found out
// by a simulator that knows X. Written for simulators that read little SystemVerilog, too.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  write   number of words, address, value
//         2  check   number of words, address, value that is read there
//         3  wait    for the interrupt
//         4  poll    address, mask: until the masked bits are zero
// It is tb/vectors.hex, as seen from where the simulation runs; +vectors=PATH names another one.
//
// Parameters
//   WordBits        of the data bus
//   LineBits        of the widest value of the file
//   Patience        cycles of the longest operation
//   Checks, Lines   of the file

module perle_tb_axil #(
  parameter int WordBits = 64,
  parameter int LineBits = 128,
  parameter int Patience = 100000,
  parameter int Checks   = 1,
  parameter int Lines    = 8
) (
  output logic                   clk_o,
  output logic                   rst_no,
  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic [13:0]            awaddr_o,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  output logic [WordBits-1:0]    wdata_o,
  input  logic                   bvalid_i,
  output logic                   bready_o,
  input  logic [1:0]             bresp_i,
  output logic                   arvalid_o,
  input  logic                   arready_i,
  output logic [13:0]            araddr_o,
  input  logic                   rvalid_i,
  output logic                   rready_o,
  input  logic [WordBits-1:0]    rdata_i,
  input  logic [1:0]             rresp_i,
  input  logic                   irq_i
);

  localparam logic [31:0] Write = 32'd1;
  localparam logic [31:0] Check = 32'd2;
  localparam logic [31:0] Wait = 32'd3;
  localparam logic [31:0] Poll = 32'd4;

  localparam int MostShown = 10;

  logic [LineBits-1:0] line[Lines];
  logic [31:0] idle, checked, failed, at, kind, polls;
  logic [WordBits-1:0] got;
  logic [13:0] place;
  logic answered, aw_taken, w_taken, ar_taken, done;
  string path;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  task automatic fault(input string what);
    failed = failed + 1;
    if (failed <= MostShown) $display("FAIL check %0d: %s", checked, what);
  endtask

  // To the next rising edge, where everything is seen; it is changed at the falling one: no race. Too many edges
  // with nothing done end the simulation, as does a handshake that is neither 0 nor 1.
  task automatic rising(input string what);
    @(posedge clk_o);
    idle = idle + 1;
    if (idle > 2 * Patience + 1000) $fatal(1, "FAIL after check %0d: %s does not end", checked, what);
    if ((awready_i ^ wready_i ^ bvalid_i ^ arready_i ^ rvalid_i ^ irq_i) === 1'bx) begin
      $fatal(1, "FAIL after check %0d: X in a handshake of %s", checked, what);
    end
  endtask

  task automatic write(input logic [13:0] address, input logic [WordBits-1:0] data);
    idle = 0;
    answered = 1'b0;
    awvalid_o = 1'b1;
    awaddr_o = address;
    wvalid_o = 1'b1;
    wdata_o = data;
    while (!answered) begin
      rising("a write");
      answered = bvalid_i;
      if (answered && bresp_i !== 2'b00) fault($sformatf("write to 0x%0h: bus error %0d", address, bresp_i));
      aw_taken = awready_i;
      w_taken = wready_i;
      @(negedge clk_o);
      if (aw_taken) begin
        awvalid_o = 1'b0;
        awaddr_o = 'x;
      end
      if (w_taken) begin
        wvalid_o = 1'b0;
        wdata_o = 'x;
      end
    end
  endtask

  task automatic read(input logic [13:0] address);
    idle = 0;
    answered = 1'b0;
    arvalid_o = 1'b1;
    araddr_o = address;
    while (!answered) begin
      rising("a read");
      answered = rvalid_i;
      got = rdata_i;
      if (answered && rresp_i !== 2'b00) fault($sformatf("read of 0x%0h: bus error %0d", address, rresp_i));
      ar_taken = arready_i;
      @(negedge clk_o);
      if (ar_taken) begin
        arvalid_o = 1'b0;
        araddr_o = 'x;
      end
    end
  endtask

  task automatic check(input logic [13:0] address, input logic [WordBits-1:0] want);
    read(address);
    if (got !== want) fault($sformatf("0x%0h reads 0x%0h, not 0x%0h", address, got, want));
  endtask

  task automatic poll(input logic [13:0] address, input logic [WordBits-1:0] mask);
    polls = 0;
    read(address);
    while ((got & mask) !== '0) begin
      read(address);
      polls = polls + 1;
      if (polls > Patience) $fatal(1, "FAIL after check %0d: a poll does not end", checked);
    end
  endtask

  // Of a value of several words, those that follow each other from the address on.
  task automatic words(input logic writing);
    for (int unsigned i = 0; i < 32'(line[at+1]); i++) begin
      place = 14'(line[at+2]) + 14'(i * (WordBits / 8));
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
      idle = 0;
      rising("an operation");
      while (!irq_i) rising("an operation");
      @(negedge clk_o);
      at = at + 1;
    end else if (kind == Poll) begin
      poll(14'(line[at+1]), WordBits'(line[at+2]));
      at = at + 3;
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
    awvalid_o = 1'b0;
    awaddr_o = 'x;
    wvalid_o = 1'b0;
    wdata_o = 'x;
    bready_o = 1'b1;
    arvalid_o = 1'b0;
    araddr_o = 'x;
    rready_o = 1'b1;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
    while (!done) step;
    if (checked != Checks) fault($sformatf("%0d checks, not %0d", checked, Checks));
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d checks", checked);
    $finish;
  end

endmodule
