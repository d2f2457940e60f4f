// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_bus_mul, bound in every simulation: which accesses wait and for how long, the output
// word of each step, and that reads return it one step later.

module perle_bus_mul_sva
  import perle_bus_mul_pkg::*;
#(
  parameter int unsigned Words    = 16,
  parameter int unsigned Variable = 0,
  parameter int unsigned WordBits = 32,
  parameter int unsigned Bits     = 512
) (
  // the ports are signals of the core, all of them inputs here
  // verilog_lint: waive-start port-name-suffix
  input logic                clk_i,
  input logic                rst_ni,
  input logic                access_i,
  input logic                write_i,
  input logic [AddrBits-1:0] addr_i,
  input logic [WordBits-1:0] data,
  input logic                ready_o,
  input logic [DataBits-1:0] rdata_o,
  input logic                busy_o,
  input logic [    Bits-1:0] a,
  input logic [    Bits-1:0] sum,
  input logic [    Bits-1:0] carry
  // verilog_lint: waive-stop port-name-suffix
);

  int unsigned left_q, count_q, position_q;
  logic select_a_q, loading_q, running_q, begun_q;
  logic taken, start, step_end;
  logic [WordBits-1:0] b_pre_q, b_q, now, word_q, final_q;

  assign taken = access_i && ready_o;
  assign start = taken && write_i && (addr_i == AddrWriteS);
  assign step_end = running_q && (left_q == 1);

  // the output word of a step, from the state of the row when the step begins
  always_comb begin
    now = WordBits'(sum >> (position_q * WordBits)) + WordBits'(carry >> (position_q * WordBits));
    if (!loading_q) now += WordBits'(a >> (position_q * WordBits)) * b_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= 0;
      count_q <= Words;
      position_q <= 0;
      select_a_q <= 1'b0;
      loading_q <= 1'b0;
      running_q <= 1'b0;
      begun_q <= 1'b0;
      b_pre_q <= '0;
      b_q <= '0;
      word_q <= '0;
      final_q <= '0;
    end else begin
      if (taken && write_i && (addr_i == AddrWriteA)) begin
        b_pre_q <= data;
        select_a_q <= 1'b1;
        count_q <= !select_a_q ? 1 : (count_q < Words) ? count_q + 1 : Words;
      end
      if (taken && write_i && (addr_i == AddrWriteB)) begin
        b_pre_q <= data;
        select_a_q <= 1'b0;
      end
      if (start) begin
        running_q <= 1'b1;
        left_q <= step_cycles(WordBits);
        loading_q <= select_a_q;
        b_q <= b_pre_q;
        if (Variable != 0 && !select_a_q) position_q <= Words - length(Words, count_q);
        final_q <= word_q;
      end else if (step_end) begin
        running_q <= 1'b0;
      end
      if (running_q && !start) left_q <= left_q - 1;
      begun_q <= start;
      if (begun_q) word_q <= now;
    end
  end

  // a WriteS waits for the last cycle of the current step; nothing else waits
  AssertWait : assert property (@(posedge clk_i) disable iff (!rst_ni)
      access_i |-> (ready_o == !(write_i && addr_i == AddrWriteS && left_q > 1)));
  AssertBusy : assert property (@(posedge clk_i) disable iff (!rst_ni) busy_o == running_q);
  AssertRead : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (taken && !write_i) |-> (rdata_o == ((addr_i == AddrReadP) ? DataBits'(final_q) : '0)));

endmodule

bind perle_bus_mul perle_bus_mul_sva #(
  .Words   (Words),
  .Variable(Variable),
  .WordBits(WordBits),
  .Bits    (Words * WordBits)
) u_sva (
  .*,
  .data (wdata_i[WordBits-1:0]),
  .a    (u_row.a_q),
  .sum  (u_row.sum_q),
  .carry(u_row.carry_q)
);
