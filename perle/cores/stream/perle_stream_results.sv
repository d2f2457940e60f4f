// SPDX-License-Identifier: Apache-2.0
//
// Result buffer: digits in, one per cycle; whole operands out.
//
//   z_o = D if ge_i came with the last digit, else V
//
// Ranges    at most InFlight results between first digit and response. The PE chain cannot be stalled, so
//           that there is room for all of them
// Algorithm digits go to two memories in turn. A complete result is read in N cycles into a shift register,
//           and copied from there to the response register. The next one is read meanwhile, but only when it
//           is certain that the response register will be free. Words are cleared after they were read
// Cycles    N + 6 cycles from the last digit (last_i) to the response, unless an earlier one waits; one
//           result in N + 1 cycles. After a reset clear_o is 1 until the memories are zero, one word per
//           cycle
// Left out  a bypass of the memories: which of V and D is the result of OpReduce depends on its last digit
//
// Parameters
//   Digits, RadixBits   N and k
//   InFlight            results that may wait

module perle_stream_results
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Digits      = 58,
  parameter  int unsigned RadixBits   = 18,
  parameter  int unsigned InFlight    = 9,
  localparam int unsigned OperandBits = Digits * RadixBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   clear_o,
  input  logic                   push_i,
  input  logic                   last_i,
  input  logic                   ge_i,
  input  logic [  RadixBits-1:0] value_i,
  input  logic [  RadixBits-1:0] diff_i,
  output logic                   move_o,  // a result is copied to the response register
  output logic                   valid_o,
  input  logic                   ready_i,
  output logic [OperandBits-1:0] z_o
);

  localparam int unsigned PairBits = 2 * RadixBits;
  localparam int unsigned AddrBits = $clog2(InFlight * Digits);  // of a digit; bit 0 selects the memory
  localparam int unsigned CountBits = $clog2(Digits);
  localparam int unsigned IdxBits = $clog2(InFlight);
  localparam int unsigned SpreadDigits = 8;  // digits that share a copy of a control signal
  localparam int unsigned Groups = (Digits + SpreadDigits - 1) / SpreadDigits;

  typedef logic [IdxBits:0] pointer_t;  // one bit more than an index, to tell empty from full

  logic clear_q;
  logic [AddrBits-1:0] write_q, read_q;
  logic [1:0][PairBits-1:0] word;
  pointer_t done_q, begun_q;
  logic [2**IdxBits-1:0] ge_q;
  logic [CountBits-1:0] left_q;
  logic reading_q, diff_q, valid_q, last_valid_q, last_shift_q, full_q;
  logic [1:0] side_q;
  logic start, move_d;
  logic [1:0] pending_q;
  logic diff_delayed_q;
  logic [RadixBits-1:0] digit;
  logic [Digits-1:0][RadixBits-1:0] gather_q, z_q;

  assign clear_o = clear_q;
  assign z_o = z_q;

  // ---------------------------------------------------------------- in: digits, and complete results
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      write_q <= '0;
      done_q <= '0;
      ge_q <= '0;
    end else begin
      if (clear_q && (write_q == '1)) clear_q <= 1'b0;
      if (clear_q || push_i) write_q <= write_q + AddrBits'(1);
      if (push_i && last_i) begin
        done_q <= done_q + pointer_t'(1);
        ge_q[done_q[IdxBits-1:0]] <= ge_i;
      end
      if (start) ge_q[begun_q[IdxBits-1:0]] <= 1'b0;
    end
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    perle_stream_result_ram #(
      .Bits (PairBits),
      .Depth(2 ** (AddrBits - 1))
    ) u_bank (
      .clk_i,
      .rst_ni,
      .push_i     ((clear_q || push_i) && (write_q[0] == b[0])),
      .push_addr_i(write_q[AddrBits-1:1]),
      .data_i     (clear_q ? '0 : {diff_i, value_i}),
      .pop_i      (reading_q && (read_q[0] == b[0])),
      .pop_addr_i (read_q[AddrBits-1:1]),
      .data_o     (word[b])
    );
  end

  // ---------------------------------------------------------------- out: a result is read when there is room
  assign start = (done_q != begun_q) && !reading_q &&
      ((pending_q == '0) || ((pending_q == 2'd1) && (!valid_o || ready_i)));
  assign move_d = full_q && !valid_o && !move_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= '0;
      read_q <= '0;
      left_q <= '0;
      reading_q <= 1'b0;
      diff_q <= 1'b0;
      valid_q <= 1'b0;
      last_valid_q <= 1'b0;
      side_q <= '0;
      last_shift_q <= 1'b0;
      full_q <= 1'b0;
      pending_q <= '0;
      move_o <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (start) begin
        begun_q <= begun_q + pointer_t'(1);
        left_q <= CountBits'(Digits - 1);
        diff_q <= ge_q[begun_q[IdxBits-1:0]];
      end else if (reading_q) begin
        left_q <= left_q - CountBits'(1);
      end
      reading_q <= start || (reading_q && (left_q != '0));
      if (reading_q) read_q <= read_q + AddrBits'(1);
      valid_q <= reading_q;
      last_valid_q <= reading_q && (left_q == '0);
      side_q <= {side_q[0], read_q[0]};
      last_shift_q <= last_valid_q;
      if (last_shift_q) full_q <= 1'b1;
      else if (move_d) full_q <= 1'b0;
      pending_q <= pending_q + 2'(start) - 2'(move_o);
      move_o <= move_d;
      valid_o <= move_o || (valid_o && !ready_i);
    end
  end

  assign digit = diff_delayed_q ? word[side_q[1]][RadixBits+:RadixBits] : word[side_q[1]][RadixBits-1:0];
  always_ff @(posedge clk_i) diff_delayed_q <= diff_q;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned First = g * SpreadDigits;
    localparam int unsigned Count = (First + SpreadDigits < Digits) ? SpreadDigits : Digits - First;
    (* keep *) logic shift_here_q, move_here_q;

    always_ff @(posedge clk_i) begin
      shift_here_q <= valid_q;
      move_here_q <= move_d;
      for (int unsigned j = First; j < First + Count; j++) begin
        if (shift_here_q) gather_q[j] <= (j == Digits - 1) ? digit : gather_q[(j==Digits-1)?0 : j+1];
        if (move_here_q) z_q[j] <= gather_q[j];
      end
    end
  end

endmodule
