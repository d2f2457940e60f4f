// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of an ECP5 block memory (DP16KD) for a routed netlist: two ports that read and write.
//
// Ranges    16 Kbit and parity: words of 1, 2 or 4 bits; of 9, 18 or 36 with parity. The word address starts
//           at address bit 4 for 18 bits (bits 1 and 0 enable the bytes), at bit 3 for 9, 2 for 4 and 1 for 2
//           bits. 36 bits: port A writes, a_data_i the lower half and b_data_i the upper one; the word
//           address starts at bit 5, bits 3 to 0 enable the bytes; port B reads, the upper half at b_data_o,
//           the lower at a_data_o
// Cycles    read latency 1, with the output register 2. A write leaves the port's output unchanged, or with
//           write-through it outputs the word as it is after the write (not at 36 bits)
// Left out  the third write mode, resets, initial contents
//
// Parameters
//   WidthA, WidthB         bits of a word
//   RegisterA, RegisterB   1: a register at the output
//   ThroughA, ThroughB     1: write-through

module perle_soc_block_memory #(
  parameter int unsigned WidthA    = 18,
  parameter int unsigned WidthB    = 18,
  parameter bit          RegisterA = 1'b0,
  parameter bit          RegisterB = 1'b0,
  parameter bit          ThroughA  = 1'b0,
  parameter bit          ThroughB  = 1'b0
) (
  input  logic        a_clk_i,
  input  logic        a_ce_i,
  input  logic        a_oce_i,
  input  logic        a_we_i,
  input  logic [13:0] a_addr_i,
  input  logic [17:0] a_data_i,
  output logic [17:0] a_data_o,
  input  logic        b_clk_i,
  input  logic        b_ce_i,
  input  logic        b_oce_i,
  input  logic        b_we_i,
  input  logic [13:0] b_addr_i,
  input  logic [17:0] b_data_i,
  output logic [17:0] b_data_o
);

  localparam bit Wide = (WidthA == 36);

  // Bytes of nine bits; words of 1, 2 and 4 bits do not use the ninth.
  logic [8:0] bytes[2048];
  logic [17:0] a_q, b_q, a_held, b_held;

  function automatic logic [17:0] word(int unsigned width, logic [13:0] addr);
    unique case (width)
      18, 36:  return {bytes[{addr[13:4], 1'b1}], bytes[{addr[13:4], 1'b0}]};
      9:       return {9'b0, bytes[addr[13:3]]};
      4:       return {14'b0, addr[2] ? bytes[addr[13:3]][7:4] : bytes[addr[13:3]][3:0]};
      2:       return {16'b0, bytes[addr[13:3]][{addr[2:1], 1'b0}+:2]};
      default: return {17'b0, bytes[addr[13:3]][addr[2:0]]};
    endcase
  endfunction

  // A word after a write: at 18 bits a byte that is not enabled stays as it was.
  function automatic logic [17:0] written(int unsigned width, logic [13:0] addr, logic [17:0] data);
    logic [17:0] old;
    old = word(width, addr);
    if (width != 18) return data & 18'((1 << width) - 1);
    return {addr[1] ? data[17:9] : old[17:9], addr[0] ? data[8:0] : old[8:0]};
  endfunction

  if (Wide) begin : gen_wide
    always_ff @(posedge a_clk_i) begin
      if (a_ce_i && a_we_i) begin
        if (a_addr_i[0]) bytes[{a_addr_i[13:5], 2'd0}] <= a_data_i[8:0];
        if (a_addr_i[1]) bytes[{a_addr_i[13:5], 2'd1}] <= a_data_i[17:9];
        if (a_addr_i[2]) bytes[{a_addr_i[13:5], 2'd2}] <= b_data_i[8:0];
        if (a_addr_i[3]) bytes[{a_addr_i[13:5], 2'd3}] <= b_data_i[17:9];
      end
    end
    always_ff @(posedge b_clk_i) begin
      if (b_ce_i) begin
        a_q <= word(WidthB, {b_addr_i[13:5], 1'b0, b_addr_i[3:0]});
        b_q <= word(WidthB, {b_addr_i[13:5], 1'b1, b_addr_i[3:0]});
      end
      if (b_oce_i) begin
        a_held <= a_q;
        b_held <= b_q;
      end
    end
  end else begin : gen_two_ports
    logic [13:0] a_addr, b_addr;
    assign a_addr = a_addr_i;
    assign b_addr = b_addr_i;
    always_ff @(posedge a_clk_i) begin
      if (a_ce_i && a_we_i) begin
        unique case (WidthA)
          18: begin
            if (a_addr[0]) bytes[{a_addr[13:4], 1'b0}] <= a_data_i[8:0];
            if (a_addr[1]) bytes[{a_addr[13:4], 1'b1}] <= a_data_i[17:9];
          end
          9:       bytes[a_addr[13:3]] <= a_data_i[8:0];
          4:       bytes[a_addr[13:3]][{a_addr[2], 2'b0}+:4] <= a_data_i[3:0];
          2:       bytes[a_addr[13:3]][{a_addr[2:1], 1'b0}+:2] <= a_data_i[1:0];
          default: bytes[a_addr[13:3]][{1'b0, a_addr[2:0]}] <= a_data_i[0];
        endcase
      end
      if (a_ce_i && !a_we_i) a_q <= word(WidthA, a_addr);
      if (a_ce_i && a_we_i && ThroughA) a_q <= written(WidthA, a_addr, a_data_i);
      if (a_oce_i) a_held <= a_q;
    end
    always_ff @(posedge b_clk_i) begin
      if (b_ce_i && b_we_i) begin
        unique case (WidthB)
          18: begin
            if (b_addr[0]) bytes[{b_addr[13:4], 1'b0}] <= b_data_i[8:0];
            if (b_addr[1]) bytes[{b_addr[13:4], 1'b1}] <= b_data_i[17:9];
          end
          9:       bytes[b_addr[13:3]] <= b_data_i[8:0];
          4:       bytes[b_addr[13:3]][{b_addr[2], 2'b0}+:4] <= b_data_i[3:0];
          2:       bytes[b_addr[13:3]][{b_addr[2:1], 1'b0}+:2] <= b_data_i[1:0];
          default: bytes[b_addr[13:3]][{1'b0, b_addr[2:0]}] <= b_data_i[0];
        endcase
      end
      if (b_ce_i && !b_we_i) b_q <= word(WidthB, b_addr);
      if (b_ce_i && b_we_i && ThroughB) b_q <= written(WidthB, b_addr, b_data_i);
      if (b_oce_i) b_held <= b_q;
    end
  end

  assign a_data_o = RegisterA ? a_held : a_q;
  assign b_data_o = RegisterB ? b_held : b_q;

endmodule
