// SPDX-License-Identifier: Apache-2.0
//
// Multiplier with the ports of the contract: perle_lowlat_core without forwarding.
//
//   OpMul     z ≡ x·y·R^-1 (mod M)          OpReduce  z = y·R^-1 mod M
//
// Ranges, Algorithm, Parameters   as perle_lowlat_core
// Cycles                          mul_cycles and reduce_cycles of perle_lowlat_pkg

module perle_lowlat_mul
  import perle_pkg::*;
  import perle_lowlat_pkg::*;
#(
  parameter  int unsigned Width         = 512,
  parameter  int unsigned RadixBits     = 18,
  parameter  int unsigned QuotientDelay = 3,
  parameter  int unsigned Contexts      = 1,
  parameter  int unsigned TagBits       = 4,
  localparam int unsigned OperandBits   = digits(Width, RadixBits, QuotientDelay) * RadixBits,
  localparam int unsigned CtxBits       = (Contexts > 1) ? $clog2(Contexts) : 1
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

  perle_lowlat_core #(
    .Width        (Width),
    .RadixBits    (RadixBits),
    .QuotientDelay(QuotientDelay),
    .Contexts     (Contexts),
    .TagBits      (TagBits),
    .Forward      (1'b0)
  ) u_core (
    .*,
    .req_early_i  (1'b0),
    .req_forward_i(1'b0)
  );

endmodule
