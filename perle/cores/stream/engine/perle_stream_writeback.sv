// SPDX-License-Identifier: Apache-2.0
//
// End of the engine's PE chain: supplies M and mprime to the last PE and writes the digits of results to
// their slots.
//
// Ranges    op_valid_i once in N + 1 >= 4 cycles, threads in turn; base and destinations are valid with it
// Algorithm an entry per thread describes its product; products reach the last PE, and results leave it, in
//           the order of the threads. V and V − M of a last product also go to the memory that the unloader
//           reads
// Cycles    a digit of a result is written in the second cycle after it arrived
//
// Parameters
//   Threads, Lanes, Digits, RadixBits   S, lanes, N, k
//   XBits, YBits                        bits of the addresses of results

module perle_stream_writeback #(
  parameter  int unsigned Threads    = 7,
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned Digits     = 58,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned XBits      = 14,
  parameter  int unsigned YBits      = 12,
  localparam int unsigned ThreadBits = $clog2(Threads),
  localparam int unsigned LaneBits   = $clog2(Lanes),
  localparam int unsigned BaseBits   = $clog2(Lanes * Digits),
  localparam int unsigned IndexBits  = $clog2(Digits)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // a product that starts
  input  logic                   op_valid_i,
  input  logic [ ThreadBits-1:0] op_thread_i,
  input  logic [   LaneBits-1:0] op_lane_i,
  input  logic                   op_live_i,
  input  logic                   op_reduce_i,
  input  logic                   op_final_i,
  input  logic [      XBits-1:0] op_dest_x_i,
  input  logic [      YBits-1:0] op_dest_y_i,
  input  logic [   BaseBits-1:0] op_base_i,
  // the last PE
  input  logic                   exit_i,
  output logic                   reduce_o,
  output logic [  RadixBits-1:0] mprime_o,
  input  logic                   active_i,
  output logic [  RadixBits-1:0] modulus_o,
  input  logic                   push_i,
  input  logic                   last_i,
  input  logic                   ge_i,
  input  logic [  RadixBits-1:0] value_i,
  input  logic [  RadixBits-1:0] diff_i,
  // digits from the loader
  input  logic                   m_we_i,
  input  logic                   mprime_we_i,
  input  logic [   BaseBits-1:0] load_addr_i,
  input  logic [   LaneBits-1:0] load_lane_i,
  input  logic [  RadixBits-1:0] load_digit_i,
  // results to the operands
  output logic                   result_we_o,
  output logic [      XBits-1:0] result_x_addr_o,
  output logic [      YBits-1:0] result_y_addr_o,
  output logic [  RadixBits-1:0] result_o,
  // results of a last product: its digits, and that they are complete
  output logic                   final_we_o,
  output logic [   BaseBits-1:0] final_addr_o,
  output logic [2*RadixBits-1:0] final_digits_o,
  output logic                   final_done_o,
  output logic [   LaneBits-1:0] final_lane_o,
  output logic                   final_ge_o
);

  localparam int unsigned ResultCycles = 12;  // from beat 0 to the first digit of the result

  typedef struct packed {
    logic live;
    logic reduce;
    logic is_final;
    logic [LaneBits-1:0] lane;
    logic [XBits-1:0] x;
    logic [YBits-1:0] y;
    logic [BaseBits-1:0] base;
  } known_t;

  known_t known_q[Threads];
  logic exit_reduce_q, out_live_q, out_final_q;
  logic [LaneBits-1:0] exit_lane_q, out_lane_q;
  logic [BaseBits-1:0] exit_base_q, out_base_q;
  logic [XBits-1:0] out_x_q;
  logic [YBits-1:0] out_y_q;
  logic [ThreadBits-1:0] exit_thread_q, out_thread_q;
  logic [ResultCycles-1:0] exit_at_q;
  logic [BaseBits-1:0] m_addr_q;
  logic [IndexBits-1:0] left_q;
  logic [RadixBits-1:0] mprime_mem[Lanes];
  logic first, live_q, final_q;
  logic [1:0] active_q;
  logic [RadixBits-1:0] m;

  assign first = exit_at_q[ResultCycles-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < Threads; s++) known_q[s] <= '0;
      exit_thread_q <= '0;
      out_thread_q <= '0;
      exit_at_q <= '0;
    end else begin
      if (op_valid_i) begin
        known_q[op_thread_i] <= '{
          live: op_live_i,
          reduce: op_reduce_i,
          is_final: op_final_i,
          lane: op_lane_i,
          x: op_dest_x_i,
          y: op_dest_y_i,
          base: op_base_i
        };
      end
      exit_at_q <= {exit_at_q[ResultCycles-2:0], exit_i};
      if (exit_i) begin
        exit_thread_q <= (exit_thread_q == ThreadBits'(Threads - 1)) ? '0 : exit_thread_q + ThreadBits'(1);
      end
      if (first) begin
        out_thread_q <= (out_thread_q == ThreadBits'(Threads - 1)) ? '0 : out_thread_q + ThreadBits'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    exit_reduce_q <= known_q[exit_thread_q].reduce;
    exit_lane_q <= known_q[exit_thread_q].lane;
    exit_base_q <= known_q[exit_thread_q].base;
    out_live_q <= known_q[out_thread_q].live;
    out_final_q <= known_q[out_thread_q].is_final;
    out_lane_q <= known_q[out_thread_q].lane;
    out_x_q <= known_q[out_thread_q].x;
    out_y_q <= known_q[out_thread_q].y;
    out_base_q <= known_q[out_thread_q].base;
  end

  // ---------------------------------------------------------------- into the last PE
  assign reduce_o = exit_reduce_q;

  always_ff @(posedge clk_i) begin
    if (mprime_we_i) mprime_mem[load_lane_i] <= load_digit_i;
    mprime_o <= mprime_mem[exit_lane_q];
    if (exit_i) begin
      m_addr_q <= exit_base_q;
      left_q <= IndexBits'(Digits - 1);
    end else if (left_q != '0) begin
      m_addr_q <= m_addr_q + BaseBits'(1);
      left_q <= left_q - IndexBits'(1);
    end
  end

  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * Digits)
  ) u_m (
    .clk_i,
    .we_i   (m_we_i),
    .waddr_i(load_addr_i),
    .wdata_i(load_digit_i),
    .raddr_i(m_addr_q),
    .data_o (m)
  );
  // in the beat without a digit of M, modulus_o must be 0
  always_ff @(posedge clk_i) begin
    active_q <= {active_q[0], active_i};
    modulus_o <= active_q[1] ? m : '0;
  end

  // ---------------------------------------------------------------- out of it
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q <= 1'b0;
      final_q <= 1'b0;
      result_we_o <= 1'b0;
      final_we_o <= 1'b0;
      final_done_o <= 1'b0;
    end else begin
      if (first) begin
        live_q <= out_live_q;
        final_q <= out_final_q;
      end
      result_we_o <= push_i && (first ? out_live_q : live_q);
      final_we_o <= push_i && (first ? out_live_q && out_final_q : live_q && final_q);
      final_done_o <= last_i && (first ? out_live_q && out_final_q : live_q && final_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (first) final_lane_o <= out_lane_q;
    final_ge_o <= ge_i;
    result_x_addr_o <= first ? out_x_q : result_x_addr_o + XBits'(1);
    result_y_addr_o <= first ? out_y_q : result_y_addr_o + YBits'(1);
    final_addr_o <= first ? out_base_q : final_addr_o + BaseBits'(1);
    result_o <= value_i;
    final_digits_o <= {diff_i, value_i};
  end

endmodule
