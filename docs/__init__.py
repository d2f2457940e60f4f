# SPDX-License-Identifier: Apache-2.0
"""The documentation: its pages, and in `site` what makes a site of them."""
