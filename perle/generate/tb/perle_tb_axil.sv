// SPDX-License-Identifier: Apache-2.0
//
// Puts a board through a file of AXI4-Lite accesses, as a host makes them, and compares what it reads; any fault
// ends the simulation with a non-zero exit status.
//
// File  hexadecimal lines: a kind, then its values
//         0  end
//         1  write   number of words, address, value
//         2  check   number of words, address, value that is read there
//         3  wait    for the interrupt
//         4  poll    address, mask: until the masked bits are zero
// +vectors=PATH names another file.
//
// Parameters
//   WordBits        of the data bus
//   LineBits        of the widest value of the file
//   Patience        cycles of the longest operation
//   Checks, Lines   of the file
//   Vectors         the file, as seen from where the simulation runs

module perle_tb_axil #(
  parameter int unsigned WordBits = 64,
  parameter int unsigned LineBits = 128,
  parameter int unsigned Patience = 100000,
  parameter int unsigned Checks   = 1,
  parameter int unsigned Lines    = 8,
  parameter string       Vectors  = "tb/vectors.hex"
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

  typedef enum logic [2:0] {
    End,
    Write,
    Check,
    Wait,
    Poll
  } kind_e;

  localparam int unsigned MostShown = 10;

  logic [LineBits-1:0] line[Lines];
  logic [31:0] idle, checked, failed;

  initial clk_o = 1'b0;
  always #5 clk_o = !clk_o;

  function automatic void fault(string what);
    failed++;
    if (failed <= MostShown) $display("FAIL check %0d: %s", checked, what);
  endfunction

  // To the next rising edge, where everything is seen; it is changed at the falling one: no race. Too many edges
  // with nothing done end the simulation.
  task automatic edge_of(input string what);
    @(posedge clk_o);
    idle++;
    if (idle > 2 * Patience + 1000) $fatal(1, "FAIL after check %0d: %s does not end", checked, what);
  endtask

  task automatic write(input logic [13:0] address, input logic [WordBits-1:0] data);
    automatic logic answered = 1'b0;
    automatic logic aw_taken, w_taken;
    idle = 0;
    awvalid_o = 1'b1;
    awaddr_o = address;
    wvalid_o = 1'b1;
    wdata_o = data;
    while (!answered) begin
      edge_of("a write");
      answered = bvalid_i;
      if (answered && bresp_i != 2'b00) fault($sformatf("write to 0x%0h: bus error %0d", address, bresp_i));
      aw_taken = awready_i;
      w_taken = wready_i;
      @(negedge clk_o);
      if (aw_taken) awvalid_o = 1'b0;
      if (w_taken) wvalid_o = 1'b0;
    end
  endtask

  task automatic read(input logic [13:0] address, output logic [WordBits-1:0] data);
    automatic logic answered = 1'b0;
    automatic logic ar_taken;
    idle = 0;
    arvalid_o = 1'b1;
    araddr_o = address;
    while (!answered) begin
      edge_of("a read");
      answered = rvalid_i;
      data = rdata_i;
      if (answered && rresp_i != 2'b00) fault($sformatf("read of 0x%0h: bus error %0d", address, rresp_i));
      ar_taken = arready_i;
      @(negedge clk_o);
      if (ar_taken) arvalid_o = 1'b0;
    end
  endtask

  task automatic check(
    input logic [31:0] words,
    input logic [13:0] address,
    input logic [LineBits-1:0] value
  );
    automatic logic [WordBits-1:0] got, want;
    for (int unsigned i = 0; i < words; i++) begin
      want = value[i*WordBits+:WordBits];
      read(address + 14'(i * (WordBits / 8)), got);
      if (got !== want) begin
        fault($sformatf("0x%0h reads 0x%0h, not 0x%0h", address + 14'(i * (WordBits / 8)), got, want));
      end
    end
    checked++;
  endtask

  task automatic run();
    automatic int unsigned at = 0;
    automatic logic [WordBits-1:0] got;
    forever begin
      unique case (kind_e'(line[at][2:0]))
        Write: begin
          for (int unsigned i = 0; i < 32'(line[at+1]); i++) begin
            write(14'(line[at+2]) + 14'(i * (WordBits / 8)), line[at+3][i*WordBits+:WordBits]);
          end
          at += 4;
        end
        Check: begin
          check(32'(line[at+1]), 14'(line[at+2]), line[at+3]);
          at += 4;
        end
        Wait: begin
          idle = 0;
          do edge_of("an operation"); while (!irq_i);
          @(negedge clk_o);
          at += 1;
        end
        Poll: begin
          automatic logic [31:0] polls = 0;
          do begin
            read(14'(line[at+1]), got);
            polls++;
            if (polls > Patience) $fatal(1, "FAIL after check %0d: a poll does not end", checked);
          end while ((got & line[at+2][WordBits-1:0]) != '0);
          at += 3;
        end
        default: break;
      endcase
    end
  endtask

  initial begin
    automatic string path = Vectors;
    void'($value$plusargs("vectors=%s", path));
    $readmemh(path, line);
    checked = 0;
    failed = 0;
    rst_no = 1'b0;
    awvalid_o = 1'b0;
    awaddr_o = '0;
    wvalid_o = 1'b0;
    wdata_o = '0;
    bready_o = 1'b1;
    arvalid_o = 1'b0;
    araddr_o = '0;
    rready_o = 1'b1;
    repeat (4) @(negedge clk_o);
    rst_no = 1'b1;
    run();
    if (checked != Checks) fault($sformatf("%0d checks, not %0d", checked, Checks));
    if (failed != 0) $fatal(1, "FAIL %0d faults", failed);
    $display("PASS %0d checks", checked);
    $finish;
  end

endmodule
