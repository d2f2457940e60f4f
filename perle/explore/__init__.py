# SPDX-License-Identifier: Apache-2.0
"""Many measurements, on one machine or several: a space of configurations, and what is worth placing."""
