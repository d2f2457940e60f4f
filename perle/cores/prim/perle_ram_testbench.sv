// SPDX-License-Identifier: Apache-2.0
//
// Testbench that compares two memories, `generic_ram` and `device_ram`, in several shapes (word length and
// depth).
//
// Algorithm 16 words spread over each memory are written one after the other, then at random; in every cycle
//           another one of the 16 is read
// Cycles    a bit of bad_o becomes 1, and stays so, after the outputs of that shape's memories differed; the
//           first 18 cycles are not compared, as words are still unwritten
//
// Parameters
//   Deepest   words of the deepest memory that is tested

module perle_ram_testbench #(
  parameter int unsigned Deepest = 40000
) (
  input  logic       clk_i,
  output logic [8:0] bad_o
);

  logic [9:0] step_q = '0;
  logic [31:0] random_q = 32'd1;
  logic [3:0] put, mux, get;
  logic we;

  assign put = (step_q < 10'd16) ? step_q[3:0] : random_q[3:0];
  assign mux = random_q[7:4];
  assign we = (step_q < 10'd16) || random_q[8];
  assign get = (we && mux == put) ? mux ^ 4'd1 : mux;

  always_ff @(posedge clk_i) begin
    if (step_q != '1) step_q <= step_q + 10'd1;
    random_q <= {random_q[30:0], random_q[31] ^ random_q[21] ^ random_q[1] ^ random_q[0]};
  end

  for (genvar i = 0; i < 9; i++) begin : gen_shape
    localparam int unsigned Bits[9] = '{18, 5, 38, 9, 3, 2, 18, 4, 64};
    localparam int unsigned Depth[9] = '{1024, 700, 1500, 4096, 5000, 16384, 63, 40000, 19};
    localparam int unsigned AddrBits = $clog2(Depth[i]);
    localparam int unsigned Stride = (Depth[i] - 1) / 15;

    if (Depth[i] > Deepest) begin : gen_left_out
      assign bad_o[i] = 1'b0;
    end else begin : gen_compared
      logic [AddrBits-1:0] waddr, raddr;
      logic [Bits[i]-1:0] wdata, one, two;
      logic bad_q = 1'b0;

      assign waddr = AddrBits'(put * Stride);
      assign raddr = AddrBits'(get * Stride);
      assign wdata = Bits[i]'({random_q, random_q} >> 7);
      assign bad_o[i] = bad_q;

      generic_ram #(.Bits(Bits[i]), .Depth(Depth[i])) u_one (
        .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(raddr), .data_o(one)
      );
      device_ram #(.Bits(Bits[i]), .Depth(Depth[i])) u_two (
        .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(raddr), .data_o(two)
      );

      always_ff @(posedge clk_i) bad_q <= bad_q || (step_q > 10'd18 && one != two);
    end
  end

endmodule
