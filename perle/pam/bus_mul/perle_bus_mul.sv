// SPDX-License-Identifier: Apache-2.0
//
// The bus multiplier: 512 bits × digits of 32 bits, operands and product over the bus.
//
//   C_out + P_0…n+15 ← S_0…n+15 + A_0…15 × B_0…n−1
//
// Ranges    A in [0, 2^N), N = Words·WordBits; any digits of B and S. P stays in [0, 2^(N+1)): if P is in range,
//           P + A·B + S·2^N <= 2^(N+1) − 1 + (2^N − 1)(2^k − 1) + (2^k − 1)·2^N = 2^(N+1+k) − 2^k, k = WordBits.
//           Bit N is C_out; unless steps with S = 0 shift it out, it is added to the next S
// Algorithm shand1990 section 4.1. Two input buffers, one step for each WriteS:
//             WriteA(x)   B_pre ← x ; Select ← A
//             WriteB(x)   B_pre ← x ; Select ← B
//             WriteS(x)   P_final ← P_out ; B ← B_pre ; S ← x ; then, by Select,
//                         A:  P_out : P ← P + S·2^N          (P ← the upper words, P_out ← the lowest)
//                             A ← (A + B·2^N) >> k
//                         B:  P_out : P ← P + A·B + S·2^N
//             ReadP       returns P_final: the output word of the step before the last WriteS
// Cycles    WordBits per step. A WriteS waits for the current step and is accepted in its last cycle, so steps
//           follow each other without a gap; every other instruction is accepted immediately, ReadP too, since
//           P_final does not change during a step. Time does not depend on data
// Left out  reading back S, A or B; a register for the carry of a product
//
// Parameters
//   Words      words of A (Variable: the maximum)
//   Variable   0: A has Words words, 1: as many as WriteAs since the last WriteB
//   WordBits   bits of a word; upper data bits are ignored, and read as 0

module perle_bus_mul
  import perle_bus_mul_pkg::*;
#(
  parameter int unsigned Words    = 16,
  parameter int unsigned Variable = 0,
  parameter int unsigned WordBits = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                access_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] addr_i,
  input  logic [DataBits-1:0] wdata_i,
  output logic                ready_o,
  output logic [DataBits-1:0] rdata_o,
  output logic                busy_o
);

  localparam int unsigned LeftBits = $clog2(WordBits + 1);

  logic [WordBits-1:0] b_pre_q, b_q, s_q, p_out_q, p_out_d, p_final_q;
  logic [LeftBits-1:0] left_q;
  logic select_a_q, loading_q;
  logic write_a, write_b, write_s, read_p, start;
  logic [Words-1:0] tap;
  logic out;

  assign write_a = access_i && write_i && (addr_i == AddrWriteA);
  assign write_b = access_i && write_i && (addr_i == AddrWriteB);
  assign write_s = access_i && write_i && (addr_i == AddrWriteS);
  assign read_p = !write_i && (addr_i == AddrReadP);

  assign busy_o = (left_q != '0);
  assign ready_o = !write_s || (left_q <= LeftBits'(1));
  assign start = write_s && ready_o;
  assign rdata_o = read_p ? DataBits'(p_final_q) : '0;

  perle_bus_mul_row #(
    .Words   (Words),
    .WordBits(WordBits)
  ) u_row (
    .clk_i,
    .rst_ni,
    .step_i(busy_o),
    .load_i(loading_q),
    .b_i   (b_q[0]),
    .s_i   (s_q[0]),
    .tap_o (tap)
  );

  if (Variable != 0) begin : gen_variable
    perle_bus_mul_length #(
      .Words(Words)
    ) u_length (
      .clk_i,
      .rst_ni,
      .write_a_i (write_a),
      .select_a_i(select_a_q),
      .start_i   (start),
      .tap_i     (tap),
      .bit_o     (out)
    );
  end else begin : gen_fixed
    logic unused;
    assign out = tap[0];
    assign unused = ^tap;
  end

  if (WordBits < DataBits) begin : gen_narrow
    logic unused;
    assign unused = ^wdata_i[DataBits-1:WordBits];
  end

  // the output word with the bit of this cycle: complete in the last cycle of a step
  assign p_out_d = busy_o ? WordBits'({out, p_out_q} >> 1) : p_out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_pre_q <= '0;
      b_q <= '0;
      s_q <= '0;
      p_out_q <= '0;
      p_final_q <= '0;
      left_q <= '0;
      select_a_q <= 1'b0;
      loading_q <= 1'b0;
    end else begin
      p_out_q <= p_out_d;
      if (write_a || write_b) begin
        b_pre_q <= wdata_i[WordBits-1:0];
        select_a_q <= write_a;
      end
      if (start) begin
        p_final_q <= p_out_d;
        b_q <= b_pre_q;
        s_q <= wdata_i[WordBits-1:0];
        loading_q <= select_a_q;
        left_q <= LeftBits'(step_cycles(WordBits));
      end else if (busy_o) begin
        b_q <= b_q >> 1;
        s_q <= s_q >> 1;
        left_q <= left_q - LeftBits'(1);
      end
    end
  end

endmodule
