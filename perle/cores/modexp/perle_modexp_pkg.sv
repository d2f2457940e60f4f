// SPDX-License-Identifier: Apache-2.0
//
// The steps of the exponentiator's commands.

package perle_modexp_pkg;

  // The product that is requested next or in flight. z is the last product.
  typedef enum logic [3:0] {
    StZeroize,   // overwrite the operand slots
    StFlush,     // 0·0: overwrites the multiplier's registers
    StIdle,
    StMont,      // x·y
    StMulIn,     // x·R²
    StMulXY,     // z·y
    StMulDomain, // z·R²
    StBase,      // T[1] ← x·R²
    StTable,     // T[i] ← T[1]·T[i−1]
    StOne,       // T[0] ← 1·R²: the accumulator starts as 1
    StSquare,    // z·z
    StMultiply,  // T[digit]·z
    StLadder,    // R0·R1
    StStep,      // R_bit·R_bit
    StExit      // out of the domain
  } state_e;

  // Where an operand comes from.
  typedef enum logic [2:0] {
    SrcOne,
    SrcSlot,
    SrcLast,    // the last product: from the multiplier in the cycle of its response, later from its register
    SrcTable,  // T[digit]
    SrcPair     // one of the two operand slots that are read
  } source_e;

endpackage
