// SPDX-License-Identifier: Apache-2.0
//
// Controller and data path of nedjah2002 Fig. 2 and 3: S is not split and has two adders of its full width.
//
//   S ← (S + a_i·B + q·M)/2, q the low bit of S + a_i·B
//
// Ranges    A, B in [0, 2^(Width+1)), M in [0, 2^Width)
// Algorithm both controllers drive the same data path
// Cycles                        OpMul             OpReduce
//             PaperStates = 0   Width + 3         Width + 4
//             PaperStates = 1   3·(Width+2) + 1   3·(Width+2) + 1
// Left out  a short clock period: the carries of both adders ripple in one cycle (see
//           perle_iterative_segmented)
//
// Parameters
//   Width         bits of the widest modulus
//   PaperStates   1: the six states of section 3, three cycles per bit; 0: one cycle per bit

module perle_iterative_whole
  import perle_iterative_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  bit          PaperStates = 1'b0,
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

  logic sum, shift, clear, reduce_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reduce_q <= 1'b0;
    else if (load_o) reduce_q <= req_reduce_i;
  end

  if (PaperStates) begin : gen_paper
    perle_iterative_ctrl_paper #(
      .Iterations(Iterations)
    ) u_ctrl (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .reduce_i(reduce_q),
      .rsp_valid_o,
      .rsp_ready_i,
      .load_o,
      .sum_o   (sum),
      .shift_o (shift),
      .clear_o (clear)
    );
  end else begin : gen_streamlined
    perle_iterative_ctrl_streamlined #(
      .Iterations(Iterations)
    ) u_ctrl (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .reduce_i(reduce_q),
      .rsp_valid_o,
      .rsp_ready_i,
      .load_o,
      .sum_o   (sum),
      .shift_o (shift),
      .clear_o (clear)
    );
  end

  perle_iterative_datapath #(
    .Width(Width)
  ) u_datapath (
    .clk_i,
    .load_i (load_o),
    .sum_i  (sum),
    .shift_i(shift),
    .clear_i(clear),
    .a_i    (req_reduce_i ? OperandBits'(1) : req_x_i),
    .b_i    (req_y_i),
    .m_i    (req_m_i),
    .r_o    (rsp_z_o)
  );

endmodule
