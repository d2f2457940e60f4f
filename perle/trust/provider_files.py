# SPDX-License-Identifier: Apache-2.0
"""The sources of the provider for OpenSSL, for the campaigns that compile it too.

They are no files of a record, in which everything below `host` but its tests is libperle: what they are is a
setting of the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from perle.flow.places import HOST
from perle.results.canonical import fingerprint

SETTING = "provider"


def provider_settings(tests: Iterable[Path] = ()) -> dict[str, str]:
    """Return the setting: a hash of all sources of the provider, and of these tests of it."""
    whole = hashlib.sha256()
    for path in [*sorted((HOST / "provider").glob("*.?pp")), *sorted(tests)]:
        whole.update(f"{path.name} {fingerprint(path)}\n".encode())
    return {SETTING: whole.hexdigest()[:12]}
