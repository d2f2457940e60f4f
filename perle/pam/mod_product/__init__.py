# SPDX-License-Identifier: Apache-2.0
"""The modular product unit (shand1990): an active memory whose modulus is compiled into its logic."""
