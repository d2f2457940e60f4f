// SPDX-License-Identifier: Apache-2.0
//
// The PE chain: PEs 0 … N−1 and the last PE, which also converts out of the Montgomery domain. Only
// neighbours are connected. With Fold > 1 there are N/Fold PEs, which a product passes Fold times before it
// reaches the last PE.
//
//   Z_0 = 0 ;  Z_{i+1} = ⌊Z_i/β⌋ + q_i·M̂ + a_i·B ,  q_i = Z_i mod β ;  V = Z_{N+1}, or its last step with M
//
// Ranges    as perle_stream_element and perle_stream_exit
//           Fold > 1: no product starts where another one has a pass, S·(N + 1) cycles after its previous
//           pass; the inputs are zero where no product starts
// Algorithm beat 0 (head_i) brings a_0; beat s brings a_s, B_{s−1} and M̂_{s−1}. Each PE advances the digits
//           of A by one beat, so that the first digit of the next pass is in beat 0. A last pass does not
//           feed back
// Cycles    line_cycles from beat 0 at PE 0 to beat 0 at the last PE
//
// Parameters
//   Digits, RadixBits   N and k; Fold divides N

module perle_stream_pe_chain
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Digits    = 58,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Fold      = 1,
  localparam int unsigned IndexBits = $clog2(Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 head_i,
  input  logic [RadixBits-1:0] a_i,
  input  logic [RadixBits-1:0] b_i,
  input  logic [RadixBits-1:0] m_i,
  // the last PE requests the digits of M
  output logic                 exit_o,  // beat 0 at the last PE
  input  logic                 reduce_i,
  input  logic [RadixBits-1:0] mprime_i,
  output logic                 active_o,
  output logic [IndexBits-1:0] index_o,
  input  logic [RadixBits-1:0] modulus_i,
  output logic                 push_o,
  output logic                 last_o,
  output logic                 ge_o,
  output logic [RadixBits-1:0] value_o,
  output logic [RadixBits-1:0] diff_o
);

  localparam int unsigned Elements = Digits / Fold;

  typedef logic [RadixBits-1:0] digit_t;

  logic head[Elements+1];
  digit_t z[Elements+1], a[Elements+1], b[Elements+1], m[Elements+1];

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    perle_stream_element #(
      .RadixBits(RadixBits),
      .First    ((i == 0) && (Fold == 1))
    ) u_element (
      .clk_i,
      .rst_ni,
      .head_i(head[i]),
      .z_i   (z[i]),
      .a_i   (a[i]),
      .b_i   (b[i]),
      .m_i   (m[i]),
      .head_o(head[i+1]),
      .z_o   (z[i+1]),
      .a_o   (a[i+1]),
      .b_o   (b[i+1]),
      .m_o   (m[i+1])
    );
  end

  if (Fold == 1) begin : gen_once
    assign head[0] = head_i;
    assign z[0] = '0;
    assign a[0] = a_i;
    assign b[0] = b_i;
    assign m[0] = m_i;
    assign exit_o = head[Elements];

    // the last PE has no digit of A, and nothing follows it
    logic unused;
    assign unused = ^{a[Elements], b[Elements]};
  end else begin : gen_again
    localparam int unsigned Round = turns(Digits, Fold) * (Digits + 1);
    localparam int unsigned BackCycles = Round - ElementCycles * Elements;
    localparam int unsigned LeftBits = $clog2(Fold);

    logic [LeftBits-1:0] left, left_end, left_back;  // passes after this one, in its beat 0
    logic [ElementCycles-1:0] last_q;  // this turn is a last pass, at the last PE
    logic [BackCycles-1:0] back_q;
    logic last_pass, back, fresh, fresh_q;
    digit_t z_back, a_back, b_back, m_back;

    assign back = back_q[BackCycles-1];
    assign head[0] = head_i || back;
    assign z[0] = z_back;
    // with no product coming back, the digits of A at a_back are used ones
    assign fresh = head_i || (fresh_q && !back);
    assign a[0] = fresh ? a_i : a_back;
    assign b[0] = b_i | b_back;
    assign m[0] = m_i | m_back;
    assign left = head_i ? LeftBits'(Fold - 1) : left_back - LeftBits'(1);

    // found one PE earlier, for timing
    if (Elements == 1) begin : gen_at_once
      assign left_end = left;
    end else begin : gen_delayed
      perle_stream_delay #(
        .Bits  (LeftBits),
        .Cycles(ElementCycles * (Elements - 1))
      ) u_left (
        .clk_i,
        .rst_ni,
        .data_i(left),
        .data_o(left_end)
      );
    end
    assign last_pass = last_q[ElementCycles-1];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        last_q <= '1;
        back_q <= '0;
        fresh_q <= 1'b1;
      end else begin
        fresh_q <= fresh;
        last_q <= {last_q[ElementCycles-2:0], head[Elements-1] ? left_end == '0 : last_q[0]};
        back_q <= {back_q[BackCycles-2:0], head[Elements] && !last_pass};
      end
    end

    logic [LeftBits-1:0] left_q[ElementCycles];
    always_ff @(posedge clk_i) begin
      left_q[0] <= left_end;
      for (int unsigned i = 1; i < ElementCycles; i++) left_q[i] <= left_q[i-1];
    end

    perle_stream_delay #(
      .Bits  (LeftBits + 4 * RadixBits),
      .Cycles(BackCycles)
    ) u_back (
      .clk_i,
      .rst_ni,
      .data_i(last_pass ? '0 : {left_q[ElementCycles-1], z[Elements], a[Elements], b[Elements], m[Elements]}),
      .data_o({left_back, z_back, a_back, b_back, m_back})
    );

    // The last PE also processes other passes: ⌊Z/β⌋ + q·M̂ < R with an earlier q, which leaves no carry for
    // the next turn.
    assign exit_o = head[Elements] && last_pass;
  end

  perle_stream_exit #(
    .Digits   (Digits),
    .RadixBits(RadixBits)
  ) u_exit (
    .clk_i,
    .rst_ni,
    .head_i(exit_o),
    .reduce_i,
    .mprime_i,
    .active_o,
    .index_o,
    .modulus_i,
    .z_i   (z[Elements]),
    .m_i   (m[Elements]),
    .push_o,
    .last_o,
    .ge_o,
    .value_o,
    .diff_o
  );

endmodule
