// SPDX-License-Identifier: Apache-2.0
//
// A, S ← (A × {S, B1, B3} + Q × M)/β       β = 2^(k·N), k·N >= Width + 6: 2^260 for 254 bits
//
// Ranges    M = Modulus, odd, 3 <= M < 2^Width, is part of the logic: another modulus is another circuit.
//           A, S in [0, 2·Mt) or β itself, the one of the domain, → [0, 2·Mt) or β, where Mt = mprime·M,
//           mprime = −M^-1 mod 16; β·x gives x. B1, B3 have 32·⌈Width/32⌉ bits, the host writes values < M.
//           All other values are computed modulo 2^(k·N + 1).
// Algorithm shand1990 figure 4 and equation (1), pipelined (Orup): the quotient digit is used d steps after it
//           was found, d = 3 at radix 2, d = 1 at radix 4. S is the multiplier and is shifted out at the bottom,
//           U + V is the running sum in carry-save form, the queue holds the pending digits of Q. The result is
//           2^(k·d)·(U + V) + queue, once the carries are resolved.
//           WriteB(align)   B3 ← {B1 mod 2^32, B3/2^32}; B1 ← {data, B1/2^32}; if align, A ← 2·A; S ← A
//           ReadP           data ← P; P ← S mod 2^32; S ← S/2^32; A ← β/16: four aligned writes make it one
//           Square, MultB1, MultB3   as above
// Cycles    busy after WriteB: 0; after ReadP: 32/k; after a product: N + d + 1 steps, then carry resolution
//           Fast = 0   ⌈(k·(N−d) + 1)/ResolveBits⌉, independent of the data
//           Fast = 1   1 … k·(N−d) + 2, and DetectLatency, depending on the data: not for secrets
//           An access to a busy unit waits; an undefined one is accepted immediately, reads 0, changes nothing.
// Left out  WriteB during a product; results < M (the host reduces them)
//
// Parameters
//   Width          bits of the modulus
//   Modulus        M, the number itself
//   RadixBits      k, bits of the multiplier per cycle: 1 or 2
//   ResolveBits    bits per cycle whose carries are resolved in constant time. With k the adders of a step do
//                  it, and the digits of the result enter S at its top: the smallest unit; S has k·(N + 1) bits
//   Fast           1: carry completion detector instead
//   DetectLatency  registers between detector and control, as where the detector is spread over chips

module perle_mod_product
  import perle_mod_product_pkg::*;
