// SPDX-License-Identifier: Apache-2.0
//
// Types shared by the multipliers, the exponentiator and the boards (see cores/contract.md).

package perle_pkg;

  // Operation of a multiplier.
  //   OpMul     z ≡ x·y·R^-1 (mod M), in the family's redundant range
  //   OpReduce  z = y·R^-1 mod M, canonical: in [0, M); x is ignored
  typedef enum logic {
    OpMul    = 1'b0,
    OpReduce = 1'b1
  } mul_op_e;

  // Command of a board.
  //   CmdMont    z ≡ x·y·R^-1 (mod M), redundant
  //   CmdMulMod  z = x·y mod M
  //   CmdExp     z = x^e mod M
  typedef enum logic [1:0] {
    CmdMont   = 2'd0,
    CmdMulMod = 2'd1,
    CmdExp    = 2'd2
  } cmd_e;

  // Exponentiation algorithm.
  //   ModeWindow  fixed window; time depends on `elen` only: the mode for secret exponents
  //   ModeBinary  left-to-right binary over `elen` bits; time depends on the exponent's weight
  //   ModePaper   ModeBinary over OperandBits bits of the exponent, without the final reduction (tang2003)
  //   ModeLadder  Montgomery ladder over `elen` bits; time depends on `elen` only, as in ModeWindow
  typedef enum logic [1:0] {
    ModeWindow = 2'd0,
    ModeBinary = 2'd1,
    ModePaper  = 2'd2,
    ModeLadder = 2'd3
  } mode_e;

  // Faults of a command, one bit each.
  typedef struct packed {
    logic command;        // undefined operation, mode or exponent length; partial write
    logic operand_range;  // X or Y not below M
    logic modulus_wide;   // M has more than Width bits
    logic modulus_small;  // M is one; zero counts as even
    logic modulus_even;   // M is even
    logic access_busy;    // operand written or result read while busy
    logic start_busy;     // started while busy
  } err_t;

  // Operand banks: the operands that a host writes, then the constants of the modulus.
  typedef enum logic [2:0] {
    BankX     = 3'd0,
    BankY     = 3'd1,
    BankR2    = 3'd2,
    BankE     = 3'd3,
    BankConst = 3'd4  // M; the family's own constants follow
  } bank_e;

endpackage
