// SPDX-License-Identifier: Apache-2.0
//
// Row of nedjah2002 Figs. 7 to 9 with one product in flight: operations, ranges and parameters as
// perle_bit_systolic_mul.
//
// Algorithm A, B, M, M + B and S are registers; M + B is added in the one extra cycle of section 5, by one
//           carry chain. Row i is in column j in cycle 2 + 2i + j. The flag `valid` moves from column to
//           column with a row; without it a column keeps its bit of S, so that after the last row S is the
//           result. OpReduce, which the paper does not have, is the product by A = 1, or by 0 if y = M, the
//           only y below 2·M whose product is M; they are compared while M + B is added
// Cycles    latency 3n + 3 for either operation: 1 load, 1 to add M + B, 2n + 1 + n from row 0 in column 0 to
//           row n in column n. The next request is accepted in the cycle in which the response is accepted
//
// Parameters
//   Width, Contexts, TagBits   as perle_bit_systolic_mul

module perle_bit_systolic_single
  import perle_pkg::*;
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned OperandBits = operand_bits(Width),
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                    req_valid_i,
  output logic                                                    req_ready_o,
  input  mul_op_e                                                 req_op_i,
  input  logic    [ CtxBits-1:0]                                  req_ctx_i,
  input  logic    [ TagBits-1:0]                                  req_tag_i,
  input  logic    [OperandBits-1:0]                               req_x_i,
  input  logic    [OperandBits-1:0]                               req_y_i,
  output logic                                                    rsp_valid_o,
  input  logic                                                    rsp_ready_i,
  output logic    [ TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                               rsp_z_o
);

  localparam int unsigned Last = single_cycles(Width) - 2;  // the count in the last cycle before the response
  localparam int unsigned CountBits = $clog2(Last + 1);

  logic busy_q, rows_q, reduce_q, load, clear, row;
  logic [CountBits-1:0] count_q;
  logic [OperandBits-1:0] a_q, b_q, m_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [OperandBits:0] mb_q;  // column 0 does not use its bit
  // verilator lint_on UNUSEDSIGNAL
  // signals of a row: column j gets them from column j − 1, a cycle later
  logic [OperandBits:0] valid, a, q, carry;
  logic [OperandBits:1] valid_q, row_a_q, row_q_q, carry_q;
  // S: bit j − 1 is computed in column j; the carry of the last column is bit n
  logic [OperandBits:1] s_q, s, x;
  logic top_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [OperandBits+1:1] above;  // bit of S from the next higher column
  // verilator lint_on UNUSEDSIGNAL

  assign req_ready_o = !busy_q && (!rsp_valid_o || rsp_ready_i);
  assign load = req_valid_i && req_ready_o;
  assign clear = rsp_valid_o && rsp_ready_i;
  assign rsp_z_o = s_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      rows_q <= 1'b0;
      reduce_q <= 1'b0;
      count_q <= '0;
      rsp_valid_o <= 1'b0;
      rsp_tag_o <= '0;
    end else begin
      if (load) begin
        reduce_q <= (req_op_i == OpReduce);
        rsp_tag_o <= req_tag_i;
      end
      busy_q <= load || (busy_q && count_q != CountBits'(Last));
      count_q <= busy_q ? count_q + CountBits'(1) : '0;
      rows_q <= busy_q && (count_q < CountBits'(2 * OperandBits + 1));
      rsp_valid_o <= (busy_q && count_q == CountBits'(Last)) || (rsp_valid_o && !rsp_ready_i);
    end
  end

  // a row starts in every second cycle from cycle 2 on, in which the count is 1
  assign row = rows_q && count_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      b_q <= '0;
      m_q <= '0;
      mb_q <= '0;
    end else begin
      if (load) begin
        a_q <= (req_op_i == OpReduce) ? OperandBits'(1) : req_x_i;
        b_q <= req_y_i;
        m_q <= mod_i[req_ctx_i][ConstM];
      end else if (row) begin
        a_q <= a_q >> 1;
      end
      if (busy_q && count_q == '0) begin
        mb_q <= {1'b0, m_q} + {1'b0, b_q};
        if (reduce_q && m_q == b_q) a_q[0] <= 1'b0;
      end
    end
  end

  // column 0: its sum is zero, its carry s_0
  assign valid = {valid_q, row};
  assign a = {row_a_q, a_q[0]};
  assign q = {row_q_q, s_q[1] ^ (a_q[0] & b_q[0])};
  assign carry[0] = s_q[1];
  assign above = {top_q, s_q};

  for (genvar j = 1; j <= OperandBits; j++) begin : gen_column
    if (j < OperandBits) begin : gen_inner
      assign x[j] = a[j] ? (q[j] ? mb_q[j] : b_q[j]) : (q[j] & m_q[j]);
    end else begin : gen_border
      assign x[j] = a[j] & q[j] & mb_q[j];
    end
    assign s[j] = above[j+1] ^ x[j] ^ carry_q[j];
    assign carry[j] = (above[j+1] & x[j]) | ((above[j+1] | x[j]) & carry_q[j]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      row_a_q <= '0;
      row_q_q <= '0;
      carry_q <= '0;
      s_q <= '0;
      top_q <= 1'b0;
    end else begin
      valid_q <= valid[OperandBits-1:0];
      row_a_q <= a[OperandBits-1:0];
      row_q_q <= q[OperandBits-1:0];
      carry_q <= carry[OperandBits-1:0];
      if (clear) top_q <= 1'b0;
      else if (valid[OperandBits]) top_q <= carry[OperandBits];
      for (int unsigned j = 1; j <= OperandBits; j++) begin
        if (clear) s_q[j] <= 1'b0;
        else if (valid[j]) s_q[j] <= s[j];
      end
    end
  end

endmodule
