// SPDX-License-Identifier: Apache-2.0
//
// Controller and data path without long carries: S in segments, one bit of A per cycle, at a clock frequency
// that hardly depends on the width.
//
//   S ← (S + a_i·B + q_i·M)/2, q_i the low bit of S + a_i·B
//   S = head + 2^HeadBits·(s_0 + 2^Segment·s_1 + …)
//
// Ranges    A, B in [0, 2^(Width+1)), M in [0, 2^Width)
// Algorithm the head computes (a_i, q_i). They pass three registers: one for all, one per group of segments,
//           one per segment; all segments add in the same cycle. Then the carries are resolved from the head
//           upwards, one segment per cycle. OpReduce yields M only for B = M: this is detected during the
//           iterations, and the result is cleared while carries are resolved
// Cycles    latency Iterations + Segments + 6, also for OpReduce
// Left out  identical copies of registers, which tools would merge. Those of groups and segments are also
//           cleared by resolve_q, when they are 0 anyway; tools cannot prove that, so that they keep the
//           copies
//
// Parameters
//   Width      bits of the widest modulus
//   Segment    bits of a segment

module perle_iterative_segmented
  import perle_iterative_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Segment     = 32,
  localparam int unsigned OperandBits = operand_bits(Width)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   req_valid_i,
  output logic                   req_ready_o,
  input  logic                   req_reduce_i,
  input  logic [OperandBits-1:0] req_x_i,
  input  logic [OperandBits-1:0] req_y_i,
  input  logic [OperandBits-1:0] req_m_i,
  output logic                   load_o,        // the request is accepted
  output logic                   rsp_valid_o,
  input  logic                   rsp_ready_i,
  output logic [OperandBits-1:0] rsp_z_o
);

  localparam int unsigned Iterations = iterations(Width);
  localparam int unsigned Segments = segments(Width, Segment);
  localparam int unsigned Groups = (Segments + GroupSegments - 1) / GroupSegments;
  localparam int unsigned PaddedBits = HeadBits + Segments * Segment;
  localparam int unsigned CountBits = $clog2(Iterations + 1);

  typedef struct packed {
    logic a;
    logic q;
    logic add;
  } step_t;

  // control
  logic [CountBits-1:0] count_q;
  logic ready_q, bit_q, shift_q, reduce_q;
  logic [HeadBits-1:0] flush_q;    // one-hot token: the head shifts out the lowest bits …
  logic [Segments-1:0] resolve_q;  // … and the segments resolve their carries
  logic [Segments-1:0] zero_q;     // with resolve_q: the result becomes 0
  logic open_q;                    // the head loads the request
  logic [Segments-1:0] opens_q;    // per segment: it loads the request
  logic last;

  // datapath
  logic [PaddedBits-1:0] x, y, m, z;
  logic [HeadBits-1:1] a_low_q;
  logic [HeadBits-1:0] b_low_q, m_low_q;
  logic a_now_q, head_q, in_q, head_equal_q;
  step_t step_q;
  step_t [Groups-1:0] group_q;
  step_t [Segments-1:0] leaf_q;
  logic [Segments-1:0] add_q, equal, out, carry_valid;
  logic [Segments:0] a_bits;
  logic [Segments-1:0] shift_in;
  logic [Segments:0][1:0] carry;
  logic [Segments-1:0] all_equal_q;  // of the segment and all lower ones

  assign x = PaddedBits'(req_x_i);
  assign y = PaddedBits'(req_y_i);
  assign m = PaddedBits'(req_m_i);
  assign rsp_z_o = z[OperandBits-1:0];

  assign req_ready_o = ready_q || (rsp_valid_o && rsp_ready_i);
  assign load_o = req_valid_i && req_ready_o;
  assign last = (count_q == CountBits'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b1;
      rsp_valid_o <= 1'b0;
      bit_q <= 1'b0;
      shift_q <= 1'b0;
      reduce_q <= 1'b0;
      count_q <= '0;
      flush_q <= '0;
      resolve_q <= '0;
      zero_q <= '0;
      open_q <= 1'b1;
      opens_q <= '1;
    end else begin
      flush_q <= {flush_q[HeadBits-2:0], bit_q && last};
      resolve_q <= Segments'({resolve_q, flush_q[HeadBits-1]});
      zero_q <= Segments'({zero_q, reduce_q && all_equal_q[Segments-1]});
      if (resolve_q[Segments-1]) rsp_valid_o <= 1'b1;
      else if (rsp_ready_i) rsp_valid_o <= 1'b0;
      if (load_o) begin
        ready_q <= 1'b0;
        bit_q <= 1'b1;
        shift_q <= 1'b1;
        reduce_q <= req_reduce_i;
        count_q <= CountBits'(Iterations);
        open_q <= 1'b0;
        opens_q <= '0;
      end else begin
        if (rsp_valid_o && rsp_ready_i) ready_q <= 1'b1;
        if (bit_q) count_q <= count_q - CountBits'(1);
        if (last) bit_q <= 1'b0;
        if (flush_q[HeadBits-1]) shift_q <= 1'b0;
        if (resolve_q[0]) open_q <= 1'b1;
        opens_q <= opens_q | resolve_q;
      end
    end
  end

  // the head, with the lowest bits of the operands
  always_ff @(posedge clk_i) begin
    // OpReduce is the product by 1: the other bits of A are masked
    a_now_q <= open_q ? req_reduce_i || x[0] : a_low_q[1] && !reduce_q;
    a_low_q <= open_q ? x[HeadBits-1:1] : {a_bits[0], a_low_q[HeadBits-1:2]};
    if (open_q) begin
      b_low_q <= y[HeadBits-1:0];
      m_low_q <= m[HeadBits-1:0];
    end
    head_equal_q <= (b_low_q == m_low_q);
  end

  perle_iterative_head #(
    .HeadBits(HeadBits)
  ) u_head (
    .clk_i,
    .clear_i(open_q),
    .shift_i(shift_q),
    .bit_i  (bit_q),
    .a_i    (a_now_q),
    .in_i   (in_q),
    .b_i    (b_low_q),
    .m_i    (m_low_q),
    .zero_i (resolve_q[0] && zero_q[0]),
    .q_o    (head_q),
    .carry_o(carry[0]),
    .low_o  (z[HeadBits-1:0])
  );

  // from the head to the segments, and back
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
      group_q <= '0;
      leaf_q <= '0;
      add_q <= '0;
      in_q <= 1'b0;
      all_equal_q <= '0;
    end else begin
      step_q <= '{a: a_now_q && bit_q, q: head_q, add: bit_q};
      for (int unsigned g = 0; g < Groups; g++) begin
        group_q[g] <= resolve_q[g*GroupSegments] ? '0 : step_q;
      end
      for (int unsigned k = 0; k < Segments; k++) begin
        leaf_q[k] <= resolve_q[k] ? '0 : group_q[k/GroupSegments];
        add_q[k]  <= leaf_q[k].add;
      end
      in_q <= out[0] && add_q[0];
      all_equal_q <= equal & Segments'({all_equal_q, head_equal_q});
    end
  end

  assign shift_in = out >> 1;
  assign a_bits[Segments] = 1'b0;
  assign carry_valid = Segments'({resolve_q, flush_q[HeadBits-1]});

  for (genvar k = 0; k < Segments; k++) begin : gen_segments
    localparam int unsigned From = HeadBits + k * Segment;

    perle_iterative_segment #(
      .Bits(Segment)
    ) u_segment (
      .clk_i,
      .open_i       (opens_q[k]),
      .a_load_i     (x[From+:Segment]),
      .b_i          (y[From+:Segment]),
      .m_i          (m[From+:Segment]),
      .a_shift_i    (a_bits[k+1]),
      .a_shift_o    (a_bits[k]),
      .equal_o      (equal[k]),
      .a_i          (leaf_q[k].a),
      .q_i          (leaf_q[k].q),
      .add_i        (add_q[k]),
      .in_i         (shift_in[k]),
      .out_o        (out[k]),
      .carry_valid_i(carry_valid[k]),
      .carry_i      (carry[k]),
      .resolve_i    (resolve_q[k]),
      .zero_i       (zero_q[k]),
      .carry_o      (carry[k+1]),
      .z_o          (z[From+:Segment])
    );
  end

  // the highest segment has no carry-out, and the result does not reach the padding
  logic unused_high;
  assign unused_high = ^{carry[Segments], z};

endmodule
