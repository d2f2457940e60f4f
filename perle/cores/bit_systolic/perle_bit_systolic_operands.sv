// SPDX-License-Identifier: Apache-2.0
//
// Holds the bits of B, M and M + B at their columns, for the two products that share the row.
//
//   mb_j = b_j xor m_j xor k_j ;  k_{j+1} = majority(b_j, m_j, k_j) ;  k_0 = 0 ;  mb_n = k_n
//
// Ranges    B in [0, 2^n), M in [0, 2^(n−1)); M + B has n + 1 bits
// Algorithm nedjah2002 section 4: M + B is added once per product by a row of full adders. The addition moves
//           from column to column, one cycle ahead of the first row of the product, and computes mb_j from
//           b_j there. The two products alternate cycle by cycle, so that every bit is in a ring of two
//           registers, whose head belongs to the row that is in the column now. Bits of B that are not yet
//           loaded also wait in a ring: column j loads after j cycles, from the head if j is odd. Bits are
//           cleared after their last use. M is stable; with one context a register at each column follows it,
//           as the constants may come from far away. With several contexts the number of the context moves
//           with the addition
// Cycles    load_i in cycle 0, with load_slot_i of all columns; column j is loaded at the end of cycle j
//
// Parameters
//   Bits       n, bits of an operand
//   Contexts   moduli to choose from

module perle_bit_systolic_operands
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Bits     = 1025,
  parameter  int unsigned Contexts = 1,
  localparam int unsigned CtxBits  = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic [Contexts-1:0][ConstCount-1:0][Bits-1:0] mod_i,
  input  logic                                          load_i,       // loading starts in column 0
  input  logic [    Bits-1:0]                           load_slot_i,  // with load_i: the operand slot loads
  input  logic [ CtxBits-1:0]                           ctx_i,
  input  logic [    Bits-1:0]                           b_i,
  input  logic [      Bits:0]                           last_i,   // the product's last row is in this column
  output logic [      Bits:0]                           first_o,  // the product's first row is in this column
  output logic [    Bits-1:0]                           b_o,
  output logic [    Bits-1:0]                           m_o,
  output logic [      Bits:1]                           mb_o
);

  // columns whose bit of B is in the head of the ring when the column loads it
  localparam logic [Bits-1:0] OddColumns = Bits'({(Bits + 1) / 2{2'b10}});

  logic [Bits+1:1] load_q;
  logic [Bits:0] load;
  logic [Bits-1:0] slot_head_q, slot_tail_q, slot;
  logic [Bits-1:0] b_head_q, b_tail_q, m_load, carry, carry_next;
  logic [Bits:1] mb_head_q, mb_tail_q, mb, k_q;

  assign load = {load_q[Bits:1], load_i};
  assign first_o = load_q[Bits+1:1];
  assign b_o = b_head_q;
  assign mb_o = mb_head_q;

  // column 0 loads in the cycle in which the operand arrives
  always_comb begin
    slot = (slot_head_q & OddColumns) | (slot_tail_q & ~OddColumns);
    slot[0] = b_i[0];
  end

  assign carry = {k_q[Bits-1:1], 1'b0};
  assign carry_next = (slot & m_load) | (slot & carry) | (m_load & carry);
  assign mb = {k_q[Bits], slot[Bits-1:1] ^ m_load[Bits-1:1] ^ k_q[Bits-1:1]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_q <= '0;
      slot_head_q <= '0;
      slot_tail_q <= '0;
      b_head_q <= '0;
      b_tail_q <= '0;
      mb_head_q <= '0;
      mb_tail_q <= '0;
      k_q <= '0;
    end else begin
      load_q <= load;
      slot_head_q <= (load_slot_i & b_i & ~Bits'(1)) |
          (~load_slot_i & slot_tail_q & ~(load[Bits-1:0] & ~OddColumns));
      slot_tail_q <= slot_head_q & ~(load[Bits-1:0] & OddColumns);
      b_head_q <= (load[Bits-1:0] & slot) | (~load[Bits-1:0] & b_tail_q);
      b_tail_q <= b_head_q & ~last_i[Bits-1:0];
      mb_head_q <= (load[Bits:1] & mb) | (~load[Bits:1] & mb_tail_q);
      mb_tail_q <= mb_head_q & ~last_i[Bits:1];
      k_q <= load[Bits-1:0] & carry_next;
    end
  end

  if (Contexts == 1) begin : gen_one_modulus
    logic [Bits-1:0] m_q;

    always_ff @(posedge clk_i) m_q <= mod_i[0][ConstM];
    // column 0 loads in the cycle in which the operand arrives
    assign m_load = {m_q[Bits-1:1], mod_i[0][ConstM][0]};
    assign m_o = m_q;

    logic unused_ctx;
    assign unused_ctx = ^ctx_i;
  end else begin : gen_moduli
    // the context number moves with the loading, and is then kept in a ring as the operands are
    logic [Bits-1:1][CtxBits-1:0] wave_q;
    logic [Bits-1:0][CtxBits-1:0] wave, head_q, tail_q;

    assign wave = {wave_q, ctx_i};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wave_q <= '0;
        head_q <= '0;
        tail_q <= '0;
      end else begin
        wave_q <= wave[Bits-2:0];
        for (int unsigned j = 0; j < Bits; j++) begin
          head_q[j] <= load[j] ? wave[j] : tail_q[j];
          tail_q[j] <= head_q[j];
        end
      end
    end

    always_comb begin
      for (int unsigned j = 0; j < Bits; j++) begin
        m_load[j] = mod_i[wave[j]][ConstM][j];
        m_o[j] = mod_i[head_q[j]][ConstM][j];
      end
    end
  end

endmodule