#(
  parameter  int unsigned      Width         = 254,
  parameter  logic [Width-1:0] Modulus       =
      254'h2e463f5cf4b5f7bdee69c7a9c00c805b5c5db39169126e07dfd796b72b6469b9,
  parameter  int unsigned      RadixBits     = 2,
  parameter  int unsigned      ResolveBits   = 32,
  parameter  int unsigned      Fast          = 0,
  parameter  int unsigned      DetectLatency = 0,
  localparam int unsigned      AddrBits      = 3
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

  localparam int unsigned RExp = digits(Width, RadixBits) * RadixBits;
  localparam int unsigned Bits = RExp + 1;
  localparam int unsigned WordBits = 32 * ((Width + 31) / 32);
  localparam int unsigned QueueBits = RadixBits * quotient_delay(RadixBits);
  localparam int unsigned SumBits = sum_bits(Width, RadixBits);
  localparam int unsigned Limbs = limbs(Width, RadixBits, ResolveBits);
  // S < 4·(M̂ + A) < 2^(RExp + 4); the limbs may need a few more bits
  localparam int unsigned StepBits = RExp + 4;
  localparam int unsigned LimbsBits = Limbs * ResolveBits;
  // resolving a digit per cycle is a step without digits of multiplier and quotient
  localparam bit Serial = (Fast == 0) && (ResolveBits == RadixBits);
  localparam int unsigned MultiplierBits = Serial ? RExp + RadixBits : Bits;
  localparam int unsigned AccBits = (Fast == 0 && LimbsBits > StepBits) ? LimbsBits : StepBits;
  localparam int unsigned Steps = steps(Width, RadixBits);
  localparam int unsigned MostCount = (Steps > 32) ? ((Steps > Limbs) ? Steps : Limbs) :
      (Limbs > 32) ? Limbs : 32;
  localparam int unsigned CountBits = $clog2(MostCount);

  localparam logic [Width+3:0] Mt = (Width + 4)'(mprime(4'(Modulus))) * (Width + 4)'(Modulus);
  localparam logic [Width-1:0] MHat = Width'((Mt >> 4) + (Width + 4)'(1));

  localparam logic [Bits-1:0] One = Bits'(1) << (RExp - QuotientBits);

  typedef logic [AccBits-1:0] acc_t;
  typedef enum logic [1:0] {
    StIdle,
    StStep,
    StResolve,
    StRead
  } state_e;

  state_e state_q;
  logic [CountBits-1:0] count_q;
  logic [Bits-1:0] a_q;
  logic [MultiplierBits-1:0] s_q;
  logic [WordBits-1:0] b1_q, b3_q;
  logic [31:0] p_q;
  acc_t u_q, v_q, resolve_u, resolve_v;
  logic [StepBits-1:0] step_u, step_v;
  logic [QueueBits-1:0] queue_q;
  logic [RadixBits-1:0] step_q;
  logic resolved;
  logic read_p, write_b, square, mult_b1, mult_b3, defined, taken, start;

  assign read_p = !write_i && (addr_i == AddrReadP);
  assign write_b = write_i && (addr_i == AddrWriteB || addr_i == AddrWriteBAlign);
  assign square = write_i && (addr_i == AddrSquare);
  assign mult_b1 = write_i && (addr_i == AddrMultB1);
  assign mult_b3 = write_i && (addr_i == AddrMultB3);
  assign defined = read_p || write_b || square || mult_b1 || mult_b3;

  assign busy_o = (state_q != StIdle);
  assign ready_o = !busy_o || !defined;
  assign taken = access_i && defined && !busy_o;
  assign start = taken && write_i && !write_b;
  assign rdata_o = read_p ? p_q : '0;

  if (!Modulus[0] || Modulus == Width'(1)) begin : gen_illegal_modulus
    $error("Modulus must be odd and at least 3");
  end
  if (RadixBits != 1 && RadixBits != 2) begin : gen_illegal_radix
    $error("RadixBits must be 1 or 2");
  end

  if (RadixBits == 2) begin : gen_r4
    perle_mod_product_step_r4 #(
      .AccBits(StepBits),
      .Bits   (Bits),
      .Width  (Width),
      .MHat   (MHat)
    ) u_step (
      .u_i    (u_q[StepBits-1:0]),
      .v_i    (v_q[StepBits-1:0]),
      .a_i    (a_q),
      .digit_i((Serial && state_q == StResolve) ? '0 : s_q[RadixBits-1:0]),
      .q_i    ((Serial && state_q == StResolve) ? '0 : queue_q[RadixBits-1:0]),
      .u_o    (step_u),
      .v_o    (step_v),
      .q_o    (step_q)
    );
  end else begin : gen_r2
    perle_mod_product_step_r2 #(
      .AccBits(StepBits),
      .Bits   (Bits),
      .Width  (Width),
      .MHat   (MHat)
    ) u_step (
      .u_i    (u_q[StepBits-1:0]),
      .v_i    (v_q[StepBits-1:0]),
      .a_i    (a_q),
      .digit_i((Serial && state_q == StResolve) ? '0 : s_q[RadixBits-1:0]),
      .q_i    ((Serial && state_q == StResolve) ? '0 : queue_q[RadixBits-1:0]),
      .u_o    (step_u),
      .v_o    (step_v),
      .q_o    (step_q)
    );
  end

  if (Fast != 0) begin : gen_fast
    logic settled;
    // the bits above SumBits are not part of the result: their carries need not be resolved
    perle_mod_product_carry_resolve_fast #(
      .Bits(SumBits)
    ) u_carry_resolve (
      .u_i       (u_q[SumBits-1:0]),
      .v_i       (v_q[SumBits-1:0]),
      .u_o       (resolve_u[SumBits-1:0]),
      .v_o       (resolve_v[SumBits-1:0]),
      .resolved_o(settled)
    );
    assign resolve_u[AccBits-1:SumBits] = '0;
    assign resolve_v[AccBits-1:SumBits] = '0;

    if (DetectLatency == 0) begin : gen_direct
      assign resolved = settled;
    end else begin : gen_late
      // what is settled stays as it is until the control learns of it
      logic [DetectLatency-1:0] settled_q;
      assign resolved = settled_q[DetectLatency-1];

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) settled_q <= '0;
        else if (state_q != StResolve || resolved) settled_q <= '0;
        else settled_q <= DetectLatency'({settled_q, settled});
      end
    end
  end else if (Serial) begin : gen_serial
    assign resolve_u = acc_t'(step_u);
    assign resolve_v = acc_t'(step_v);
    assign resolved = (count_q == CountBits'(Limbs - 1));
  end else begin : gen_fixed
    logic carry, carry_q;
    perle_mod_product_carry_resolve_fixed #(
      .Bits    (AccBits),
      .Limbs   (Limbs),
      .LimbBits(ResolveBits)
    ) u_carry_resolve (
      .u_i    (u_q),
      .v_i    (v_q),
      .carry_i(carry_q),
      .u_o    (resolve_u),
      .v_o    (resolve_v),
      .carry_o(carry)
    );
    assign resolved = (count_q == CountBits'(Limbs - 1));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) carry_q <= 1'b0;
      else carry_q <= (state_q == StResolve) && !resolved && carry;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
    end else begin
      count_q <= count_q + CountBits'(1);
      unique case (state_q)
        StStep: begin
          if (count_q == CountBits'(Steps - 1)) begin
            state_q <= StResolve;
            count_q <= '0;
          end
        end
        StResolve: if (resolved) state_q <= StIdle;
        StRead: if (count_q == CountBits'(read_cycles(RadixBits) - 1)) state_q <= StIdle;
        default: begin
          count_q <= '0;
          if (taken && !write_i) state_q <= StRead;
          else if (start) state_q <= StStep;
        end
      endcase
    end
  end

  // The registers that the instructions name: B1, B3, A, S and P.
  if (Serial) begin : gen_collect
    logic [Bits-1:0] a_d;
    logic [MultiplierBits-1:0] s_d;
    logic collect, last;
    // from the quotient's last digits on, which are never used
    assign collect = (state_q == StResolve) ||
        (state_q == StStep && count_q >= CountBits'(Steps - quotient_delay(RadixBits)));
    assign last = (state_q == StResolve) && resolved;

    perle_mod_product_operands #(
      .RadixBits     (RadixBits),
      .Bits          (Bits),
      .MultiplierBits(MultiplierBits),
      .One           (One)
    ) u_operands (
      .a_i      (a_q),
      .s_i      (s_q[MultiplierBits-1:RadixBits]),
      .b1_i     (Bits'(b1_q)),
      .b3_i     (Bits'(b3_q)),
      .digit_i  (u_q[RadixBits-1:0]),
      .shift_i  (busy_o),
      .collect_i(collect),
      .last_i   (last),
      .write_i  (write_b && addr_i == AddrWriteB),
      .align_i  (write_b && addr_i == AddrWriteBAlign),
      .mult_b1_i(mult_b1),
      .mult_b3_i(mult_b3),
      .read_i   (read_p),
      .a_o      (a_d),
      .s_o      (s_d)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        b1_q <= '0;
        b3_q <= '0;
        a_q <= One;
        s_q <= '0;
        p_q <= '0;
      end else begin
        if (taken && write_b) begin
          b1_q <= WordBits'({wdata_i, b1_q} >> 32);
          b3_q <= WordBits'({b1_q[31:0], b3_q} >> 32);
        end
        if ((taken && (write_b || read_p)) || last) a_q <= a_d;
        if ((taken && (write_b || mult_b1 || mult_b3)) || busy_o) s_q <= s_d;
        if (state_q == StRead) p_q <= {s_q[RadixBits-1:0], p_q[31:RadixBits]};
      end
    end
  end else begin : gen_load
    logic [Bits-1:0] doubled, result;
    assign doubled = (addr_i == AddrWriteBAlign) ? a_q << 1 : a_q;
    assign result = {resolve_u[SumBits-1:0], queue_q};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        b1_q <= '0;
        b3_q <= '0;
        a_q <= One;
        s_q <= '0;
        p_q <= '0;
      end else if (taken) begin
        if (write_b) begin
          b1_q <= WordBits'({wdata_i, b1_q} >> 32);
          b3_q <= WordBits'({b1_q[31:0], b3_q} >> 32);
          a_q <= doubled;
          s_q <= doubled;
        end
        if (mult_b1) s_q <= Bits'(b1_q);
        if (mult_b3) s_q <= Bits'(b3_q);
        if (read_p) a_q <= One;
      end else if (state_q == StResolve) begin
        if (resolved) begin
          a_q <= result;
          s_q <= result;
        end
      end else if (busy_o) begin
        // digits of the multiplier go to the step, those of a result to P
        s_q <= s_q >> RadixBits;
        if (state_q == StRead) p_q <= {s_q[RadixBits-1:0], p_q[31:RadixBits]};
      end
    end
  end

  // The running sum and the pending quotient digits.
  if (Serial) begin : gen_one_step
    // clearing takes no LUT beside the last row of adders; what is queued during resolution is not used
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        u_q <= '0;
        v_q <= '0;
        queue_q <= '0;
      end else if (start || state_q == StStep || state_q == StResolve) begin
        u_q <= start ? '0 : resolve_u;
        v_q <= start ? '0 : resolve_v;
        queue_q <= start ? '0 : QueueBits'({step_q, queue_q} >> RadixBits);
      end
    end
  end else begin : gen_two_steps
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        u_q <= '0;
        v_q <= '0;
        queue_q <= '0;
      end else if (start) begin
        u_q <= '0;
        v_q <= '0;
        queue_q <= '0;
      end else if (state_q == StStep) begin
        u_q <= acc_t'(step_u);
        v_q <= acc_t'(step_v);
        queue_q <= QueueBits'({step_q, queue_q} >> RadixBits);
      end else if (state_q == StResolve) begin
        u_q <= resolve_u;
        v_q <= resolve_v;
      end
    end
  end

endmodule
