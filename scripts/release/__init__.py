# SPDX-License-Identifier: Apache-2.0
"""`make release`: a version gets its date, its packages, its commit and its tag, or nothing changes.

`texts` says what the version changes in which file, `packages` builds and tries what users install,
`repository` is what git has to do with it. All work happens in a second working tree; the branch moves last.
"""
