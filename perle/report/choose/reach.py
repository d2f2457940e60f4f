# SPDX-License-Identifier: Apache-2.0
"""How wide an operation can be for an answer, if there is none for the width that was asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from perle.cores.registry import families, resolve_any
from perle.report.choose.candidates import candidates
from perle.report.choose.pace import parts
from perle.report.choose.predictor import REACH, measured_costs
from perle.report.choose.question import Operation, Question
from perle.results import names
from perle.results.view import View


@dataclass(frozen=True)
class Widest:
    """The widest operation that was measured as a whole, and that can be predicted; None: none at all.

    In bits of the modulus, or for RSA of the key.
    """

    measured: int | None
    predicted: int | None

    @property
    def text(self) -> str:
        """Both in words."""
        known = {"were measured": self.measured, "can be predicted": self.predicted}
        said = [f"{bits} bits {what}" for what, bits in known.items() if bits is not None]
        return f"at most {', '.join(said)}" if said else "nothing of any width is known"


def widest(question: Question, view: View) -> Widest:
    """Return the widest operation of a kind on the targets of a question, whatever its limits."""
    each = 2 if question.operation is Operation.rsa_crt else 1
    places = {one for target in question.targets for one in (target, *names.siblings(target))}
    points = [
        (one, resolve_any(one.core).width)
        for one in view.points()
        if one.target in places and one.core.partition(":")[0] in families()
    ]
    whole = [
        width
        for one, width in points
        if one.target in question.targets
        and one.part in parts(question.operation)
        and measured_costs(one, view)
    ]
    may_be = sorted({factor * width for _, width in points for factor in (1, REACH)}, reverse=True)
    predicted = next((width for width in may_be if _any(replace(question, bits=each * width), view)), None)
    most = max(whole, default=None)
    return Widest(
        None if most is None else each * most,
        None if predicted is None or predicted == most else each * predicted,
    )


def _any(question: Question, view: View) -> bool:
    return next(candidates(question, view), None) is not None
