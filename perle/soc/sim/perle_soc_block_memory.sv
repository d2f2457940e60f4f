// SPDX-License-Identifier: Apache-2.0
//
// A block memory of an ECP5 (DP16KD) in a routed netlist: two ports, which read and write.
//
// Ranges    16 Kbit and parity: words of 1, 2, 4 bits; of 9, 18, 36 with parity. A word of 18 has its address from bit 4 on,
//           bits 1 and 0 enable its bytes; one of 9 from bit 3 on, 4 from 2, 2 from 1. 36 bits: port A writes,
//           a_data_i the lower half, b_data_i the upper one, enabled by bits 3 to 0 of the address, which is from bit 5 on;
//           port B reads, the upper half at its own output, the lower one at port A's
// Cycles    a word one cycle after its address, with the output register two. A port that writes keeps its output
// Left out  other write modes, resets, contents from the beginning

module perle_soc_block_memory #(
  parameter int unsigned WidthA    = 18,
  parameter int unsigned WidthB    = 18,
  parameter bit          RegisterA = 1'b0,
  parameter bit          RegisterB = 1'b0
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

  // Bytes of nine bits; narrow words leave the ninth alone.
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
      end else if (a_ce_i) begin
        a_q <= word(WidthA, a_addr);
      end
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
      end else if (b_ce_i) begin
        b_q <= word(WidthB, b_addr);
      end
      if (b_oce_i) b_held <= b_q;
    end
  end

  assign a_data_o = RegisterA ? a_held : a_q;
  assign b_data_o = RegisterB ? b_held : b_q;

endmodule
