// SPDX-License-Identifier: Apache-2.0
//
// The two internal ports of a board as structs: AXI4-Lite towards the host, and accesses and commands from
// the registers to the exponentiator.
//
// WordBits is the width of the data bus; boards with 32-bit words use a copy of this file with 32.

package perle_bus_pkg;

  parameter int unsigned WordBits = 64;
  parameter int unsigned AddrBits = 14;  // byte address of a lane's registers

  typedef struct packed {
    logic                  awvalid;
    logic [AddrBits-1:0]   awaddr;
    logic [2:0]            awprot;
    logic                  wvalid;
    logic [WordBits-1:0]   wdata;
    logic [WordBits/8-1:0] wstrb;
    logic                  bready;
    logic                  arvalid;
    logic [AddrBits-1:0]   araddr;
    logic [2:0]            arprot;
    logic                  rready;
  } axil_req_t;

  typedef struct packed {
    logic                awready;
    logic                wready;
    logic                bvalid;
    logic [1:0]          bresp;
    logic                arready;
    logic                rvalid;
    logic [WordBits-1:0] rdata;
    logic [1:0]          rresp;
  } axil_rsp_t;

  // Write to an operand bank (wr_valid), read of the result (rd_valid), command (start or zeroize).
  typedef struct packed {
    logic                wr_valid;
    logic [3:0]          wr_bank;
    logic [8:0]          wr_word;
    logic [WordBits-1:0] wr_data;
    logic                rd_valid;
    logic [8:0]          rd_word;
    logic                start;
    logic [1:0]          cmd_op;
    logic [1:0]          cmd_mode;
    logic [12:0]         cmd_elen;
    logic                zeroize;
  } host_req_t;

endpackage
