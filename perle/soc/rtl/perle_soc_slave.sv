// SPDX-License-Identifier: Apache-2.0
//
// Bus slave of a design: the lanes' registers, which are in the core's clock domain, and a control block.
//
// Ranges    adr_i addresses words of 32 bits within 32 MB: the lanes first, from 16 MB on the control block
//             word 0   "PERL"                        word 4   number of lanes of the core
//             word 1   version of this map, 1        word 5   bytes from lane to lane
//             word 2   writing 1 resets the core;    word 6   longest Etherbone record in words, 0: none
//                      reads 1 until that is done    word 64  ParamWords words of text, "Name=value …",
//             word 3   the core's clock in Hz                 in byte order
// Algorithm every access is acknowledged; reads that the core refuses, or of unmapped addresses, return all
//           ones. Writes to read-only words have no effect
// Cycles    control block: one; lanes: perle_soc_cross
//
// Parameters
//   Lanes     of the core                       AddrBits     of a byte address in them: 14 and the lane's
//   ClockHz   of the core                       ParamWords   up to 64
//   RecordWords                                 Params       see word 64

module perle_soc_slave #(
  parameter int unsigned Lanes      = 1,
  parameter int unsigned AddrBits   = 14,
  parameter int unsigned ClockHz    = 100_000_000,
  parameter int unsigned RecordWords = 0,
  parameter int unsigned ParamWords = 1,
  parameter logic [ParamWords-1:0][31:0] Params = '0
) (
  // bus
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                cyc_i,
  input  logic                stb_i,
  input  logic                we_i,
  input  logic [22:0]         adr_i,
  input  logic [31:0]         dat_i,
  output logic                ack_o,
  output logic [31:0]         dat_o,
  // core
  input  logic                core_clk_i,
  output logic                core_rst_no,
  output logic                core_cyc_o,
  output logic                core_we_o,
  output logic [AddrBits-1:0] core_addr_o,
  output logic [31:0]         core_data_o,
  input  logic                core_ack_i,
  input  logic                core_err_i,
  input  logic [31:0]         core_data_i
);

  localparam logic [31:0] Magic = 32'h5045524C;
  localparam logic [31:0] Version = 32'd1;
  localparam logic [31:0] Stride = 32'h4000;
  localparam logic [21:0] ResetWord = 22'd2;
  localparam int unsigned LaneWords = Stride / 4;

  logic wanted, control, in_lanes, lane_done, lane_err, control_done_q;
  logic [31:0] lane_data, control_data, control_data_q;

  assign wanted = cyc_i && stb_i;
  assign control = adr_i[22];
  assign in_lanes = !control && 32'(adr_i) < Lanes * LaneWords;
  assign ack_o = wanted && (lane_done || control_done_q);
  assign dat_o = control_done_q ? control_data_q : lane_data;

  // The core is in reset while reset_q counts from 31 to 16; afterwards its clock domain leaves reset.
  logic [4:0] reset_q;
  logic resetting, core_runs;

  assign resetting = reset_q != '0 || !core_runs;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= '1;
    else if (wanted && !ack_o && we_i && control && adr_i[21:0] == ResetWord && dat_i[0]) reset_q <= '1;
    else if (reset_q != '0) reset_q <= reset_q - 1'b1;
  end

  // A register of its own drives the asynchronous reset of the core, so that it has no glitches.
  logic core_held_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) core_held_q <= 1'b1;
    else core_held_q <= reset_q[4];
  end

  perle_soc_reset u_core_reset (
    .clk_i (core_clk_i),
    .rst_ni(!core_held_q),
    .rst_no(core_rst_no)
  );

  logic core_runs_q;

  always_ff @(posedge core_clk_i or negedge core_rst_no) begin
    if (!core_rst_no) core_runs_q <= 1'b0;
    else core_runs_q <= 1'b1;
  end

  perle_soc_sync u_core_runs (
    .clk_i,
    .rst_ni,
    .level_i(core_runs_q),
    .level_o(core_runs)
  );

  always_comb begin
    unique case (adr_i[21:0])
      22'd0: control_data = Magic;
      22'd1: control_data = Version;
      ResetWord: control_data = {31'd0, resetting};
      22'd3: control_data = ClockHz;
      22'd4: control_data = Lanes;
      22'd5: control_data = Stride;
      22'd6: control_data = RecordWords;
      default: control_data = '1;
    endcase
    if (adr_i[21:6] == 16'd1) begin
      control_data = '0;
      for (int unsigned i = 0; i < ParamWords; i++) begin
        if (adr_i[5:0] == 6'(i)) control_data = Params[i];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      control_done_q <= 1'b0;
      control_data_q <= '0;
    end else begin
      control_done_q <= wanted && !in_lanes && !ack_o;
      control_data_q <= control ? control_data : '1;
    end
  end

  perle_soc_cross #(
    .AddrBits(AddrBits)
  ) u_cross (
    .clk_i,
    .rst_ni,
    .reset_i    (resetting),
    .start_i    (wanted && in_lanes && !lane_done),
    .we_i,
    .addr_i     ({adr_i[AddrBits-3:0], 2'b00}),
    .data_i     (dat_i),
    .done_o     (lane_done),
    .err_o      (lane_err),
    .data_o     (lane_data),
    .core_clk_i,
    .core_rst_ni(core_rst_no),
    .core_cyc_o,
    .core_we_o,
    .core_addr_o,
    .core_data_o,
    .core_ack_i,
    .core_err_i,
    .core_data_i
  );

  // The bus has no error response: the host reads all ones.
  logic unused_err;
  assign unused_err = lane_err;

endmodule
