// SPDX-License-Identifier: Apache-2.0
//
// One word of all operand slots and of the multiplier's operands and product.
//
//   x_o, y_o   of the next request: prepared, or the product of this cycle's response
//
// A number is about as wide as the device, so that a control signal of all its bits would be a long net.
// Therefore every word has its own copies of the control registers, and no other signal drives all bits.
//
// Ranges    slot numbers below Slots. A read of a slot that is being written may return any word
// Algorithm product_o is loaded with product_i in every cycle until the response, so that its enable does not
//           depend on the handshake. table_read_q is the masked read of the window table: cleared with the
//           first entry, loaded with that of the digit
// Cycles    writes take effect at the third clock edge; data_i belongs to the we_word_i of the cycle before;
//           x_o and y_o four cycles after their slots and two after their sources; an entry of the table is
//           masked three cycles after its slot is selected, with the table_*_i of the cycle before; lt_o and
//           equal_o six cycles after x_slot_i
// Left out  reset of the slots: they are overwritten instead
//
// Parameters
//   Slots, WordBits   operand slots, and bits of a word
//   Lowest, Legal     the word is the lowest of its slot; number of its bits that a legal M may use

module perle_modexp_word
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned Slots    = 19,
  parameter  int unsigned WordBits = 64,
  parameter  bit          Lowest   = 1'b1,
  parameter  int unsigned Legal    = WordBits,
  localparam int unsigned IdxBits  = $clog2(Slots)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // write
  input  logic                zeroize_i,        // zeros to slot_i and to all registers
  input  logic                we_slot_i,     // the product to slot_i
  input  logic                we_word_i,
  input  logic [ IdxBits-1:0] slot_i,
  input  logic [WordBits-1:0] data_i,
  // product
  input  logic                follow_i,
  input  logic [WordBits-1:0] product_i,
  output logic [WordBits-1:0] product_o,
  // read
  input  logic [ IdxBits-1:0] x_slot_i,
  input  logic [ IdxBits-1:0] y_slot_i,
  // comparison of the slot of x with M
  input  logic [WordBits-1:0] m_i,
  output logic                lt_o,
  output logic                equal_o,
  output logic                zero_o,        // M's word is zero, apart from bit 0 of the lowest word
  output logic                beyond_o,      // M has a bit above Legal in this word
  // table
  input  logic                table_on_i,
  input  logic                table_first_i,
  input  logic                table_hit_i,
  // operands
  input  source_e             x_src_i,
  input  source_e             y_src_i,
  input  logic                square_i,      // ladder: 1: x_slot_i is squared, 0: y_slot_i
  input  logic                stored_i,      // the last product is already in its register
  output logic [WordBits-1:0] x_o,
  output logic [WordBits-1:0] y_o
);

  localparam int unsigned PartBits = 16;
  localparam int unsigned Parts = (WordBits + PartBits - 1) / PartBits;

  logic zeroize_q, we_slot_q, we_q, we_delayed_q, follow_q, on_q, first_q, hit_q, stored_q;
  logic x_one_q, x_table_read_q, x_other_q, x_last_q, y_other_q, y_last_q;
  logic lt;
  logic [Parts-1:0] lt_q, equal_q, zero_q;
  logic [IdxBits-1:0] slot_q, slot_delayed_q, x_slot_q, y_slot_q;
  logic [WordBits-1:0] wdata_q, product_q, table_read_q, x_read, y_read, x_q, y_q, last, compared_q;

  (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zeroize_q <= 1'b0;
      we_q <= 1'b0;
      we_delayed_q <= 1'b0;
      follow_q <= 1'b0;
    end else begin
      zeroize_q <= zeroize_i;
      we_q <= zeroize_i || we_slot_i || we_word_i;
      we_delayed_q <= we_q;
      follow_q <= follow_i;
    end
  end

  (* keep *) always_ff @(posedge clk_i) begin
    we_slot_q <= we_slot_i;
    slot_q <= slot_i;
    slot_delayed_q <= slot_q;
    x_slot_q <= x_slot_i;
    y_slot_q <= y_slot_i;
    on_q <= table_on_i;
    first_q <= table_first_i;
    hit_q <= table_hit_i;
    stored_q <= stored_i;
    x_one_q <= (x_src_i == SrcOne);
    x_table_read_q <= (x_src_i == SrcTable);
    x_other_q <= (x_src_i == SrcPair) && !square_i;
    x_last_q <= (x_src_i == SrcLast);
    y_other_q <= (y_src_i == SrcPair) && square_i;
    y_last_q <= (y_src_i == SrcLast);
  end

  perle_block_ram #(
    .Bits (WordBits),
    .Depth(Slots)
  ) u_x (
    .clk_i,
    .we_i   (we_delayed_q),
    .waddr_i(slot_delayed_q),
    .wdata_i(wdata_q),
    .raddr_i(x_slot_q),
    .data_o (x_read)
  );

  perle_block_ram #(
    .Bits (WordBits),
    .Depth(Slots)
  ) u_y (
    .clk_i,
    .we_i   (we_delayed_q),
    .waddr_i(slot_delayed_q),
    .wdata_i(wdata_q),
    .raddr_i(y_slot_q),
    .data_o (y_read)
  );

  always_ff @(posedge clk_i) begin
    wdata_q <= zeroize_q ? '0 : we_slot_q ? product_q : data_i;
    if (zeroize_q) product_q <= '0;
    else if (follow_q) product_q <= product_i;
    if (zeroize_q) table_read_q <= '0;
    else if (on_q) table_read_q <= (first_q ? '0 : table_read_q) | (hit_q ? y_read : '0);
    if (x_one_q) x_q <= WordBits'(Lowest);
    else x_q <= x_table_read_q ? table_read_q : x_other_q ? y_read : x_read;
    y_q <= y_other_q ? x_read : y_read;
  end

  // Words are compared in parts, for short carry chains. The memory is far from the comparison: a register
  // between.
  for (genvar i = 0; i < Parts; i++) begin : gen_part
    localparam int unsigned Last = ((i + 1) * PartBits < WordBits) ? (i + 1) * PartBits : WordBits;
    localparam int unsigned First = (Lowest && i == 0) ? 1 : i * PartBits;
    always_ff @(posedge clk_i) begin
      compared_q[Last-1:i*PartBits] <= x_read[Last-1:i*PartBits];
      lt_q[i] <= compared_q[Last-1:i*PartBits] < m_i[Last-1:i*PartBits];
      equal_q[i] <= compared_q[Last-1:i*PartBits] == m_i[Last-1:i*PartBits];
      zero_q[i] <= m_i[Last-1:First] == '0;
    end
  end

  // some part is less, and all above it are equal
  always_comb begin
    lt = 1'b0;
    for (int unsigned i = 0; i < Parts; i++) lt = lt_q[i] || (equal_q[i] && lt);
  end

  always_ff @(posedge clk_i) begin
    lt_o <= lt;
    equal_o <= &equal_q;
    zero_o <= &zero_q;
    beyond_o <= (m_i >> Legal) != '0;
  end

  assign product_o = product_q;
  assign last = stored_q ? product_q : product_i;
  assign x_o = x_last_q ? last : x_q;
  assign y_o = y_last_q ? last : y_q;

endmodule
