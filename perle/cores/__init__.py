# SPDX-License-Identifier: Apache-2.0
"""The cores: one folder a family, and what they share."""
