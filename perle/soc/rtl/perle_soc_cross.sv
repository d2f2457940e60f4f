// SPDX-License-Identifier: Apache-2.0
//
// Clock-domain crossing, one access at a time: from a request in the bus's clock to Wishbone (classic cycles)
// in the core's.
//
// Ranges    any two clocks; both sides are reset together, or the core's alone while reset_i is 1
// Algorithm four-phase handshake: the request level rises when address and data have been stable for a cycle,
//           and falls when the acknowledge level has risen; the next request waits until that has fallen. So
//           both levels are 0 after a reset of either side, and address and data are stable when sampled
// Cycles    about four of each clock, then as many for the levels to fall; an access without acknowledge
//           after 2^TimeoutBits cycles ends with err_o, as do all later ones until the core's side is reset
// Errors    a failed read returns all ones
// Zeroize   written and read words are cleared at the end of each access
// Timing    core_addr_o, core_we_o, core_data_o and rdata_q cross without synchronizers: no path from one
//           clock to the other may be longer than a period of the destination clock; the build checks this
//
// Parameters
//   AddrBits   bits of a byte address          TimeoutBits   see above

module perle_soc_cross #(
  parameter int unsigned AddrBits    = 14,
  parameter int unsigned TimeoutBits = 9
) (
  // bus
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                reset_i,
  input  logic                start_i,
  input  logic                we_i,
  input  logic [AddrBits-1:0] addr_i,
  input  logic [31:0]         data_i,
  output logic                done_o,
  output logic                err_o,
  output logic [31:0]         data_o,
  // core
  input  logic                core_clk_i,
  input  logic                core_rst_ni,
  output logic                core_cyc_o,
  output logic                core_we_o,
  output logic [AddrBits-1:0] core_addr_o,
  output logic [31:0]         core_data_o,
  input  logic                core_ack_i,
  input  logic                core_err_i,
  input  logic [31:0]         core_data_i
);

  typedef enum logic [1:0] {
    Idle,
    Wait,
    Fall
  } state_e;

  state_e state_q;
  logic req_q, ack, lost_q;
  logic [TimeoutBits-1:0] count_q;

  // core's side
  logic core_req, ack_q, err_q;
  logic [31:0] rdata_q;

  perle_soc_sync u_ack (
    .clk_i,
    .rst_ni,
    .level_i(ack_q),
    .level_o(ack)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      {req_q, lost_q, done_o, err_o} <= '0;
      {core_we_o, core_addr_o, core_data_o, data_o, count_q} <= '0;
    end else begin
      done_o <= 1'b0;
      data_o <= '0;
      unique case (state_q)
        Idle: begin
          count_q <= '0;
          if (reset_i) lost_q <= 1'b0;
          if (start_i && (lost_q || reset_i)) begin
            done_o <= 1'b1;
            err_o <= 1'b1;
            data_o <= '1;
            state_q <= Fall;
          end else if (start_i) begin
            {core_we_o, core_addr_o} <= {we_i, addr_i};
            core_data_o <= we_i ? data_i : '0;
            state_q <= Wait;
          end
        end
        Wait: begin
          req_q <= 1'b1;
          count_q <= count_q + 1'b1;
          if (ack || &count_q) begin
            req_q <= 1'b0;
            lost_q <= !ack;
            done_o <= 1'b1;
            err_o <= !ack || err_q;
            data_o <= (!ack || err_q) ? '1 : rdata_q;
            state_q <= Fall;
          end
        end
        default: begin
          core_data_o <= '0;
          if (!ack || lost_q) state_q <= Idle;
        end
      endcase
    end
  end

  perle_soc_sync u_req (
    .clk_i  (core_clk_i),
    .rst_ni (core_rst_ni),
    .level_i(req_q),
    .level_o(core_req)
  );

  assign core_cyc_o = core_req && !ack_q;

  always_ff @(posedge core_clk_i or negedge core_rst_ni) begin
    if (!core_rst_ni) begin
      {ack_q, err_q, rdata_q} <= '0;
    end else if (core_cyc_o && (core_ack_i || core_err_i)) begin
      {ack_q, err_q, rdata_q} <= {1'b1, core_err_i, core_we_o ? 32'd0 : core_data_i};
    end else if (!core_req) begin
      {ack_q, err_q, rdata_q} <= '0;
    end
  end

endmodule
