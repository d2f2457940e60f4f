# SPDX-License-Identifier: Apache-2.0
"""Complete designs for FPGA boards: a core in its own clock domain, a bus, and a link to a host."""
