// SPDX-License-Identifier: Apache-2.0
//
// The semi-systolic row: N processing elements, the top position, and the carry resolution.
//
//   S = Σ (s_j + 2^k·c_j)·2^(k·j), j = 0 … N−1, plus the top digit s_N
//
// Ranges    S < 2^(k(N+1)) throughout, because S <= β·(M̂ + A); the top position therefore never carries
// Algorithm tang2003 slides 15–20: the broadcast digit x and the micro-operation reach all elements at
//           once, sums and high halves only travel between neighbours
// Cycles    see perle_orup_mul, which issues the micro-operations
//
// Parameters
//   Digits          N, elements (multipliers)
//   RadixBits       k
//   ChainSegments   pieces of the carry chain

module perle_orup_row
  import perle_orup_pkg::*;
#(
  parameter  int unsigned Digits        = 62,
  parameter  int unsigned RadixBits     = 17,
  parameter  int unsigned ChainSegments = 4,
  localparam int unsigned SegmentBits   = (ChainSegments > 1) ? $clog2(ChainSegments) : 1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  pe_op_e                               op_i,
  input  x_sel_e                               x_sel_i,
  input  logic                                 mul_en_i,
  input  logic   [RadixBits-1:0]               digit_i,
  input  logic   [   Digits-1:0][RadixBits-1:0] y_i,
  // carry resolution: chain_i resolves one segment, resolved_i selects the resolved carries for PeCarry
  input  logic                                 chain_i,
  input  logic   [SegmentBits-1:0]             segment_i,
  input  logic                                 resolved_i,
  output logic   [   Digits-1:0][RadixBits-1:0] s_o
);

  logic [RadixBits-1:0] x;
  logic [RadixBits-1:0] s[Digits+1];
  logic [RadixBits-1:0] hi[Digits+1];
  logic [RadixBits-1:0] lo[Digits];
  logic [2:0] c[Digits];
  logic [Digits-1:0] generates, propagates, carry;

  always_comb begin
    unique case (x_sel_i)
      XDigit: x = digit_i;
      XSum: x = s[0];
      XQuotient: x = lo[0];
      default: x = RadixBits'(1);
    endcase
  end

  assign hi[0] = '0;

  for (genvar j = 0; j < Digits; j++) begin : gen_pe
    logic [2:0] c_below;
    if (j == 0) begin : gen_first
      assign c_below = resolved_i ? 3'(carry[0]) : '0;
    end else begin : gen_other
      assign c_below = resolved_i ? 3'(carry[j]) : c[j-1];
    end

    perle_orup_pe #(
      .RadixBits(RadixBits)
    ) u_pe (
      .clk_i,
      .rst_ni,
      .op_i,
      .mul_en_i,
      .x_i       (x),
      .y_i       (y_i[j]),
      .s_above_i (s[j+1]),
      .hi_below_i(hi[j]),
      .c_below_i (c_below),
      .lo_o      (lo[j]),
      .hi_o      (hi[j+1]),
      .s_o       (s[j]),
      .c_o       (c[j])
    );

    assign s_o[j] = s[j];
    assign generates[j] = c[j][0];
    assign propagates[j] = &s[j];
  end

  // The top position needs no multiplier: its own digits of A and M̂ are zero.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s[Digits] <= '0;
    end else begin
      unique case (op_i)
        PeClear, PeShift: s[Digits] <= '0;
        PeShiftAdd: s[Digits] <= hi[Digits];
        PeAdd: s[Digits] <= s[Digits] + hi[Digits];
        default: ;
      endcase
    end
  end

  perle_orup_chain #(
    .Digits  (Digits),
    .Segments(ChainSegments)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .step_i     (chain_i),
    .segment_i,
    .generate_i (generates),
    .propagate_i(propagates),
    .carry_o    (carry)
  );

endmodule
