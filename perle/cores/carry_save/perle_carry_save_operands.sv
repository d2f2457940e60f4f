// SPDX-License-Identifier: Apache-2.0
//
// Operand registers: x, which is output digit by digit, and y, which OpReduce replaces by the modulus.
//
// Ranges    x_i, y_i and modulus_i, which is ⌊M/β⌋, in [0, 2^ValueBits)
// Algorithm registers load in every cycle in which a request may be accepted, so that their enable does not
//           depend on the handshake. Afterwards x is shifted out digit by digit and y is kept; in OpReduce
//           ⌊M/β⌋ replaces it
// Cycles    digit_o has digit i of x in cycle i after loading has ended (the first cycle after open_next_i =
//           0 is cycle 0), and 0 after the last digit
//
// Parameters
//   ValueBits   bits of an operand that may be 1
//   RadixBits   k, bits of a digit
//   Group       bits that share a copy of the control signals

module perle_carry_save_operands #(
  parameter int unsigned ValueBits = 265,
  parameter int unsigned RadixBits = 4,
  parameter int unsigned Group     = 16
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 open_next_i,     // operands are loaded in the next cycle
  input  logic                 modulus_next_i,  // modulus_i replaces y in the next cycle
  input  logic [ValueBits-1:0] x_i,
  input  logic [ValueBits-1:0] y_i,
  input  logic [ValueBits-1:0] modulus_i,
  output logic [RadixBits-1:0] digit_o,
  output logic [ValueBits-1:0] y_o
);

  logic [ValueBits-1:0] x_q, x_shifted, y_q;

  assign x_shifted = x_q >> RadixBits;
  assign digit_o   = x_q[RadixBits-1:0];
  assign y_o       = y_q;

  // Every group has its own copies of the control registers; synthesis must not merge them.
  for (genvar g = 0; g < ValueBits; g += Group) begin : gen_groups
    localparam int unsigned Size = (g + Group > ValueBits) ? ValueBits - g : Group;
    logic open_q, modulus_q;
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        open_q <= 1'b1;
        modulus_q <= 1'b0;
      end else begin
        open_q <= open_next_i;
        modulus_q <= modulus_next_i;
      end
    end
    always_ff @(posedge clk_i) begin
      x_q[g+:Size] <= open_q ? x_i[g+:Size] : x_shifted[g+:Size];
      if (open_q) y_q[g+:Size] <= y_i[g+:Size];
      else if (modulus_q) y_q[g+:Size] <= modulus_i[g+:Size];
    end
  end

endmodule
