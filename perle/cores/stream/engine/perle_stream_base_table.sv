// SPDX-License-Identifier: Apache-2.0
//
// Start address of slot index_i: base_o = index_i·Stride. A table instead of a multiplier. Combinational.
//
// Ranges    index_i < Count; otherwise base_o = 0
//
// Parameters
//   Count, Stride   slots, words per slot
//   Bits            of an address

module perle_stream_base_table #(
  parameter  int unsigned Count     = 14,
  parameter  int unsigned Stride    = 58,
  parameter  int unsigned Bits      = 10,
  localparam int unsigned IndexBits = (Count > 1) ? $clog2(Count) : 1
) (
  input  logic [IndexBits-1:0] index_i,
  output logic [     Bits-1:0] base_o
);

  always_comb begin
    base_o = '0;
    for (int unsigned i = 0; i < Count; i++) begin
      if (index_i == IndexBits'(i)) base_o |= Bits'(i * Stride);
    end
  end

endmodule
