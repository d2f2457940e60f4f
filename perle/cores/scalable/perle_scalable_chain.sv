// SPDX-License-Identifier: Apache-2.0
//
// PE chain of p elements: Z ← (Z with p digits of x and q added) / 2^(v·p)
//
// Ranges    as the elements and perle_scalable_align; the words of a pass are contiguous
// Algorithm carter2012 section III, after its reference [4]: Y and M̂ shift left by v bits from element to
//           element; Z stays in place. Where v·i reaches a whole word, the lowest word is empty and is
//           dropped, which takes one cycle. Behind the last element Z is shifted right by the remaining bits
// Cycles    latency p + ⌈vp/w⌉, from the first word in to the first word out
// Left out  the FIFO
//
// Parameters
//   WordWidth   w          Elements   p          Kind   the element (perle_scalable_pkg)
//   Paper       1: the element as drawn in the paper

module perle_scalable_chain
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Elements  = 16,
  parameter  int unsigned Kind      = KindR2,
  parameter  bit          Paper     = 1'b0,
  localparam int unsigned RadixBits = radix_bits(Kind),
  localparam int unsigned Streams   = streams(Kind)
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  flags_t                                    flags_i,
  input  logic                                      next_first_i,  // flags_i.first of the next cycle
  // the digits of a pass and the next lower bit; stable while a first word is in the chain
  input  logic [Elements*RadixBits:0]               x_i,
  input  logic [OwedBits-1:0]                       owed_i,
  input  logic [WordWidth-1:0]                      z_s_i,
  input  logic [WordWidth-1:0]                      z_c_i,
  input  logic [Streams-1:0][WordWidth-1:0]         y_i,
  input  logic [Streams-1:0][WordWidth-1:0]         m_i,
  output logic                                      valid_o,
  output logic [OwedBits-1:0]                       owed_o,
  output logic [WordWidth-1:0]                      z_s_o,
  output logic [WordWidth-1:0]                      z_c_o
);

  localparam int unsigned LastShift = (RadixBits * Elements - 1) % WordWidth + 1;

  // inputs of element i
  flags_t [Elements-1:0] flags;
  logic [Elements-1:0] next_first;  // for R4 and R4B
  logic [Elements-1:0][OwedBits-1:0] owed;
  logic [Elements-1:0][WordWidth-1:0] z_s, z_c;
  logic [Elements-1:0][Streams-1:0][WordWidth-1:0] y, m;
  // outputs of element i
  flags_t [Elements-1:0] flags_q;
  logic [Elements-1:0][OwedBits-1:0] owed_q;
  logic [Elements-1:0][WordWidth-1:0] z_s_q, z_c_q;
  logic [Elements-1:0][Streams-1:0][WordWidth-1:0] y_q, m_q;
  flags_t flags_out;

  assign flags[0] = flags_i;
  assign next_first[0] = next_first_i;
  assign owed[0] = owed_i;
  assign z_s[0] = z_s_i;
  assign z_c[0] = z_c_i;
  assign y[0] = y_i;
  assign m[0] = m_i;

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    localparam int unsigned Pos = RadixBits * i % WordWidth;

    if (Kind == KindR2) begin : gen_r2
      perle_scalable_pe_r2 #(
        .WordWidth(WordWidth),
        .Pos      (Pos)
      ) u_pe (
        .clk_i,
        .first_i(flags[i].first),
        .x_i    (x_i[RadixBits*i+:RadixBits+1]),
        .owed_i (owed[i]),
        .z_s_i  (z_s[i]),
        .z_c_i  (z_c[i]),
        .y_i    (y[i]),
        .m_i    (m[i]),
        .owed_o (owed_q[i]),
        .z_s_o  (z_s_q[i]),
        .z_c_o  (z_c_q[i]),
        .y_o    (y_q[i]),
        .m_o    (m_q[i])
      );
    end else if (Kind == KindR4) begin : gen_r4
      perle_scalable_pe_r4 #(
        .WordWidth(WordWidth),
        .Pos      (Pos),
        .Paper    (Paper)
      ) u_pe (
        .clk_i,
        .next_first_i(next_first[i]),
        .x_i         (x_i[RadixBits*i+:RadixBits+1]),
        .owed_i      (owed[i]),
        .z_s_i       (z_s[i]),
        .z_c_i       (z_c[i]),
        .y_i         (y[i]),
        .m_i         (m[i]),
        .owed_o      (owed_q[i]),
        .z_s_o       (z_s_q[i]),
        .z_c_o       (z_c_q[i]),
        .y_o         (y_q[i]),
        .m_o         (m_q[i])
      );
    end else if (Paper) begin : gen_b4_paper
      perle_scalable_pe_b4_paper #(
        .WordWidth(WordWidth),
        .Pos      (Pos)
      ) u_pe (
        .clk_i,
        .next_first_i(next_first[i]),
        .x_i         (x_i[RadixBits*i+:RadixBits+1]),
        .owed_i      (owed[i]),
        .z_s_i       (z_s[i]),
        .z_c_i       (z_c[i]),
        .y_i         (y[i]),
        .m_i         (m[i]),
        .owed_o      (owed_q[i]),
        .z_s_o       (z_s_q[i]),
        .z_c_o       (z_c_q[i]),
        .y_o         (y_q[i]),
        .m_o         (m_q[i])
      );
    end else begin : gen_b4
      perle_scalable_pe_b4 #(
        .WordWidth(WordWidth),
        .Pos      (Pos)
      ) u_pe (
        .clk_i,
        .next_first_i(next_first[i]),
        .x_i         (x_i[RadixBits*i+:RadixBits+1]),
        .owed_i      (owed[i]),
        .z_s_i       (z_s[i]),
        .z_c_i       (z_c[i]),
        .y_i         (y[i]),
        .m_i         (m[i]),
        .owed_o      (owed_q[i]),
        .z_s_o       (z_s_q[i]),
        .z_c_o       (z_c_q[i]),
        .y_o         (y_q[i]),
        .m_o         (m_q[i])
      );
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flags_q[i] <= '0;
      else flags_q[i] <= flags[i];
    end

    if (i + 1 < Elements) begin : gen_next
      assign owed[i+1] = owed_q[i];
      if (Pos + RadixBits == WordWidth) begin : gen_drop
        assign next_first[i+1] = flags_q[i].first;
        perle_scalable_align #(
          .WordWidth(WordWidth),
          .Shift    (WordWidth),
          .Signed   (Kind == KindB4)
        ) u_align (
          .clk_i,
          .rst_ni,
          .flags_i(flags_q[i]),
          .z_s_i  (z_s_q[i]),
          .z_c_i  (z_c_q[i]),
          .flags_o(flags[i+1]),
          .z_s_o  (z_s[i+1]),
          .z_c_o  (z_c[i+1])
        );
        for (genvar k = 0; k < Streams; k++) begin : gen_stream
          perle_scalable_extend #(
            .WordWidth(WordWidth)
          ) u_y (
            .clk_i,
            .last_i(flags_q[i].last),
            .word_i(y_q[i][k]),
            .word_o(y[i+1][k])
          );
          perle_scalable_extend #(
            .WordWidth(WordWidth)
          ) u_m (
            .clk_i,
            .last_i(flags_q[i].last),
            .word_i(m_q[i][k]),
            .word_o(m[i+1][k])
          );
        end
      end else begin : gen_pass
        assign flags[i+1] = flags_q[i];
        assign next_first[i+1] = flags[i].first;
        assign z_s[i+1] = z_s_q[i];
        assign z_c[i+1] = z_c_q[i];
        assign y[i+1] = y_q[i];
        assign m[i+1] = m_q[i];
      end
    end
  end

  perle_scalable_align #(
    .WordWidth(WordWidth),
    .Shift    (LastShift),
    .Signed   (Kind == KindB4)
  ) u_align (
    .clk_i,
    .rst_ni,
    .flags_i(flags_q[Elements-1]),
    .z_s_i  (z_s_q[Elements-1]),
    .z_c_i  (z_c_q[Elements-1]),
    .flags_o(flags_out),
    .z_s_o,
    .z_c_o
  );

  assign valid_o = flags_out.valid;
  assign owed_o = owed_q[Elements-1];

  logic unused;
  assign unused = ^{next_first, flags_out.first, flags_out.last, y_q[Elements-1], m_q[Elements-1]};

endmodule
