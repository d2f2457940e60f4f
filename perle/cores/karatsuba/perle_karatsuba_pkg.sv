// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the recursive product and of the batch-pipelined multiplier around it.

package perle_karatsuba_pkg;

  // The three products of an operation, all on one datapath.
  typedef enum logic [1:0] {
    PassProduct,   // t1 = x·y
    PassQuotient,  // t2 = Q = (t1 mod R)·mprime mod R
    PassSum        // u = (t1 + Q·M)/R
  } pass_e;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMprime = 1;
  parameter int unsigned ConstCount = 2;

  // A leaf is a device multiplier with its input and its output register.
  parameter int unsigned LeafCycles = 2;

  // Bits of an operand line, and RExp: with step 4 operands are below M, without it below 2M and R >= 4M.
  function automatic int unsigned operand_bits(int unsigned width, int unsigned with_step4);
    return (with_step4 != 0) ? width : width + 2;
  endfunction

  // Limbs, and so cycles, of a multiple-precision adder.
  function automatic int unsigned limbs(int unsigned bits, int unsigned limb_width);
    return (bits + limb_width - 1) / limb_width;
  endfunction

  // Bits of a limb: no limb is longer than it has to be.
  function automatic int unsigned limb_size(int unsigned bits, int unsigned limb_width);
    return (bits + limbs(bits, limb_width) - 1) / limbs(bits, limb_width);
  endfunction

  // Bits of a half of an operand; an odd operand gets a leading zero.
  function automatic int unsigned half(int unsigned bits);
    return (bits + 1) / 2;
  endfunction

  // Cycles of a product. A layer with s limbs in a half: s + 1 absolute differences, 2s the middle, s the top.
  function automatic int unsigned product_cycles(int unsigned bits, int unsigned leaf_width,
                                                 int unsigned limb_width);
    int unsigned n = bits;
    int unsigned cycles = LeafCycles;
    while (n > leaf_width) begin
      n = half(n);
      cycles += 4 * limbs(n, limb_width) + 1;
    end
    return cycles;
  endfunction

  // Cycles until the low half of a product is there: the outermost layer needs half of its middle and no top.
  function automatic int unsigned low_cycles(int unsigned bits, int unsigned leaf_width,
                                             int unsigned limb_width);
    return product_cycles(bits, leaf_width, limb_width) -
        ((bits > leaf_width) ? 2 * limbs(half(bits), limb_width) : 0);
  endfunction

  // Cycles from one pass of an operation to the next: slots of the loop, the batch that fills it.
  function automatic int unsigned depth(int unsigned bits, int unsigned leaf_width, int unsigned limb_width,
                                        int unsigned half_products);
    return 1 + ((half_products != 0) ? low_cycles(bits, leaf_width, limb_width) :
        product_cycles(bits, leaf_width, limb_width));
  endfunction

  // Cycles of t1 + Q·M.
  function automatic int unsigned sum_cycles(int unsigned bits, int unsigned limb_width,
                                             int unsigned half_products);
    return limbs((half_products != 0) ? bits : 2 * bits, limb_width);
  endfunction

  // Cycles from the third product to the response: the sum, then the subtraction or the comparison, the choice
  // and the memory of results.
  function automatic int unsigned exit_cycles(int unsigned bits, int unsigned limb_width,
                                              int unsigned with_step4, int unsigned half_products);
    return sum_cycles(bits, limb_width, half_products) +
        ((with_step4 != 0) ? limbs(bits + 1, limb_width) + 3 : 4);
  endfunction

  // Cycles from the acceptance of a request to its response, OpMul and OpReduce alike.
  function automatic int unsigned mul_cycles(int unsigned bits, int unsigned leaf_width,
                                             int unsigned limb_width, int unsigned with_step4,
                                             int unsigned half_products);
    return 2 + 2 * depth(bits, leaf_width, limb_width, half_products) +
        product_cycles(bits, leaf_width, limb_width) +
        exit_cycles(bits, limb_width, with_step4, half_products);
  endfunction

  // Results that are under way or wait to be taken, at most: as many requests as the loop takes in the time of an
  // operation, and two, as the count of them is two cycles late. The pipeline never stops.
  function automatic int unsigned places(int unsigned bits, int unsigned leaf_width, int unsigned limb_width,
                                         int unsigned with_step4, int unsigned half_products);
    int unsigned threads = depth(bits, leaf_width, limb_width, half_products);
    int unsigned cycles = mul_cycles(bits, leaf_width, limb_width, with_step4, half_products);
    int unsigned part = cycles % (3 * threads);
    return cycles / (3 * threads) * threads + ((part < threads) ? part : threads) + 2;
  endfunction

  // Registers of a line that one copy of a select drives: a select of wider lines is copied.
  parameter int unsigned FanOut = 32;

endpackage
