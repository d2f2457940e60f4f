// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_reg_mul, bound in every simulation: undefined instructions are accepted immediately,
// Charge and Mult keep the board busy for the cycles of perle_reg_mul_pkg, no access waits much longer, no
// access overtakes a pending read or write, and a Charge multiplies by zero.

module perle_reg_mul_sva
  import perle_reg_mul_pkg::*;
#(
  parameter int unsigned Width        = 256,
  parameter int unsigned Registers    = 32,
  parameter int unsigned BitsPerCycle = 1,
  parameter int unsigned WordBits     = 32
) (
  // the ports are signals of the core, all of them inputs here
  // verilog_lint: waive-start port-name-suffix
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    access_i,
  input logic                    write_i,
  input logic [    AddrBits-1:0] addr_i,
  input logic                    ready_o,
  input logic [            31:0] rdata_o,
  input logic                    busy_o,
  input logic                    to_register,
  input logic                    to_multiply,
  input logic                    starts,
  input logic                    clearing,
  input logic                    fetch,
  input logic                    host_we,
  input logic                    engine_req,
  input logic                    step,
  input logic                    mult,
  input logic [             4:0] host_register,
  input instruction_t            running,
  input logic [BitsPerCycle-1:0] b
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Segments = Width / WordBits;
  localparam int unsigned ClearBusy = Registers * Segments;
  localparam int unsigned MultBusy = mult_busy(Width, BitsPerCycle);
  localparam int unsigned ChargeBusy = charge_busy(Width, BitsPerCycle, Segments);
  localparam int unsigned Longest = (ClearBusy > ChargeBusy) ? ClearBusy : ChargeBusy + MultBusy;

  int unsigned busy_q, waited_q;

  logic unused_op;
  assign unused_op = ^running.op;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= ClearBusy;
      waited_q <= 0;
    end else begin
      if (starts) busy_q <= busy_after();
      else if (busy_q != 0) busy_q <= busy_q - 1;
      waited_q <= (access_i && !ready_o) ? waited_q + 1 : 0;
    end
  end

  function automatic int unsigned busy_after();
    return (addr_i[AddrBits-1-:2] == OpMult) ? MultBusy : ChargeBusy;
  endfunction

  AssertBusy : assert property (@(posedge clk_i) disable iff (!rst_ni) busy_o == (busy_q != 0));
  AssertWait : assert property (@(posedge clk_i) disable iff (!rst_ni) waited_q <= Longest + 2);
  AssertUndefined : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (!to_register && !to_multiply) |-> (ready_o && rdata_o == '0));
  AssertOnePort : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(engine_req && (fetch || host_we)));
  AssertNothingStale : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (fetch || host_we) |-> !(busy_o && running.p.valid && running.p.index == host_register));
  AssertSourceKept : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (host_we && busy_o) |-> !((running.x.valid && running.x.index == host_register) ||
                                (running.y.valid && running.y.index == host_register)));
  AssertClearing : assert property (@(posedge clk_i) disable iff (!rst_ni)
      clearing |-> !(fetch || host_we));
  AssertChargeByZero : assert property (@(posedge clk_i) disable iff (!rst_ni) (step && !mult) |-> (b == '0));
  AssertHeld : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (access_i && !ready_o) |=> (access_i && $stable(addr_i) && $stable(write_i)));

endmodule

bind perle_reg_mul perle_reg_mul_sva #(
  .Width       (Width),
  .Registers   (Registers),
  .BitsPerCycle(BitsPerCycle),
  .WordBits    (WordBits)
) u_sva (
  .*
);
