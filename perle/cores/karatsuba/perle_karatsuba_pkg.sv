// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the recursive product and of the batch-pipelined multiplier around it.

package perle_karatsuba_pkg;

  // The three products of an operation, on the same multiplier.
  typedef enum logic [1:0] {
    PassProduct,   // t1 = x·y
    PassQuotient,  // t2 = Q = (t1 mod R)·mprime mod R
    PassSum        // u = (t1 + Q·M)/R
  } pass_e;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMprime = 1;
  parameter int unsigned ConstCount = 2;

  // A device multiplier has an input and an output register.
  parameter int unsigned LeafCycles = 2;

  // Bits of an operand, and RExp: with step 4 operands are below M, without it below 2M and R >= 4M.
  function automatic int unsigned operand_bits(int unsigned width, int unsigned with_step4);
    return (with_step4 != 0) ? width : width + 2;
  endfunction

  // Limbs, and so cycles, of a multiple-precision adder.
  function automatic int unsigned limbs(int unsigned bits, int unsigned limb_width);
    return (bits + limb_width - 1) / limb_width;
  endfunction

  // Bits of a limb: as even a split as possible.
  function automatic int unsigned limb_size(int unsigned bits, int unsigned limb_width);
    return (bits + limbs(bits, limb_width) - 1) / limbs(bits, limb_width);
  endfunction

  // Bits of a half of an operand; an odd operand gets a leading zero.
  function automatic int unsigned half(int unsigned bits);
    return (bits + 1) / 2;
  endfunction

  // Latency of a leaf: of a device multiplier, or of four of half its width and the sum of their products.
  function automatic int unsigned leaf_cycles(int unsigned bits, int unsigned limb_width,
                                              int unsigned split_leaf);
    return LeafCycles + ((split_leaf != 0) ? 1 + limbs(3 * half(bits), limb_width) : 0);
  endfunction

  // Latency of a product. A layer with s limbs per half: s + 1 for absolute differences, 2s for the middle, s
  // for the top.
  function automatic int unsigned product_cycles(int unsigned bits, int unsigned leaf_width,
                                                 int unsigned limb_width, int unsigned split_leaf);
    int unsigned n = bits;
    int unsigned cycles = 0;
    while (n > leaf_width) begin
      n = half(n);
      cycles += 4 * limbs(n, limb_width) + 1;
    end
    return cycles + leaf_cycles(n, limb_width, split_leaf);
  endfunction

  // Products of a layer; a folded one computes them in turn, one per cycle.
  parameter int unsigned Products = 3;

  // Rounds of a folded layer from the first two products to the third: those of the absolute differences, at
  // least one.
  function automatic int unsigned fold_rounds(int unsigned half_limbs);
    return (half_limbs > Products + 1) ? (half_limbs + 1) / Products : 1;
  endfunction

  // Latency of a folded layer's one multiplier: registers behind it make the loop a multiple of three cycles.
  function automatic int unsigned folded_cycles(int unsigned bits, int unsigned leaf_width,
                                                int unsigned limb_width, int unsigned split_leaf);
    int unsigned cycles = product_cycles(half(bits), leaf_width, limb_width, split_leaf);
    return cycles + (2 * cycles + 2) % Products;
  endfunction

  // Latency of the outermost product. If it is folded: a register, the rounds, the multiplier; s for the
  // lower half of the middle, s for the upper one, s for the top.
  function automatic int unsigned outer_cycles(int unsigned bits, int unsigned leaf_width,
                                               int unsigned limb_width, int unsigned split_leaf,
                                               int unsigned fold);
    int unsigned s = limbs(half(bits), limb_width);
    return (fold == 0) ? product_cycles(bits, leaf_width, limb_width, split_leaf) :
        Products * (1 + fold_rounds(s) + s) + folded_cycles(bits, leaf_width, limb_width, split_leaf);
  endfunction

  // Latency of its low half: it needs half of the middle and no top. Folded, this is a multiple of three
  // cycles less.
  function automatic int unsigned low_cycles(int unsigned bits, int unsigned leaf_width,
                                             int unsigned limb_width, int unsigned split_leaf,
                                             int unsigned fold);
    int unsigned saved = (bits > leaf_width) ? 2 * limbs(half(bits), limb_width) : 0;
    return outer_cycles(bits, leaf_width, limb_width, split_leaf, fold) -
        ((fold == 0) ? saved : saved / Products * Products);
  endfunction

  // Cycles from one pass of an operation to the next: stages of the loop, three to a slot if it is folded.
  function automatic int unsigned depth(int unsigned bits, int unsigned leaf_width, int unsigned limb_width,
                                        int unsigned split_leaf, int unsigned fold,
                                        int unsigned half_products);
    return 1 + ((half_products != 0) ? low_cycles(bits, leaf_width, limb_width, split_leaf, fold) :
        outer_cycles(bits, leaf_width, limb_width, split_leaf, fold));
  endfunction

  // Operations in the loop, the batch that fills it.
  function automatic int unsigned slots(int unsigned bits, int unsigned leaf_width, int unsigned limb_width,
                                        int unsigned split_leaf, int unsigned fold,
                                        int unsigned half_products);
    int unsigned stages = depth(bits, leaf_width, limb_width, split_leaf, fold, half_products);
    return (fold == 0) ? stages : stages / Products;
  endfunction

  // Cycles of t1 + Q·M.
  function automatic int unsigned sum_cycles(int unsigned bits, int unsigned limb_width,
                                             int unsigned half_products);
    return limbs((half_products != 0) ? bits : 2 * bits, limb_width);
  endfunction

  // Cycles from the third product to the response: the sum, then the subtraction or the comparison, the
  // selection and the result memory.
  function automatic int unsigned exit_cycles(int unsigned bits, int unsigned limb_width,
                                              int unsigned with_step4, int unsigned half_products);
    return sum_cycles(bits, limb_width, half_products) +
        ((with_step4 != 0) ? limbs(bits + 1, limb_width) + 3 : 4);
  endfunction

  // Latency of OpMul and of OpReduce, from acceptance to response.
  function automatic int unsigned mul_cycles(int unsigned bits, int unsigned leaf_width,
                                             int unsigned limb_width, int unsigned split_leaf,
                                             int unsigned fold, int unsigned with_step4,
                                             int unsigned half_products);
    return 2 + 2 * depth(bits, leaf_width, limb_width, split_leaf, fold, half_products) +
        outer_cycles(bits, leaf_width, limb_width, split_leaf, fold) +
        exit_cycles(bits, limb_width, with_step4, half_products);
  endfunction

  // Maximum number of operations in flight, including waiting results: the requests that the loop accepts in
  // the time of one operation, plus two, as their count is two cycles old. The pipeline never stalls.
  function automatic int unsigned places(int unsigned bits, int unsigned leaf_width, int unsigned limb_width,
                                         int unsigned split_leaf, int unsigned fold,
                                         int unsigned with_step4, int unsigned half_products);
    int unsigned stages = depth(bits, leaf_width, limb_width, split_leaf, fold, half_products);
    int unsigned batch = slots(bits, leaf_width, limb_width, split_leaf, fold, half_products);
    int unsigned cycles =
        mul_cycles(bits, leaf_width, limb_width, split_leaf, fold, with_step4, half_products);
    int unsigned part = limbs(cycles % (3 * stages), (fold == 0) ? 1 : Products);
    return cycles / (3 * stages) * batch + ((part < batch) ? part : batch) + 2;
  endfunction

  // Bits of an operand that one copy of a select signal drives.
  parameter int unsigned FanOut = 32;

endpackage
