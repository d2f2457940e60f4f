# SPDX-License-Identifier: Apache-2.0
"""Tables that compare the papers' printed figures with measurements."""
