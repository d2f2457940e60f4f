// SPDX-License-Identifier: Apache-2.0
//
// e = ⌈n2/w⌉ and f = ⌈n2/v⌉, n2 = n + 2v + 2, of an operation on n bits, and the cycle in which a pass ends.
//
// Ranges    n = bits_i; 0 and more than Width count as Width: a modulus without constants takes no more time
//           than a legal one, and zeroization reaches every word
// Cycles    latency 1, as bits_i is as wide as an operand: its high part is compared with 0 before the
//           register
// Left out  reset
//
// Parameters
//   Width, WordWidth, Elements, Kind   as perle_scalable_mul
//   TickBits, CountBits                bits of e and of f

module perle_scalable_size
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned Width       = 256,
  parameter  int unsigned WordWidth   = 16,
  parameter  int unsigned Elements    = 16,
  parameter  int unsigned Kind        = KindR2,
  parameter  int unsigned TickBits    = 5,
  parameter  int unsigned CountBits   = 9,
  localparam int unsigned OperandBits = words(Width, WordWidth, Kind) * WordWidth
) (
  input  logic                   clk_i,
  input  logic [OperandBits-1:0] bits_i,
  output logic [   TickBits-1:0] top_o,   // e
  output logic [   TickBits-1:0] stop_o,  // the last cycle but one of a pass
  output logic [  CountBits-1:0] count_o  // f
);

  localparam int unsigned LowBits = $clog2(Width + 1);
  localparam int unsigned SumBits = $clog2(extended(Width, Kind) + WordWidth + 1);
  localparam int unsigned SizeBits = (SumBits > CountBits) ? SumBits : CountBits;
  localparam logic [TickBits-1:0] Turn = TickBits'(turn(Elements, WordWidth, Kind) - 1);
  // bits of the high part that are compared with 0 together
  localparam int unsigned Group = 32;
  localparam int unsigned Groups = (OperandBits - LowBits + Group - 1) / Group;

  logic [LowBits-1:0] low_q;
  logic [Groups*Group-1:0] high;
  logic [Groups-1:0] high_q;
  logic [SizeBits-1:0] rounded;
  logic [TickBits-1:0] top;
  logic legal;

  assign high = (Groups * Group)'(bits_i[OperandBits-1:LowBits]);
  // for Width = 2^n − 1 the comparison is constant
  // verilator lint_off CMPCONST
  assign legal = (low_q != '0) && (low_q <= LowBits'(Width)) && (high_q == '0);
  // verilator lint_on CMPCONST
  assign rounded = SizeBits'(low_q) + SizeBits'(extended(0, Kind) + WordWidth - 1);
  assign top = TickBits'(rounded >> $clog2(WordWidth));
  assign top_o = legal ? top : TickBits'(words(Width, WordWidth, Kind));
  assign stop_o = !legal ? TickBits'(period(Width, WordWidth, Elements, Kind) - 2) :
      (top > Turn) ? top - TickBits'(1) : Turn - TickBits'(1);
  assign count_o = legal ?
      CountBits'((SizeBits'(low_q) + SizeBits'(extended(0, Kind) + radix_bits(Kind) - 1)) >>
                 (radix_bits(Kind) - 1)) :
      CountBits'(digits(Width, Kind));

  always_ff @(posedge clk_i) begin
    low_q <= bits_i[LowBits-1:0];
    for (int unsigned g = 0; g < Groups; g++) high_q[g] <= (high[Group*g+:Group] != '0);
  end

endmodule
