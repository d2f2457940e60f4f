# SPDX-License-Identifier: Apache-2.0
"""What papers print beside what is measured here."""
