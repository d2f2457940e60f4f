// SPDX-License-Identifier: Apache-2.0
//
// Register multiplier: active memory of 32 wide registers with a multiplier, one product per instruction.
//
//   Charge(a, s0, p1)   R[p1] ← ACC mod 2^Width; A ← R[a]; ACC ← R[s0]
//   Mult(b, s1, p0)     T = A·R[b] + ACC; R[p0] ← T mod 2^Width; ACC ← ⌊T/2^Width⌋ + R[s1]
//   WriteR(n, d)        R[n]_d ← data
//   ReadR(n, d)         data ← R[n]_d
//
// Ranges    registers and A in [0, 2^Width), ACC in [0, 2^(Width+1)): its highest bit is used in the next Mult
//           and lost in the next Charge, as on the paper's board (README: when that cannot happen)
// Algorithm shand1990 section 4.2; the adders are in a separate datapath, perle_reg_mul_serial or _booth
// Cycles    an idle board accepts WriteR, Charge and Mult immediately, ReadR after one cycle of the RAM. From one
//           accepted to the next: Mult Width/BitsPerCycle + 4, Charge Width/BitsPerCycle + Segments + 3, for all
//           operands. Charge and Mult wait for the previous one; WriteR waits until that one is done if it
//           names the register, ReadR if it writes it, and both for a cycle in which the RAM is free
// Left out  a queue of accesses: the host holds its access until it is accepted
//
// Parameters
//   Width          bits of a register: WordBits times a power of two
//   Registers      registers, a power of two
//   BitsPerCycle   1 or 2, selects the datapath
//   WordBits       bits of a host word: a power of two, at least 4·BitsPerCycle

module perle_reg_mul
  import perle_reg_mul_pkg::*;
#(
  parameter int unsigned Width        = 256,
  parameter int unsigned Registers    = 32,
  parameter int unsigned BitsPerCycle = 1,
  parameter int unsigned WordBits     = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                access_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] addr_i,
  input  logic [        31:0] wdata_i,
  output logic                ready_o,
  output logic [        31:0] rdata_o,
  output logic                busy_o
);

  localparam int unsigned Segments = Width / WordBits;
  localparam int unsigned SegmentShift = $clog2(Segments);
  localparam int unsigned RegisterBits = $clog2(Registers);
  localparam int unsigned RamBits = $clog2(Registers * Segments);

  if ((1 << SegmentShift) * WordBits != Width) begin : gen_check_width
    $error("Width must be WordBits times a power of two");
  end
  if ((1 << RegisterBits) != Registers) begin : gen_check_registers
    $error("Registers must be a power of two");
  end
  if ((1 << $clog2(WordBits)) != WordBits || WordBits < 4 * BitsPerCycle) begin : gen_check_word
    $error("WordBits must be a power of two and at least 4 * BitsPerCycle");
  end

  instruction_t accepted, running;
  logic [AddrBits-3:0] word_number;
  logic [4:0] host_register;
  logic to_register, to_multiply, starts, conflict, ram_free, host_we, fetch, fetched_q;

  logic clearing, engine_req, engine_we, got_x, got_y, got, mult, step;
  logic [RamBits-1:0] engine_addr;
  logic ram_we;
  logic [WordBits-1:0] ram_wdata, ram_rdata, product_word, word;
  logic [BitsPerCycle-1:0] b, y, p;

  // On a board with fewer than 32 registers, an instruction that names a missing one is undefined.
  function automatic logic exists(spec_t spec);
    return !spec.valid || (spec.index >> RegisterBits) == '0;
  endfunction

  function automatic logic names(spec_t spec, logic [4:0] index);
    return spec.valid && (spec.index == index);
  endfunction

  // -- the host's access

  always_comb begin
    accepted = instruction_t'(addr_i);
    word_number = addr_i[AddrBits-3:0];
    host_register = 5'(word_number >> SegmentShift);
    to_register = (accepted.op == OpRegister) && ((word_number >> RamBits) == '0);
    to_multiply = write_i && (accepted.op == OpCharge || accepted.op == OpMult) && exists(accepted.x) &&
        exists(accepted.y) && exists(accepted.p);
    conflict = busy_o && (names(running.p, host_register) ||
        (write_i && (names(running.x, host_register) || names(running.y, host_register))));
    ram_free = !engine_req && !conflict;
    if (to_multiply) ready_o = !busy_o;
    else if (to_register) ready_o = write_i ? ram_free : fetched_q;
    else ready_o = 1'b1;
    starts = access_i && to_multiply && !busy_o;
    host_we = access_i && to_register && write_i && ram_free;
    fetch = access_i && to_register && !write_i && ram_free && !fetched_q;
    rdata_o = (to_register && fetched_q) ? 32'(ram_rdata) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_q <= 1'b0;
    else fetched_q <= fetch;
  end

  // -- the RAM

  assign ram_we = engine_req ? engine_we : host_we;
  assign ram_wdata = clearing ? '0 : (engine_req ? product_word : WordBits'(wdata_i));

  perle_reg_mul_ram #(
    .Words   (Registers * Segments),
    .WordBits(WordBits)
  ) u_ram (
    .clk_i,
    .we_i   (ram_we),
    .addr_i (engine_req ? engine_addr : word_number[RamBits-1:0]),
    .wdata_i(ram_wdata),
    .rdata_o(ram_rdata)
  );

  // -- the multiplication

  perle_reg_mul_control #(
    .Registers(Registers),
    .Segments (Segments),
    .Phases   (WordBits / BitsPerCycle)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i      (starts),
    .instruction_i(accepted),
    .running_o    (running),
    .busy_o,
    .clearing_o   (clearing),
    .ram_req_o    (engine_req),
    .ram_we_o     (engine_we),
    .ram_addr_o   (engine_addr),
    .got_x_o      (got_x),
    .got_y_o      (got_y),
    .got_o        (got),
    .step_o       (step)
  );

  assign mult = (running.op == OpMult);
  // "-" as a source is zero
  assign word = got ? ram_rdata : '0;

  perle_reg_mul_streams #(
    .WordBits    (WordBits),
    .BitsPerCycle(BitsPerCycle)
  ) u_streams (
    .clk_i,
    .rst_ni,
    .step_i  (step),
    .take_b_i(mult && got_x),
    .take_y_i(mult && got_y),
    .word_i  (word),
    .b_o     (b),
    .y_o     (y),
    .p_i     (p),
    .word_o  (product_word)
  );

  if (BitsPerCycle == 1) begin : gen_serial
    perle_reg_mul_serial #(
      .Width   (Width),
      .WordBits(WordBits)
    ) u_datapath (
      .clk_i,
      .rst_ni,
      .step_i  (step),
      .b_i     (b),
      .y_i     (y),
      .p_o     (p),
      .load_a_i(!mult && got_x),
      .load_s_i(!mult && got_y),
      .word_i  (word)
    );
  end else begin : gen_booth
    perle_reg_mul_booth #(
      .Width   (Width),
      .WordBits(WordBits)
    ) u_datapath (
      .clk_i,
      .rst_ni,
      .step_i  (step),
      .b_i     (b),
      .y_i     (y),
      .p_o     (p),
      .load_a_i(!mult && got_x),
      .load_s_i(!mult && got_y),
      .word_i  (word)
    );
  end

endmodule
