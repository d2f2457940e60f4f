// SPDX-License-Identifier: Apache-2.0
//
// What the files of the register multiplier share: how an address spells an instruction, and its cycles.
//
//   address  19 18 | 17 ………… 12 | 11 ………… 6 | 5 ………… 0
//             00   |  n · Segments + d, a word of the registers        WriteR, ReadR
//             01   |  a         |  s0       |  p1                    Charge
//             10   |  b         |  s1       |  p0                    Mult
//
// Each of a, s0, p1, b, s1, p0 is a valid bit over a register's number; 0 is the paper's "-": as a source
// the value zero, as a destination none.

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
    spec_t y;  // s0 or s1: the summand
    spec_t p;  // p1 or p0: the destination
  } instruction_t;

  // Cycles for which the board is busy after the one in which Mult is taken: two to fetch the first words,
  // the bits, one to store the last word.
  function automatic int unsigned mult_busy(int unsigned width, int unsigned bits_per_cycle);
    return width / bits_per_cycle + 3;
  endfunction

  // The same for Charge: the bits, one to store the last word, one to read the last word of A, and R[s0].
  function automatic int unsigned charge_busy(int unsigned width, int unsigned bits_per_cycle,
                                              int unsigned segments);
    return width / bits_per_cycle + 2 + segments;
  endfunction

endpackage
