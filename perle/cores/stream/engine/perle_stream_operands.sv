// SPDX-License-Identifier: Apache-2.0
//
// Operands of the products: reads the digits of x, y and M̂ from memories in the beats in which the PE chain
// needs them.
//
//   a_o        digit s of x in beat s = 0 … N−1
//   b_o, m_o   digits s−1 of y and M̂ in beat s = 1 … N, zeros in beat 0
//
// Ranges    op_valid_i once in N + 1 >= 4 cycles, writes at any time
// Algorithm X, Y, R² and M̂ are in memories that the loader writes. Every result is written to two memories:
//           one for x, at slot dest (table entries 0 … 2^w−1, or 2^w), and one for y, at slot dest mod 4. y
//           is the last result; in the ladder any of the four slots
// Cycles    head_o OperandCycles after op_valid_i
//
// Parameters
//   Lanes, Digits, RadixBits   lanes, N, k
//   WindowBits                 w

module perle_stream_operands
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned Digits     = 58,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned WindowBits = 4,
  localparam int unsigned LaneBits   = $clog2(Lanes),
  localparam int unsigned SlotBits   = WindowBits + 1,
  localparam int unsigned Slots      = (1 << WindowBits) + 1,
  localparam int unsigned XBits      = $clog2(Lanes * Slots * Digits),
  localparam int unsigned YBits      = $clog2(Lanes * 4 * Digits),
  localparam int unsigned HostBits   = $clog2(Lanes * 2 * Digits),
  localparam int unsigned BaseBits   = $clog2(Lanes * Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // the product of the turn
  input  logic                 op_valid_i,
  input  logic [ LaneBits-1:0] op_lane_i,
  input  logic                 op_live_i,
  input  from_e                op_x_from_i,
  input  logic [ SlotBits-1:0] op_x_slot_i,
  input  from_e                op_y_from_i,
  input  logic [          1:0] op_y_slot_i,
  input  logic [ SlotBits-1:0] op_dest_i,
  // destination of its result, 2 cycles later
  output logic [    XBits-1:0] dest_x_o,
  output logic [    YBits-1:0] dest_y_o,
  output logic [ BaseBits-1:0] base_o,
  // the PE chain
  output logic                 head_o,
  output logic [RadixBits-1:0] a_o,
  output logic [RadixBits-1:0] b_o,
  output logic [RadixBits-1:0] m_o,
  // digits from the loader: of X, of Y and R2, of M̂
  input  logic                 x_we_i,
  input  logic                 y_we_i,
  input  logic                 mhat_we_i,
  input  logic [ BaseBits-1:0] load_addr_i,
  input  logic [ HostBits-1:0] load_y_addr_i,
  input  logic [RadixBits-1:0] load_digit_i,
  // digits of results
  input  logic                 result_we_i,
  input  logic [    XBits-1:0] result_x_addr_i,
  input  logic [    YBits-1:0] result_y_addr_i,
  input  logic [RadixBits-1:0] result_i
);

  localparam int unsigned CountBits = $clog2(Digits + 1);

  logic [OperandCycles-1:0] at_q;  // cycles since op_valid_i, one-hot
  logic [XBits-1:0] lane_x, slot_x, slot_dest, lane_x_q, slot_x_q, slot_dest_q, base_x_q, x_addr_q;
  logic [YBits-1:0] lane_y, lane_y_q, slot_y, slot_y_dest, base_y_q, base_dest_y_q, y_addr_q;
  logic [BaseBits-1:0] lane_base, lane_base_q, base_q, base_delayed_q, xin_addr_q, mhat_addr_q;
  logic [HostBits-1:0] base_host_q, yin_addr_q;
  logic second_host_q;
  logic [YBits-1:0] slot_y_q, slot_y_dest_q;
  logic [CountBits-1:0] x_left_q, y_left_q;
  logic [1:0] x_on_q, y_on_q;
  from_e x_from_q[2], y_from_q[2], x_from_data_q, y_from_data_q;
  logic live_q[2], live_data_q;
  logic [RadixBits-1:0] xin, xres, yin, yres, mhat;

  // ---------------------------------------------------------------- start addresses
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Slots * Digits),
    .Bits  (XBits)
  ) u_lane_x (
    .index_i(op_lane_i),
    .base_o (lane_x)
  );
  perle_stream_base_table #(
    .Count (Slots),
    .Stride(Digits),
    .Bits  (XBits)
  ) u_slot_x (
    .index_i(op_x_slot_i),
    .base_o (slot_x)
  );
  perle_stream_base_table #(
    .Count (Slots),
    .Stride(Digits),
    .Bits  (XBits)
  ) u_dest_x (
    .index_i(op_dest_i),
    .base_o (slot_dest)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(4 * Digits),
    .Bits  (YBits)
  ) u_lane_y (
    .index_i(op_lane_i),
    .base_o (lane_y)
  );
  perle_stream_base_table #(
    .Count (4),
    .Stride(Digits),
    .Bits  (YBits)
  ) u_slot_y (
    .index_i(op_y_slot_i),
    .base_o (slot_y)
  );
  perle_stream_base_table #(
    .Count (4),
    .Stride(Digits),
    .Bits  (YBits)
  ) u_dest_y (
    .index_i(op_dest_i[1:0]),
    .base_o (slot_y_dest)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Digits),
    .Bits  (BaseBits)
  ) u_lane (
    .index_i(op_lane_i),
    .base_o (lane_base)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= '0;
    else at_q <= {at_q[OperandCycles-2:0], op_valid_i};
  end

  always_ff @(posedge clk_i) begin
    lane_x_q <= lane_x;
    slot_x_q <= slot_x;
    slot_dest_q <= slot_dest;
    lane_y_q <= lane_y;
    slot_y_q <= slot_y;
    slot_y_dest_q <= slot_y_dest;
    second_host_q <= op_y_slot_i[0];
    lane_base_q <= lane_base;
    x_from_q[0] <= op_x_from_i;
    y_from_q[0] <= op_y_from_i;
    live_q[0] <= op_live_i;
    if (at_q[0]) begin
      base_x_q <= lane_x_q + slot_x_q;
      dest_x_o <= lane_x_q + slot_dest_q;
      base_y_q <= lane_y_q + slot_y_q;
      base_dest_y_q <= lane_y_q + slot_y_dest_q;
      base_host_q <= {lane_base_q, 1'b0} + (second_host_q ? HostBits'(Digits) : '0);
      base_q <= lane_base_q;
      x_from_q[1] <= x_from_q[0];
      y_from_q[1] <= y_from_q[0];
      live_q[1] <= live_q[0];
    end
    base_delayed_q <= base_q;
  end

  assign dest_y_o = base_dest_y_q;
  assign base_o = base_q;

  // ---------------------------------------------------------------- one digit per cycle
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_left_q <= '0;
      y_left_q <= '0;
      x_on_q <= '0;
      y_on_q <= '0;
    end else begin
      x_left_q <= at_q[1] ? CountBits'(Digits) : (x_left_q != '0) ? x_left_q - CountBits'(1) : '0;
      y_left_q <= at_q[2] ? CountBits'(Digits) : (y_left_q != '0) ? y_left_q - CountBits'(1) : '0;
      x_on_q <= {x_on_q[0], x_left_q != '0};
      y_on_q <= {y_on_q[0], y_left_q != '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (at_q[1]) begin
      x_addr_q <= base_x_q;
      xin_addr_q <= base_q;
    end else if (x_left_q > CountBits'(1)) begin
      x_addr_q <= x_addr_q + XBits'(1);
      xin_addr_q <= xin_addr_q + BaseBits'(1);
    end
    if (at_q[2]) begin
      y_addr_q <= base_y_q;
      yin_addr_q <= base_host_q;
      mhat_addr_q <= base_delayed_q;
    end else if (y_left_q > CountBits'(1)) begin
      y_addr_q <= y_addr_q + YBits'(1);
      yin_addr_q <= yin_addr_q + HostBits'(1);
      mhat_addr_q <= mhat_addr_q + BaseBits'(1);
    end
    if (at_q[3]) x_from_data_q <= x_from_q[1];
    if (at_q[4]) begin
      y_from_data_q <= y_from_q[1];
      live_data_q <= live_q[1];
    end
    a_o <= '0;
    b_o <= '0;
    m_o <= '0;
    if (x_on_q[1]) begin
      unique case (x_from_data_q)
        FromOne: a_o <= RadixBits'(at_q[4]);
        FromHost: a_o <= xin;
        FromSlot: a_o <= xres;
        default: ;
      endcase
    end
    if (y_on_q[1]) begin
      if (y_from_data_q == FromHost) b_o <= yin;
      if (y_from_data_q == FromSlot) b_o <= yres;
      if (live_data_q) m_o <= mhat;
    end
  end

  assign head_o = at_q[OperandCycles-1];

  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * Digits)
  ) u_xin (
    .clk_i,
    .we_i   (x_we_i),
    .waddr_i(load_addr_i),
    .wdata_i(load_digit_i),
    .raddr_i(xin_addr_q),
    .data_o (xin)
  );
  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * Slots * Digits)
  ) u_xres (
    .clk_i,
    .we_i   (result_we_i),
    .waddr_i(result_x_addr_i),
    .wdata_i(result_i),
    .raddr_i(x_addr_q),
    .data_o (xres)
  );
  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * 2 * Digits)
  ) u_yin (
    .clk_i,
    .we_i   (y_we_i),
    .waddr_i(load_y_addr_i),
    .wdata_i(load_digit_i),
    .raddr_i(yin_addr_q),
    .data_o (yin)
  );
  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * 4 * Digits)
  ) u_yres (
    .clk_i,
    .we_i   (result_we_i),
    .waddr_i(result_y_addr_i),
    .wdata_i(result_i),
    .raddr_i(y_addr_q),
    .data_o (yres)
  );
  perle_ram #(
    .Bits (RadixBits),
    .Depth(Lanes * Digits)
  ) u_mhat (
    .clk_i,
    .we_i   (mhat_we_i),
    .waddr_i(load_addr_i),
    .wdata_i(load_digit_i),
    .raddr_i(mhat_addr_q),
    .data_o (mhat)
  );

endmodule
