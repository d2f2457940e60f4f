# SPDX-License-Identifier: Apache-2.0
"""What maintains the repository itself: `setup`, and in `release` what makes a release."""
