// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width, mprime = −M^-1 mod R
//           WithStep4 = 0  R = 2^(Width+2); OpMul: x, y in [0, 2M) → z in [0, 2M); OpReduce: y in [0, R)
//           WithStep4 = 1  R = 2^Width;     OpMul: x, y in [0, M) → z in [0, M);   OpReduce: y in [0, R)
// Algorithm chow2010 algorithm 1, one Karatsuba product three times:
//             t1 ← x·y;  Q ← (t1 mod R)·mprime mod R;  u ← (t1 + Q·M)/R;  step 4: u ← u − M if u >= M
//           The product's pipeline and its operand register are a loop of Depth slots. An operation keeps its
//           slot for three rounds; a request is taken whenever the slot that comes by is free. So a batch of
//           Depth requests is taken in Depth cycles, and again every 3·Depth cycles: f/3. t1 waits for Q·M in
//           a memory with a word a slot. Free slots carry zeros: an idle core forgets its operands.
//           HalfProducts: the next pass only needs the low half of a product and starts when that is there,
//           and of t1 + Q·M only the upper halves are added (see perle_karatsuba_exit)
// Cycles    mul_cycles of perle_karatsuba_pkg for OpMul and OpReduce, whatever else is in flight. A response
//           that is not taken stops everything when a second one needs its place
// Left out  skewed limbs from one product into the next; half a multiplier where only half a product is used
//
// Parameters
//   Width          bits of the widest modulus
//   LeafWidth      bits of a factor of a device multiplier (17 or 18)
//   LimbWidth      longest carry chain (32 in the paper)
//   WithStep4      1: the final subtraction of algorithm 1; 0: R >= 4M in its place
//   HalfProducts   1: low half of the product in passes 1 and 2, known low half in pass 3
//   Contexts       moduli held by the wrapper and selected by req_ctx_i
//   TagBits        bits of the tag that travels with an operation

