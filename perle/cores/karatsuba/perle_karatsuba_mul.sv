// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width, mprime = −M^-1 mod R
//           WithStep4 = 0  R = 2^(Width+2); OpMul: x, y in [0, 2M) → z in [0, 2M); OpReduce: y in [0, R)
//           WithStep4 = 1  R = 2^Width;     OpMul: x, y in [0, M) → z in [0, M);   OpReduce: y in [0, R)
// Algorithm chow2010 algorithm 1, one Karatsuba product three times:
//             t1 ← x·y;  Q ← (t1 mod R)·mprime mod R;  u ← (t1 + Q·M)/R;  step 4: u ← u − M if u >= M
//           The pipeline of the product and its operand register form a loop of Depth stages. An operation
//           keeps its pipeline slot for three rounds; a request is accepted whenever the slot at the input is
//           free. So a batch of Depth requests is accepted in Depth cycles, and again every 3·Depth cycles:
//           throughput f/3. t1 is stored until Q·M is valid, in a memory with one word per slot. Free slots
//           carry zeros: an idle core has no state leak. The pipeline never stalls: a request is accepted
//           only if there is space for its result. HalfProducts: the next pass needs only the low half of a
//           product and starts when that is valid; of t1 + Q·M only the upper halves are added (see
//           perle_karatsuba_exit)
// Cycles    latency mul_cycles of perle_karatsuba_pkg for OpMul and OpReduce, independent of other
//           operations, without backpressure. Otherwise results wait in a memory, and req_ready_o falls
//           before it can overflow
// Left out  skewed limbs from one product into the next; half a multiplier where only half a product is used
//
// Parameters
//   Width          bits of the widest modulus
//   LeafWidth      bits of a factor of a leaf multiplier: 17 or 18 for a device multiplier, 32 in the paper
//   LimbWidth      longest carry chain (32 in the paper)
//   WithStep4      1: the final subtraction of algorithm 1; 0: R >= 4M instead
//   HalfProducts   1: low half of the product in passes 1 and 2, known low half in pass 3
//   SplitLeaf      1: a leaf is four device multipliers of half its width (perle_karatsuba_leaf)
//   Fold           1: the outermost layer has one multiplier and uses it three times
//                  (perle_karatsuba_product): a third of the multipliers and of the throughput
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
  parameter  int unsigned SplitLeaf    = 0,
  parameter  int unsigned Fold         = 0,
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

  localparam int unsigned Depth = depth(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, HalfProducts);
  localparam int unsigned Product = outer_cycles(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold);
  localparam int unsigned Sum = sum_cycles(OperandBits, LimbWidth, HalfProducts);
  localparam int unsigned Exit = exit_cycles(OperandBits, LimbWidth, WithStep4, HalfProducts);
  localparam int unsigned Last = Product + Exit - 2;  // stage i: i cycles after the operand register
  localparam int unsigned TermBits = (HalfProducts != 0) ? OperandBits : 2 * OperandBits;
  localparam int unsigned Places = places(OperandBits, LeafWidth, LimbWidth, SplitLeaf, Fold, WithStep4,
                                            HalfProducts);
  localparam int unsigned HeldBits = $clog2(Places + 1);

  typedef struct packed {
    logic               valid;
    pass_e              pass;
    mul_op_e            op;
    logic [CtxBits-1:0] ctx;
    logic [TagBits-1:0] tag;
  } stage_t;

  logic ready_q, accept, respond, carry, deliver;
  logic [HeldBits-1:0] held_q;
  stage_t entry_q, stage_d;
  stage_t [Last:0] stage_q;
  logic [OperandBits-1:0] req_x_q, req_y_q, x_q, y_q, low, constant_q, z;
  logic [2*OperandBits-1:0] product;
  logic [TermBits-1:0] term, t1_q;

  // An operation that returns to the operand register for another pass.
  function automatic logic again(logic valid, pass_e pass);
    return valid && (pass != PassSum);
  endfunction

  // Folded layer: whether some operation in the loop is not a multiple of three cycles ahead of the request
  // that is decided now, so that they would need the multiplier in the same cycle. Operations in the third
  // pass leave the loop.
  function automatic logic out_of_step(stage_t [Last:0] stage);
    logic found;
    found = 1'b0;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (i % Products != 0) begin
        found |= stage[i].valid && ((i + Products < Depth) || (stage[i].pass != PassSum));
      end
    end
    return found;
  endfunction

  // ---------------------------------------------------------------- requests
  // Decided one cycle ahead: an operation in stage Depth − 3 would collide with the request at the operand
  // register.
  assign accept = req_valid_i && req_ready_o;
  assign respond = rsp_valid_o && rsp_ready_i;

  // Folded layer: after a reset the delay line of the differences may hold old values; requests wait until it
  // is empty.
  if (Fold != 0) begin : gen_settle
    localparam int unsigned Cycles = Products * (fold_rounds(limbs(half(OperandBits), LimbWidth)) + 1);
    logic [Cycles:0] settled_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) settled_q <= '0;
      else settled_q <= {settled_q[Cycles-1:0], 1'b1};
    end
    assign req_ready_o = ready_q && settled_q[Cycles];
  end else begin : gen_ready
    assign req_ready_o = ready_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      held_q <= '0;
    end else begin
      ready_q <= !again(stage_q[Depth-3].valid, stage_q[Depth-3].pass) && (held_q < HeldBits'(Places - 1));
      if (Fold != 0 && (accept || entry_q.valid || out_of_step(stage_q))) ready_q <= 1'b0;
      if (accept && !respond) held_q <= held_q + HeldBits'(1);
      else if (respond && !accept) held_q <= held_q - HeldBits'(1);
    end
  end

  // Operands are registered in every cycle; accept selects them one cycle later.
  always_ff @(posedge clk_i) begin
    req_x_q <= req_x_i;
    req_x_q[0] <= req_x_i[0] || (req_op_i == OpReduce);
    req_y_q <= req_y_i;
  end

  // ---------------------------------------------------------------- loop: operations
  always_comb begin
    stage_d = entry_q;
    if (again(stage_q[Depth-1].valid, stage_q[Depth-1].pass)) begin
      stage_d = stage_q[Depth-1];
      stage_d.pass = (stage_q[Depth-1].pass == PassProduct) ? PassQuotient : PassSum;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entry_q <= '0;
      stage_q <= '0;
    end else begin
      entry_q <= '{valid: accept, pass: PassProduct, op: req_op_i, ctx: req_ctx_i, tag: req_tag_i};
      stage_q <= {stage_q[Last-1:0], stage_d};
    end
  end

  // ---------------------------------------------------------------- loop: operands
  perle_karatsuba_operand_mux #(
    .Width(OperandBits)
  ) u_constant (
    .clk_i,
    .take_a_i(stage_q[Depth-3].valid && (stage_q[Depth-3].pass == PassProduct)),
    .a_i     (mod_i[stage_q[Depth-2].ctx][ConstMprime]),
    .take_b_i(stage_q[Depth-3].valid && (stage_q[Depth-3].pass == PassQuotient)),
    .b_i     (mod_i[stage_q[Depth-2].ctx][ConstM]),
    .q_o     (constant_q)
  );

  perle_karatsuba_operand_mux #(
    .Width(OperandBits - 1)
  ) u_x (
    .clk_i,
    .take_a_i(again(stage_q[Depth-2].valid, stage_q[Depth-2].pass)),
    .a_i     (low[OperandBits-1:1]),
    .take_b_i(accept && (req_op_i == OpMul)),
    .b_i     (req_x_q[OperandBits-1:1]),
    .q_o     (x_q[OperandBits-1:1])
  );

  perle_karatsuba_operand_mux #(
    .Width(OperandBits + 1)
  ) u_y (
    .clk_i,
    .take_a_i(again(stage_q[Depth-2].valid, stage_q[Depth-2].pass)),
    .a_i     ({low[0], constant_q}),
    .take_b_i(accept),
    .b_i     ({req_x_q[0], req_y_q}),
    .q_o     ({x_q[0], y_q})
  );

  if (HalfProducts != 0) begin : gen_half
    localparam int unsigned Limbs = limbs(OperandBits, LimbWidth);
    localparam int unsigned Size = limb_size(OperandBits, LimbWidth);
    logic [Limbs-1:0] nonzero_q;
    logic any_q, product_low;

    perle_karatsuba_product #(
      .Width    (OperandBits),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf),
      .Fold     (Fold)
    ) u_product (
      .clk_i,
      .x_i  (x_q),
      .y_i  (y_q),
      .low_o(low),
      .p_o  (product)
    );

    // Carry out of the lower halves, which are not added: Q ≠ 0; Q is in x_q at the start of the third pass.
    for (genvar i = 0; i < Limbs; i++) begin : gen_nonzero
      localparam int unsigned First = i * Size;
      localparam int unsigned Len = (First + Size < OperandBits) ? Size : OperandBits - First;
      always_ff @(posedge clk_i) begin
        nonzero_q[i] <= |x_q[First+:Len];
      end
    end
    always_ff @(posedge clk_i) begin
      any_q <= |nonzero_q;
    end
    perle_karatsuba_delay #(
      .Width (1),
      .Cycles(Product - 2)
    ) u_wait (
      .clk_i,
      .d_i(any_q),
      .q_o(carry)
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
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf),
      .Fold     (Fold)
    ) u_product (
      .clk_i,
      .x_i  (x_q),
      .y_i  (y_q),
      .low_o(unused_low),
      .p_o  (product)
    );

    assign low = product[OperandBits-1:0];
    assign carry = 1'b0;
    assign term = product;
  end

  // ---------------------------------------------------------------- t1 memory
  // held while the quotient is computed, then cleared
  perle_karatsuba_t1_store #(
    .Width(TermBits),
    .Words(Depth)
  ) u_t1_store (
    .clk_i,
    .rst_ni,
    .fill_i(stage_q[Product-1].valid && (stage_q[Product-1].pass == PassProduct)),
    .hold_i(stage_q[Product-1].valid && (stage_q[Product-1].pass == PassQuotient)),
    .term_i(term),
    .word_o(t1_q)
  );

  // ---------------------------------------------------------------- output
  perle_karatsuba_exit #(
    .Bits        (OperandBits),
    .LimbWidth   (LimbWidth),
    .WithStep4   (WithStep4),
    .HalfProducts(HalfProducts)
  ) u_exit (
    .clk_i,
    .t1_i     (t1_q),
    .qm_i     (term),
    .carry_i  (carry),
    .modulus_i(mod_i[stage_q[Product+Sum].ctx][ConstM]),
    .deliver_i(stage_q[Last-1].valid && (stage_q[Last-1].pass == PassSum)),
    .canon_i  (stage_q[Last-1].op == OpReduce),
    .z_o      (z)
  );

  assign deliver = stage_q[Last].valid && (stage_q[Last].pass == PassSum);

  perle_karatsuba_results #(
    .Width  (OperandBits),
    .TagBits(TagBits),
    .Words  (Places + 1)
  ) u_results (
    .clk_i,
    .rst_ni,
    .deliver_i(deliver),
    .tag_i    (stage_q[Last].tag),
    .z_i      (z),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_tag_o,
    .rsp_z_o
  );

endmodule
