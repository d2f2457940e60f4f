# SPDX-License-Identifier: Apache-2.0
# Reset and interrupts of the CPU of soc.sv. Memory is zero at first, so there is nothing to clear.

.section .text.start
.globl _start
_start:
  la sp, stack_top
  la t0, trap
  csrw mtvec, t0
  call main
  li t0, 0xF0000004
  sw zero, 0(t0)
1:
  j 1b

# The board's interrupt: noted, and masked (CSR 0xBC0 of VexRiscv) until somebody waits again. Anything else
# is an error of the program, and ends it.
.balign 4
trap:
  addi sp, sp, -16
  sw t0, 0(sp)
  sw t1, 4(sp)
  csrr t0, mcause
  bgez t0, 2f
  csrw 0xBC0, zero
  la t0, interrupted
  lw t1, 0(t0)
  addi t1, t1, 1
  sw t1, 0(t0)
  lw t0, 0(sp)
  lw t1, 4(sp)
  addi sp, sp, 16
  mret
2:
  li t0, 0xF0000000
  li t1, '!'
  sw t1, 0(t0)
  sw zero, 4(t0)
  j 2b
