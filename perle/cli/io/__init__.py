# SPDX-License-Identifier: Apache-2.0
"""Code that all commands share: terminal, files, numbers, errors and exit codes, process, `openssl`."""
