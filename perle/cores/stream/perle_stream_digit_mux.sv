// SPDX-License-Identifier: Apache-2.0
//
// Digit `index_i` of a constant of a context, read from `mod_i` directly.
//
//   digit_o = digit index_i of context ctx_i with valid_i, else 0
//
// Ranges    index_i < Digits with valid_i
// Algorithm selects one digit of every group and context, then one of these; each group has its own copy of
//           the index
// Cycles    latency DigitMuxCycles of perle_stream_pkg (3), one digit per cycle
// Left out  a register for the constant: it is stable while an operation of its context is in flight
//
// Parameters
//   Digits, RadixBits   N and k
//   Contexts            moduli

module perle_stream_digit_mux #(
  parameter  int unsigned Digits    = 58,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Contexts  = 1,
  localparam int unsigned CtxBits   = (Contexts > 1) ? $clog2(Contexts) : 1,
  localparam int unsigned IndexBits = $clog2(Digits)
) (
  input  logic                                           clk_i,
  input  logic [Contexts-1:0][Digits-1:0][RadixBits-1:0] constant_i,
  input  logic                                           valid_i,
  input  logic [ CtxBits-1:0]                            ctx_i,
  input  logic [IndexBits-1:0]                           index_i,
  output logic [RadixBits-1:0]                           digit_o
);

  localparam int unsigned MuxGroup = 8;
  localparam int unsigned Groups = (Digits + MuxGroup - 1) / MuxGroup;
  localparam int unsigned LowBits = $clog2(MuxGroup);
  localparam int unsigned WideBits = ((IndexBits > LowBits) ? IndexBits : LowBits) + 1;

  logic [WideBits-1:0] index;
  logic [WideBits-LowBits-1:0] group_q[2];
  logic [CtxBits-1:0] ctx_q[2];
  logic valid_q[2];
  logic [Contexts-1:0][Groups-1:0][RadixBits-1:0] chosen_q;

  assign index = WideBits'(index_i);

  always_ff @(posedge clk_i) begin
    group_q[0] <= index[WideBits-1:LowBits];
    ctx_q[0] <= ctx_i;
    valid_q[0] <= valid_i;
    group_q[1] <= group_q[0];
    ctx_q[1] <= ctx_q[0];
    valid_q[1] <= valid_q[0];
    digit_o <= '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        if (valid_q[1] && (ctx_q[1] == CtxBits'(c)) && (group_q[1] == (WideBits - LowBits)'(g))) begin
          digit_o <= chosen_q[c][g];
        end
      end
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned First = g * MuxGroup;
    localparam int unsigned Count = (First + MuxGroup < Digits) ? MuxGroup : Digits - First;
    (* keep *) logic [LowBits-1:0] low_q;

    always_ff @(posedge clk_i) low_q <= index[LowBits-1:0];
    for (genvar c = 0; c < Contexts; c++) begin : gen_context
      logic [MuxGroup-1:0][RadixBits-1:0] group;
      assign group = (MuxGroup * RadixBits)'(constant_i[c][First+:Count]);
      always_ff @(posedge clk_i) chosen_q[c][g] <= group[low_q];
    end
  end

endmodule
