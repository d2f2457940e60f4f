// SPDX-License-Identifier: Apache-2.0
//
// Multiplier with the ports of the contract, made of one context of a tile: one product at a time.
//
//   OpMul: z ≡ x·y·R^-1 (mod M)      OpReduce: z = y·R^-1 mod M
//
// Ranges    x, y, z in [0, 2·Mt), Mt = mprime·M; canonical after OpReduce. R = β^N, β = 2^(3·RadixBits)
// Algorithm writes the blocks of x, y and M̂ to the tile's memories, requests one product and reads the
//           blocks of z. OpReduce is the product by β, then perle_tile_leave
// Cycles    always mul_cycles or reduce_cycles of perle_tile_pkg, whichever turn the tile begins in
// Left out  the other three contexts, which stay idle: engine/ uses all of them
//
// Parameters
//   Width       bits of the widest modulus
//   RadixBits   k, bits of a digit
//   Contexts    moduli held by the wrapper and selected by req_ctx_i
//   TagBits     bits of the tag that travels with an operation

module perle_tile_mul
  import perle_pkg::*;
  import perle_tile_pkg::ConstCount;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned RadixBits   = 18,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  // verilator lint_off UNUSEDPARAM
  parameter  bit          Narrow      = 1'b0,  // this one and the next: of the engine
  parameter  int unsigned Powers      = 16,
  // verilator lint_on UNUSEDPARAM
  localparam int unsigned BlockBits   = 3 * RadixBits,
  localparam int unsigned Blocks      = perle_tile_pkg::blocks_for(Width, BlockBits),
  localparam int unsigned OperandBits = BlockBits * Blocks,
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                     clk_i,
  input  logic                                                     rst_ni,
  // verilator lint_off UNUSEDSIGNAL
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0]  mod_i,  // of m′ only the lowest digit
  // verilator lint_on UNUSEDSIGNAL
  input  logic                                                     req_valid_i,
  output logic                                                     req_ready_o,
  input  mul_op_e                                                  req_op_i,
  input  logic    [ CtxBits-1:0]                                   req_ctx_i,
  input  logic    [ TagBits-1:0]                                   req_tag_i,
  input  logic    [OperandBits-1:0]                                req_x_i,
  input  logic    [OperandBits-1:0]                                req_y_i,
  output logic                                                     rsp_valid_o,
  input  logic                                                     rsp_ready_i,
  output logic    [ TagBits-1:0]                                   rsp_tag_o,
  output logic    [OperandBits-1:0]                                rsp_z_o
);

  localparam int unsigned Digits = 3 * Blocks;
  localparam int unsigned AddrBits = $clog2(2 * Blocks);
  localparam int unsigned CountBits = $clog2(Digits + 3);  // three zero digits follow the others
  localparam int unsigned LeaveBits = $clog2(Digits + 1);
  localparam int unsigned IndexBits = perle_tile_pkg::index_bits(Blocks);
  localparam int unsigned MulCycles = perle_tile_pkg::mul_cycles(Blocks);
  localparam int unsigned ReduceCycles = perle_tile_pkg::reduce_cycles(Blocks);
  localparam int unsigned TimeBits = $clog2(ReduceCycles + 1);

  typedef enum logic [3:0] {
    Idle,
    WriteX,
    WriteY,
    WriteM,
    Ask,
    Wait,
    Read,
    Enter,   // digits of z
    Leave,
    Result,  // digits of the result
    Hold
  } state_t;

  state_t state_q;
  logic accept, reduce_q, ready, valid, busy, left, shift_z, there;
  logic [CtxBits-1:0] ctx_q;
  logic [CountBits-1:0] count_q, read_q;
  logic [TimeBits-1:0] time_q;
  logic [OperandBits-1:0] x_q, y_q, z_q, mhat, m;
  logic [AddrBits-1:0] addr;
  logic [1:0] write;
  logic [BlockBits-1:0] data, word;
  logic [LeaveBits-1:0] m_index;
  logic [1:0][RadixBits-1:0] m_q;
  logic [RadixBits-1:0] digit;
  logic [perle_tile_pkg::Contexts-1:0] tile_busy;
  logic asked, unused;

  assign accept = req_valid_i && req_ready_o;
  assign req_ready_o = (state_q == Idle) || (rsp_valid_o && rsp_ready_i);
  assign rsp_z_o = z_q;
  assign mhat = mod_i[ctx_q][perle_tile_pkg::ConstMhat];
  assign m = mod_i[ctx_q][perle_tile_pkg::ConstM];
  assign busy = tile_busy[0];
  assign unused = ^{tile_busy, asked};  // with one context a request is accepted at once

  // ---------------------------------------------------------------- operands and result, by blocks and
  // digits
  assign addr = AddrBits'(count_q) + ((state_q == WriteM) ? AddrBits'(Blocks) : '0);
  always_comb begin
    unique case (state_q)
      WriteX: {write, data} = {2'b01, x_q[BlockBits-1:0]};
      WriteY: {write, data} = {2'b10, y_q[BlockBits-1:0]};
      // M̂ also goes to X: quotients overwrite it there, but until then X needs a known value
      WriteM: {write, data} = {2'b11, mhat[32'(count_q)*BlockBits+:BlockBits]};
      default: {write, data} = '0;
    endcase
  end
  assign shift_z = (state_q == Enter) || (state_q == Result);
  assign there = (count_q < CountBits'(Digits));

  always_ff @(posedge clk_i) begin
    if (accept) begin
      x_q <= (req_op_i == OpReduce) ? req_y_i : req_x_i;
      y_q <= (req_op_i == OpReduce) ? OperandBits'(1) << BlockBits : req_y_i;
      {reduce_q, ctx_q, rsp_tag_o} <= {req_op_i == OpReduce, req_ctx_i, req_tag_i};
    end
    if (state_q == WriteX) x_q <= x_q >> BlockBits;
    if (state_q == WriteY) y_q <= y_q >> BlockBits;
    if (valid) z_q <= {word, z_q[OperandBits-1:BlockBits]};
    else if (shift_z) z_q <= {(state_q == Result && there) ? digit : '0, z_q[OperandBits-1:RadixBits]};
    m_q <= {m_q[0], m[32'(m_index)*RadixBits+:RadixBits]};
  end

  // ---------------------------------------------------------------- state machine
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      count_q <= '0;
      read_q <= '0;
      time_q <= '0;
      rsp_valid_o <= 1'b0;
    end else begin
      time_q <= accept ? TimeBits'(2) : time_q + TimeBits'(1);
      count_q <= '0;
      read_q <= (state_q == Read) ? read_q + CountBits'(valid) : '0;
      unique case (state_q)
        Idle: ;
        WriteX, WriteY, WriteM: begin
          count_q <= count_q + CountBits'(ready);
          if (ready && count_q == CountBits'(Blocks - 1)) begin
            count_q <= '0;
            state_q <= (state_q == WriteX) ? WriteY : (state_q == WriteY) ? WriteM : Ask;
          end
        end
        Ask: state_q <= Wait;
        Wait: begin
          // meanwhile zeros overwrite the digits of an earlier operand in perle_tile_leave
          count_q <= (count_q == CountBits'(Digits)) ? count_q : count_q + CountBits'(1);
          if (!busy && count_q == CountBits'(Digits)) begin
            count_q <= '0;
            state_q <= Read;
          end
        end
        Read: begin
          count_q <= (count_q == CountBits'(Blocks)) ? count_q : count_q + CountBits'(ready);
          if (valid && read_q == CountBits'(Blocks - 1)) begin
            count_q <= '0;
            state_q <= reduce_q ? Enter : Hold;
          end
        end
        Enter: begin
          count_q <= count_q + CountBits'(1);
          if (count_q == CountBits'(Digits - 1)) begin
            count_q <= '0;
            state_q <= Leave;
          end
        end
        Leave: if (left) begin
          count_q <= CountBits'(3);
          state_q <= Result;
        end
        Result: begin
          // three digits of zero above the others
          count_q <= count_q + CountBits'(1);
          if (count_q == CountBits'(Digits + 2)) state_q <= Hold;
        end
        default: begin
          if (time_q == TimeBits'(reduce_q ? ReduceCycles : MulCycles)) rsp_valid_o <= 1'b1;
          if (rsp_valid_o && rsp_ready_i) begin
            rsp_valid_o <= 1'b0;
            state_q <= Idle;
          end
        end
      endcase
      if (accept) state_q <= WriteX;
    end
  end

  // ---------------------------------------------------------------- the tile, and the last step
  perle_tile #(
    .RadixBits(RadixBits),
    .MaxBlocks(Blocks),
    .AddrBits (AddrBits),
    .Erase    (1'b1)
  ) u_tile (
    .clk_i,
    .rst_ni,
    .blocks_i    (IndexBits'(Blocks)),
    .req_valid_i (state_q == Ask),
    .req_ready_o (asked),
    .req_ctx_i   ('0),
    .req_x_i     ('0),
    .req_y_i     ('0),
    .req_z_i     ('0),
    .req_m_i     (AddrBits'(Blocks)),
    .req_write_i (2'b11),
    .busy_o      (tile_busy),
    .host_valid_i(write != '0 || (state_q == Read && count_q != CountBits'(Blocks))),
    .host_ready_o(ready),
    .host_write_i(write),
    .host_addr_i (addr),
    .host_data_i (data),
    .host_valid_o(valid),
    .host_data_o (word)
  );

  perle_tile_leave #(
    .RadixBits(RadixBits),
    .Digits   (Digits)
  ) u_leave (
    .clk_i,
    .rst_ni,
    .we_i     (state_q == Enter || (state_q == Wait && count_q != CountBits'(Digits))),
    .waddr_i  (LeaveBits'(count_q)),
    .digit_i  ((state_q == Enter) ? z_q[RadixBits-1:0] : '0),
    .go_i     (state_q == Enter && count_q == CountBits'(Digits - 1)),
    .done_o   (left),
    .m_index_o(m_index),
    .m_i      (m_q[1]),
    .mprime_i (mod_i[ctx_q][perle_tile_pkg::ConstMprime][RadixBits-1:0]),
    .reduced_i(1'b1),
    .raddr_i  (there ? LeaveBits'(count_q) : '0),
    .digit_o  (digit)
  );

endmodule
