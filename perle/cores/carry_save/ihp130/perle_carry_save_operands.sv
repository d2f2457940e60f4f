// SPDX-License-Identifier: Apache-2.0
//
// Operands in latches of IHP SG13G2, in place of the registers of the generic module: x and y are loaded once
// per product, so that clocking them in every cycle wastes energy, and a latch has little more than half the
// area.
//
// Ranges    as the generic module
// Algorithm a latch is transparent while the clock is low, in every cycle in which a request may be accepted.
//           Its gate is the NOR of the clock and a register that changes while the clock is high, so that it
//           has no glitches. Latches hold a value from the second half of the cycle on after which registers
//           would hold it. x is not shifted: a digit is selected, in two steps, the wide one of which changes
//           once in Rows cycles. ⌊M/β⌋ replaces y one cycle later than with registers, as y is still read in
//           the cycle in which these load it
// Cycles    as the generic module, but digit_o and y_o are not stable in cycles of loading
// Left out  a scan chain through the latches
//
// Parameters as the generic module

module perle_carry_save_operands #(
  parameter int unsigned ValueBits = 265,
  parameter int unsigned RadixBits = 4,
  parameter int unsigned Group     = 16
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 open_next_i,
  input  logic                 modulus_next_i,
  input  logic [ValueBits-1:0] x_i,
  input  logic [ValueBits-1:0] y_i,
  input  logic [ValueBits-1:0] modulus_i,
  output logic [RadixBits-1:0] digit_o,
  output logic [ValueBits-1:0] y_o
);

  localparam int unsigned Digits = (ValueBits + RadixBits - 1) / RadixBits;
  localparam int unsigned Rows = 8;
  localparam int unsigned Columns = (Digits + Rows - 1) / Rows;
  localparam int unsigned Latches = 16;  // latches per NOR
  localparam int unsigned Held = 64;  // latches per register

  logic open_q, modulus_q;
  logic [Rows-1:0] row_q;
  logic [Columns-1:0] column_q;
  logic [ValueBits-1:0] x, y_d;

  // One-hot selection of digit Rows·column + row; none after the last digit.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b1;
      modulus_q <= 1'b0;
      row_q <= '0;
      column_q <= '0;
    end else begin
      open_q <= open_next_i;
      modulus_q <= modulus_next_i;
      row_q <= open_q ? Rows'(1) : {row_q[Rows-2:0], row_q[Rows-1]};
      if (open_q) column_q <= Columns'(1);
      else if (row_q[Rows-1]) column_q <= column_q << 1;
    end
  end

  logic [Columns-1:0][Rows-1:0][RadixBits-1:0] digits;
  assign digits = (Columns * Rows * RadixBits)'(x);

  always_comb begin
    digit_o = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      logic [RadixBits-1:0] digit;
      digit = '0;
      for (int unsigned c = 0; c < Columns; c++) digit |= digits[c][r] & {RadixBits{column_q[c]}};
      digit_o |= digit & {RadixBits{row_q[r]}};
    end
  end

  // Every group has its own copy of the control register; synthesis must not merge them.
  for (genvar g = 0; g < ValueBits; g += Group) begin : gen_groups
    localparam int unsigned Size = (g + Group > ValueBits) ? ValueBits - g : Group;
    logic own_q;
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) own_q <= 1'b1;
      else own_q <= open_next_i;
    end
    assign y_d[g+:Size] = own_q ? y_i[g+:Size] : modulus_i[g+:Size];
  end

  for (genvar h = 0; h < ValueBits; h += Held) begin : gen_held
    localparam int unsigned End = (h + Held > ValueBits) ? ValueBits : h + Held;
    logic hold_x_q, hold_y_q;
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        hold_x_q <= 1'b0;
        hold_y_q <= 1'b0;
      end else begin
        hold_x_q <= !open_next_i;
        hold_y_q <= !open_next_i && !modulus_q;
      end
    end
    for (genvar g = h; g < End; g += Latches) begin : gen_gates
      localparam int unsigned Last = (g + Latches > End) ? End : g + Latches;
      logic load_x, load_y;
      sg13g2_nor2_1 u_x (
        .A(clk_i),
        .B(hold_x_q),
        .Y(load_x)
      );
      sg13g2_nor2_1 u_y (
        .A(clk_i),
        .B(hold_y_q),
        .Y(load_y)
      );
      for (genvar i = g; i < Last; i++) begin : gen_latches
        sg13g2_dlhrq_1 u_x (
          .D      (x_i[i]),
          .GATE   (load_x),
          .RESET_B(rst_ni),
          .Q      (x[i])
        );
        sg13g2_dlhrq_1 u_y (
          .D      (y_d[i]),
          .GATE   (load_y),
          .RESET_B(rst_ni),
          .Q      (y_o[i])
        );
      end
    end
  end

endmodule
