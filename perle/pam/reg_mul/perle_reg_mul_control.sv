// SPDX-License-Identifier: Apache-2.0
//
// Sequencer: runs one Charge or Mult, and accesses the RAM in the cycles in which it reads or writes a word.
//
// Ranges    one instruction at a time; start_i only while busy_o is low
// Algorithm shand1990 section 4.2. A word takes P = WordBits/BitsPerCycle cycles, phases 0 … P − 1:
//             Mult     phase 0 writes the completed word of R[p0], P − 2 reads the next word of R[b] and
//                      P − 1 the next word of R[s1]: sources are read before p0 replaces them
//             Charge   phase 0 writes the completed word of R[p1], 1 reads the same word of R[a]: A is R[a]
//                      after the write of p1. Then R[s0], when ACC has been shifted out
// Cycles    busy_o: mult_busy and charge_busy of the package, for all operands; Clear: one per word
// Left out  overlap of two instructions
//
// Parameters
//   Registers   registers
//   Segments    words of a register
//   Phases      P, cycles per word, at least 4

module perle_reg_mul_control
  import perle_reg_mul_pkg::*;
#(
  parameter  int unsigned Registers = 32,
  parameter  int unsigned Segments  = 8,
  parameter  int unsigned Phases    = 32,
  localparam int unsigned RamBits   = $clog2(Registers * Segments)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  instruction_t               instruction_i,
  output instruction_t               running_o,
  output logic                       busy_o,
  output logic                       clearing_o,
  output logic                       ram_req_o,
  output logic                       ram_we_o,
  output logic         [RamBits-1:0] ram_addr_o,
  // the word requested in the previous cycle, of a or b (x), of s0 or s1 (y), is valid
  output logic                       got_x_o,
  output logic                       got_y_o,
  output logic                       got_o,  // it is from a register; else the source is "-", which is 0
  output logic                       step_o
);

  localparam int unsigned PhaseBits = $clog2(Phases);
  localparam int unsigned SegmentShift = $clog2(Segments);
  localparam int unsigned SegmentBits = (Segments > 1) ? SegmentShift : 1;

  typedef enum logic [2:0] {
    StClear,   // zero, word by word
    StIdle,
    StFetchX,  // Mult: the first word of R[b]
    StFetchY,  // Mult: the first word of R[s1]
    StRun,     // the bits
    StStore,   // the last word of the destination
    StLoadX,   // Charge: the last word of R[a]
    StLoadY    // Charge: R[s0]
  } state_e;

  state_e state_q, state_d;
  instruction_t running_q;
  logic [PhaseBits-1:0] phase_q, phase_d;
  logic [SegmentBits-1:0] segment_q, segment_d, segment;
  logic [RamBits-1:0] clear_q;
  logic first_segment, last_segment, last_phase, mult;
  logic read_x, read_y, store;
  logic [4:0] index;

  assign running_o = running_q;
  assign busy_o = (state_q != StIdle);
  assign clearing_o = (state_q == StClear);
  assign step_o = (state_q == StRun);

  always_comb begin
    mult = (running_q.op == OpMult);
    first_segment = (segment_q == '0);
    last_segment = (segment_q == SegmentBits'(Segments - 1));
    last_phase = (phase_q == PhaseBits'(Phases - 1));
  end

  always_comb begin
    state_d = state_q;
    phase_d = phase_q;
    segment_d = segment_q;
    unique case (state_q)
      StClear: if (&clear_q) state_d = StIdle;
      StIdle: if (start_i) state_d = (instruction_i.op == OpMult) ? StFetchX : StRun;
      StFetchX: state_d = StFetchY;
      StFetchY: state_d = StRun;
      StRun: begin
        phase_d = last_phase ? '0 : phase_q + PhaseBits'(1);
        if (last_phase && last_segment) state_d = StStore;
        else if (last_phase) segment_d = segment_q + SegmentBits'(1);
      end
      StStore: begin
        state_d = mult ? StIdle : StLoadX;
        if (mult) segment_d = '0;
      end
      StLoadX: begin
        state_d = StLoadY;
        segment_d = '0;
      end
      default: begin  // StLoadY
        segment_d = last_segment ? '0 : segment_q + SegmentBits'(1);
        if (last_segment) state_d = StIdle;
      end
    endcase
  end

  // The request to the RAM: which word of which register.
  always_comb begin
    read_x = 1'b0;
    read_y = 1'b0;
    store = 1'b0;
    segment = segment_q;
    unique case (state_q)
      StFetchY, StLoadY: read_y = 1'b1;
      StFetchX, StLoadX: read_x = 1'b1;
      StStore: store = 1'b1;
      StRun: begin
        if (phase_q == '0 && !first_segment) begin
          store = 1'b1;
          segment = segment_q - SegmentBits'(1);
        end else if (!mult && phase_q == PhaseBits'(1) && !first_segment) begin
          read_x = 1'b1;
          segment = segment_q - SegmentBits'(1);
        end else if (mult && phase_q == PhaseBits'(Phases - 2) && !last_segment) begin
          read_x = 1'b1;
          segment = segment_q + SegmentBits'(1);
        end else if (mult && last_phase && !last_segment) begin
          read_y = 1'b1;
          segment = segment_q + SegmentBits'(1);
        end
      end
      default: ;
    endcase
    index = store ? running_q.p.index : (read_x ? running_q.x.index : running_q.y.index);
    ram_req_o = read_x || read_y || store || clearing_o;
    ram_we_o = (store && running_q.p.valid) || clearing_o;
    ram_addr_o = clearing_o ? clear_q : (RamBits'(index) << SegmentShift) | RamBits'(segment);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StClear;
      running_q <= '0;
      phase_q <= '0;
      segment_q <= '0;
      clear_q <= '0;
      got_x_o <= 1'b0;
      got_y_o <= 1'b0;
      got_o <= 1'b0;
    end else begin
      state_q <= state_d;
      if (start_i) running_q <= instruction_i;
      phase_q <= phase_d;
      segment_q <= segment_d;
      if (clearing_o) clear_q <= clear_q + RamBits'(1);
      got_x_o <= read_x;
      got_y_o <= read_y;
      got_o <= read_x ? running_q.x.valid : running_q.y.valid;
    end
  end

endmodule
