// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of the register multiplier: the encoding of instructions in addresses, and their cycles.
//
//   address  19 18 | 17 ………… 12 | 11 ………… 6 | 5 ………… 0
//             00   |  n · Segments + d, a word of the registers        WriteR, ReadR
//             01   |  a         |  s0       |  p1                    Charge
//             10   |  b         |  s1       |  p0                    Mult
//
// Each of a, s0, p1, b, s1, p0 is a valid bit above a register number; 0 is the paper's "-": as a source the
// value zero, as a destination none.

package perle_reg_mul_pkg;

  parameter int unsigned AddrBits = 20;

  typedef enum logic [1:0] {
    OpRegister  = 2'd0,
    OpCharge    = 2'd1,
    OpMult      = 2'd2,
    OpUndefined = 2'd3
  } op_e;

  typedef struct packed {
    logic       valid;
    logic [4:0] index;
  } spec_t;

  typedef struct packed {
    op_e   op;
    spec_t x;  // a or b: the operand
    spec_t y;  // s0 or s1: the addend
    spec_t p;  // p1 or p0: the destination
  } instruction_t;

  // Busy cycles after the one in which Mult is accepted: two to fetch the first words, the bits, one to store
  // the last word.
  function automatic int unsigned mult_busy(int unsigned width, int unsigned bits_per_cycle);
    return width / bits_per_cycle + 3;
  endfunction

  // The same for Charge: the bits, one to store the last word, one to read the last word of A, and R[s0].
  function automatic int unsigned charge_busy(int unsigned width, int unsigned bits_per_cycle,
                                              int unsigned segments);
    return width / bits_per_cycle + 2 + segments;
  endfunction

endpackage
