# SPDX-License-Identifier: Apache-2.0
"""Complete designs for boards that people own: a core in its own clock domain, a bus, a link to a host."""
