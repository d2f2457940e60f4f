// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_mod_product, bound in every simulation: which accesses wait and for how long, the data
// of reads, and that every product is correct: its value modulo M, and its range for operands in range.

module perle_mod_product_sva
  import perle_mod_product_pkg::*;
#(
  parameter int unsigned      Width     = 254,
  parameter logic [Width-1:0] Modulus   = '1,
  parameter int unsigned      RadixBits = 2,
  parameter int unsigned      Fast      = 0,
  parameter int unsigned      Latency   = 0,
  parameter int unsigned      RExp      = 260,
  parameter int unsigned      Bits      = 261,
  parameter int unsigned      MultBits  = 261,
  parameter int unsigned      StepBits  = 264,
  parameter int unsigned      SumBits   = 259,
  parameter int unsigned      Steps     = 132,
  parameter int unsigned      Limbs     = 9,
  parameter logic [Width+3:0] Mt        = '1,
  parameter logic [Width-1:0] MHat      = '1
) (
  // the ports are signals of the unit, all of them inputs here
  // verilog_lint: waive-start port-name-suffix
  input logic                clk_i,
  input logic                rst_ni,
  input logic                access_i,
  input logic                ready_o,
  input logic [        31:0] rdata_o,
  input logic                busy_o,
  input logic                defined,
  input logic                taken,
  input logic                read_p,
  input logic                write_b,
  input logic                square,
  input logic                mult_b1,
  input logic [    Bits-1:0] a_q,
  input logic [MultBits-1:0] s_q,
  input logic [    Bits-1:0] b1_now,
  input logic [    Bits-1:0] b3_now,
  input logic [StepBits-1:0] u_now,
  input logic [StepBits-1:0] v_now
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned WideBits = 2 * RExp + 8;
  typedef logic [WideBits-1:0] wide_t;

  localparam wide_t Beta = wide_t'(1) << RExp;
  localparam wide_t Limit = wide_t'(Mt) << 1;

  int unsigned elapsed_q, least_q, most_q;
  logic product_q, legal_q, done;
  wide_t multiplier, expected_q;
  logic [Bits-1:0] before_q;

  assign done = product_q && !busy_o;
  assign multiplier = square ? wide_t'(s_q) : mult_b1 ? wide_t'(b1_now) : wide_t'(b3_now);

  function automatic logic in_range(wide_t value);
    return value < Limit || value == Beta;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      elapsed_q <= 0;
      least_q <= 0;
      most_q <= 0;
      product_q <= 1'b0;
      legal_q <= 1'b0;
      expected_q <= '0;
      before_q <= '0;
    end else begin
      elapsed_q <= elapsed_q + 1;
      if (done) product_q <= 1'b0;
      if (taken) begin
        elapsed_q <= 0;
        product_q <= !read_p && !write_b;
        legal_q <= in_range(wide_t'(a_q)) && in_range(multiplier);
        expected_q <= wide_t'(a_q) * multiplier % wide_t'(Modulus);
        before_q <= a_q;
        least_q <= read_p ? read_cycles(RadixBits) : write_b ? 0 : (Fast != 0) ? Steps + 1 + Latency :
            Steps + Limbs;
        most_q <= read_p ? read_cycles(RadixBits) : write_b ? 0 :
            (Fast != 0) ? Steps + SumBits + 1 + Latency : Steps + Limbs;
      end
    end
  end

  // a defined instruction waits exactly while the unit is busy, an undefined one never
  AssertReady : assert property (@(posedge clk_i) disable iff (!rst_ni) ready_o == (!defined || !busy_o));
  // busy for exactly the cycles of the package
  AssertLeast : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (elapsed_q < least_q) |-> busy_o);
  AssertMost : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (elapsed_q >= most_q) |-> !busy_o);
  // only ReadP returns data
  AssertSilent : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (access_i && !read_p) |-> (rdata_o == '0));
  // the running sum is bounded, so neither of its words overflows
  AssertSum : assert property (@(posedge clk_i) disable iff (!rst_ni)
      product_q |-> (wide_t'(u_now) + wide_t'(v_now) < ((wide_t'(MHat) + wide_t'(before_q)) << 2)));
  // the quotient digit is in u alone
  AssertLow : assert property (@(posedge clk_i) disable iff (!rst_ni) v_now[RadixBits-1:0] == '0);
  // A·B ≡ β·result (mod M), in range, and also in S
  AssertProduct : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (done && legal_q) |-> (wide_t'(a_q) << RExp) % wide_t'(Modulus) == expected_q);
  AssertRange : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (done && legal_q) |-> in_range(wide_t'(a_q)));
  AssertCopied : assert property (@(posedge clk_i) disable iff (!rst_ni) done |-> (MultBits'(a_q) == s_q));

endmodule

bind perle_mod_product perle_mod_product_sva #(
  .Width    (Width),
  .Modulus  (Modulus),
  .RadixBits(RadixBits),
  .Fast     (Fast),
  .Latency  (DetectLatency),
  .RExp     (RExp),
  .Bits     (Bits),
  .MultBits (MultiplierBits),
  .StepBits (StepBits),
  .SumBits  (SumBits),
  .Steps    (Steps),
  .Limbs    (Limbs),
  .Mt       (Mt),
  .MHat     (MHat)
) u_sva (
  .b1_now(Bits'(b1_q)),
  .b3_now(Bits'(b3_q)),
  .u_now ((state_q == StStep) ? u_q[StepBits-1:0] : '0),
  .v_now ((state_q == StStep) ? v_q[StepBits-1:0] : '0),
  .*
);
