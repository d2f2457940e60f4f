# SPDX-License-Identifier: Apache-2.0
"""`perle rsa`: sign, verify, decrypt and encrypt; one file or a folder of them."""
