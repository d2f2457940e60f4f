# SPDX-License-Identifier: Apache-2.0
"""Evidence that anyone can repeat: campaigns that try to find a failure, and records of what they found.

Each part is a module that runs campaigns and returns a `Record` of each: `faults` (bit flips of boards under
the host library), `mutation` (hardware broken on purpose, under its tests), `formal` (proofs), `gates`
(synthesised netlists), `leakage` (time on random secrets). `page` makes docs/trust.md of the records. Each
part has a test in which it does find a failure.
"""