module perle_karatsuba_mul
  import perle_pkg::*;
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width        = 512,
  parameter  int unsigned LeafWidth    = 17,
  parameter  int unsigned LimbWidth    = 33,
  parameter  int unsigned WithStep4    = 0,
  parameter  int unsigned HalfProducts = 0,
  parameter  int unsigned Contexts     = 1,
  parameter  int unsigned TagBits      = 4,
  localparam int unsigned OperandBits  = operand_bits(Width, WithStep4),
  localparam int unsigned CtxBits      = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                 clk_i,
  input  logic                                                 rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                 req_valid_i,
  output logic                                                 req_ready_o,
  input  mul_op_e                                              req_op_i,
  input  logic    [ CtxBits-1:0]                               req_ctx_i,
  input  logic    [ TagBits-1:0]                               req_tag_i,
  input  logic    [OperandBits-1:0]                            req_x_i,
  input  logic    [OperandBits-1:0]                            req_y_i,
  output logic                                                 rsp_valid_o,
  input  logic                                                 rsp_ready_i,
  output logic    [ TagBits-1:0]                               rsp_tag_o,
  output logic    [OperandBits-1:0]                            rsp_z_o
);

  localparam int unsigned Depth = depth(OperandBits, LeafWidth, LimbWidth, HalfProducts);
  localparam int unsigned Product = product_cycles(OperandBits, LeafWidth, LimbWidth);
  localparam int unsigned Sum = sum_cycles(OperandBits, LimbWidth, HalfProducts);
  localparam int unsigned Exit = exit_cycles(OperandBits, LimbWidth, WithStep4, HalfProducts);
  localparam int unsigned Stages = Product + Exit;  // stage i: i cycles behind the operand register
  localparam int unsigned TermBits = (HalfProducts != 0) ? OperandBits : 2 * OperandBits;
  localparam int unsigned SlotBits = $clog2(Depth);

  typedef struct packed {
    logic               valid;
    pass_e              pass;
    mul_op_e            op;
    logic [CtxBits-1:0] ctx;
    logic [TagBits-1:0] tag;
  } stage_t;

  logic advance, accept, again, carry;
  stage_t stage_d;
  stage_t [Stages-1:0] stage_q;
  logic [OperandBits-1:0] x_q, y_q, low, z, out_z_q, skid_z_q;
  logic [2*OperandBits-1:0] product;
  logic [TermBits-1:0] term, t1_q;
  logic [SlotBits-1:0] slot_q, slot_d;
  logic [TermBits-1:0] t1_mem[Depth];
  logic out_valid_q, skid_valid_q, deliver;
  logic [TagBits-1:0] out_tag_q, skid_tag_q;
  pass_e term_pass;
  stage_t looped;

  // ---------------------------------------------------------------- the loop: operations and operands
  assign looped = stage_q[Depth-1];
  assign again = looped.valid && (looped.pass != PassSum);
  assign req_ready_o = advance && !again;
  assign accept = req_valid_i && req_ready_o;

  always_comb begin
    stage_d = '{valid: accept, pass: PassProduct, op: req_op_i, ctx: req_ctx_i, tag: req_tag_i};
    if (again) begin
      stage_d = looped;
      stage_d.pass = (looped.pass == PassProduct) ? PassQuotient : PassSum;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stage_q <= '0;
    else if (advance) stage_q <= {stage_q[Stages-2:0], stage_d};
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      x_q <= '0;
      y_q <= '0;
      if (again) begin
        x_q <= low;
        y_q <= mod_i[looped.ctx][(looped.pass == PassProduct) ? ConstMprime : ConstM];
      end else if (accept) begin
        x_q <= (req_op_i == OpReduce) ? OperandBits'(1) : req_x_i;
        y_q <= req_y_i;
      end
    end
  end

  if (HalfProducts != 0) begin : gen_half
    localparam int unsigned Limbs = limbs(OperandBits, LimbWidth);
    localparam int unsigned Size = limb_size(OperandBits, LimbWidth);
    logic [Limbs-1:0] nonzero_q;
    logic any_q, product_low;

    perle_karatsuba_product #(
      .Width    (OperandBits),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth)
    ) u_product (
      .clk_i,
      .en_i (advance),
      .x_i  (x_q),
      .y_i  (y_q),
      .low_o(low),
      .p_o  (product)
    );

    // The carry out of the halves that are not added: Q ≠ 0, with Q in x_q at the start of the third pass.
    for (genvar i = 0; i < Limbs; i++) begin : gen_nonzero
      localparam int unsigned First = i * Size;
      localparam int unsigned Len = (First + Size < OperandBits) ? Size : OperandBits - First;
      always_ff @(posedge clk_i) begin
        if (advance) nonzero_q[i] <= |x_q[First+:Len];
      end
    end
    always_ff @(posedge clk_i) begin
      if (advance) any_q <= |nonzero_q;
    end
    perle_karatsuba_delay #(
      .Width (1),
      .Cycles(Product - 2)
    ) u_wait (
      .clk_i,
      .en_i(advance),
      .d_i (any_q),
      .q_o (carry)
    );

    assign term = product[2*OperandBits-1:OperandBits];
    assign product_low = ^product[OperandBits-1:0];
    logic unused;
    assign unused = product_low;
  end else begin : gen_full
    logic [OperandBits-1:0] unused_low;

    perle_karatsuba_product #(
      .Width    (OperandBits),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth)
    ) u_product (
      .clk_i,
      .en_i (advance),
      .x_i  (x_q),
      .y_i  (y_q),
      .low_o(unused_low),
      .p_o  (product)
    );

    assign low = product[OperandBits-1:0];
    assign carry = 1'b0;
    assign term = product;
  end

  // ---------------------------------------------------------------- t1 waits in its operation's slot
  assign term_pass = stage_q[Product].pass;
  assign slot_d = (slot_q == SlotBits'(Depth - 1)) ? '0 : slot_q + SlotBits'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_q <= '0;
    else if (advance) slot_q <= slot_d;
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      t1_q <= t1_mem[slot_d];
      // kept while the quotient is made, then forgotten
      if (!stage_q[Product].valid || term_pass != PassQuotient) begin
        t1_mem[slot_q] <= (stage_q[Product].valid && term_pass == PassProduct) ? term : '0;
      end
    end
  end

  // ---------------------------------------------------------------- the way out
  perle_karatsuba_exit #(
    .Bits        (OperandBits),
    .LimbWidth   (LimbWidth),
    .WithStep4   (WithStep4),
    .HalfProducts(HalfProducts)
  ) u_exit (
    .clk_i,
    .en_i     (advance),
    .t1_i     (t1_q),
    .qm_i     (term),
    .carry_i  (carry),
    .modulus_i(mod_i[stage_q[Product+Sum].ctx][ConstM]),
    .canon_i  (stage_q[Stages-1].op == OpReduce),
    .z_o      (z)
  );

  assign deliver = stage_q[Stages-1].valid && (stage_q[Stages-1].pass == PassSum);

  // A result that finds the output taken waits in the skid register, and everything behind it where it is.
  assign advance = !skid_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      skid_valid_q <= 1'b0;
    end else if (!out_valid_q || rsp_ready_i) begin
      out_valid_q <= skid_valid_q || deliver;
      skid_valid_q <= 1'b0;
    end else if (advance) begin
      skid_valid_q <= deliver;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!out_valid_q || rsp_ready_i) begin
      out_z_q <= skid_valid_q ? skid_z_q : z;
      out_tag_q <= skid_valid_q ? skid_tag_q : stage_q[Stages-1].tag;
    end
    if (advance) begin
      skid_z_q <= z;
      skid_tag_q <= stage_q[Stages-1].tag;
    end
  end

  assign rsp_valid_o = out_valid_q;
  assign rsp_tag_o = out_tag_q;
  assign rsp_z_o = out_z_q;

endmodule
