# SPDX-License-Identifier: Apache-2.0
"""What every command shares: the terminal, files, numbers, errors and exit codes, the process, `openssl`."""
