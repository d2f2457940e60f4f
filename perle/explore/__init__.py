# SPDX-License-Identifier: Apache-2.0
"""Design-space exploration: measure spaces of configurations, on one machine or several."""
