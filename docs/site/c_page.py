# SPDX-License-Identifier: Apache-2.0
"""A page about a C header, made of it: its sections, what it declares, and what its comments say of that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from docs.site import plain

_SECTION = re.compile(r"/\* -{4,} (?P<title>.+?) -{4,} \*/")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LAST = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/\Z")
_END = re.compile(r";(?: */\*(?:[^*]|\*(?!/))*\*/)?")
_SPDX = re.compile(r"\s*SPDX-License-Identifier: \S+\s*\n")
_CONSTANT = re.compile(r"#define (?P<name>\w+) \S")
_TYPE = re.compile(r"typedef (?:.*\(\*(?P<pointer>\w+)\)\(.*\)|.*?(?P<name>\w+));\Z", re.DOTALL)
_CPLUSPLUS = re.compile(r"^#ifdef __cplusplus\n.*?^#endif\n", re.DOTALL | re.MULTILINE)
_FOR_TOOLS = re.compile(r"^#if defined\(__GNUC__\)\n.*?^#endif\n", re.DOTALL | re.MULTILINE)


@dataclass
class Group:
    """Declarations that follow one another, and the comment before them: what it says holds for all."""

    comment: str = ""
    declarations: list[str] = field(default_factory=list)


def page(name: str, header: str) -> str:
    """Return the page, as Markdown."""
    text = _FOR_TOOLS.sub("", _CPLUSPLUS.sub("", header))
    first = _COMMENT.match(text)
    if first is None:
        raise ValueError(f"{name} does not begin with a comment that says what it is")
    about = _SPDX.sub("", _words(first[0]), count=1)
    parts = [f"{plain.SPDX}# {name}\n", plain.paragraphs(about) + "\n"]
    for title, body in _sections(text[first.end() :]):
        parts += [f"## {plain.escaped(title)}\n"] if title else []
        parts += [_shown(group) for group in groups(body)]
    return "\n".join(parts)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    found = _SECTION.split(text)
    yield "", found[0]
    yield from zip(found[1::2], found[2::2], strict=True)


def groups(text: str) -> Iterator[Group]:
    """Yield what a part of a header declares; lines of the preprocessor are left out, constants are not."""
    group = Group()
    rest = text
    while rest := rest.lstrip(" "):
        if rest.startswith("\n\n"):
            yield from [group] if group.declarations else []
            group = Group("" if group.declarations else group.comment)
            rest = rest.lstrip("\n")
        elif rest.startswith("\n"):
            rest = rest[1:]
        elif comment := _COMMENT.match(rest):
            if group.declarations:
                yield group
                group = Group()
            group.comment, rest = _words(comment[0]), rest[comment.end() :]
        else:
            declaration, rest = _declaration(rest)
            group.declarations += [declaration] if declaration else []
    yield from [group] if group.declarations else []


def _declaration(text: str) -> tuple[str, str]:
    """Return a declaration with the comment at its end, "" for what tells a reader nothing; and the rest."""
    if text.startswith("#"):
        line, _, rest = text.partition("\n")
        return (line if _CONSTANT.match(line) else ""), "\n" + rest
    depth = end = 0
    while depth or text[end] != ";":
        comment = _COMMENT.match(text, end)
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end = comment.end() if comment else end + 1
    if after := _END.match(text, end):
        end = after.end()
    return text[:end], text[end:]


def _shown(group: Group) -> str:
    """Return a group as directives that have names, so that they are found and linked."""
    said = plain.paragraphs(group.comment)
    found = []
    for number, declaration in enumerate(group.declarations):
        inside = [said] if number == len(group.declarations) - 1 and said else []
        found.append(_one(declaration, inside))
    return "\n".join(found)


def _one(declaration: str, inside: list[str]) -> str:
    if constant := _CONSTANT.match(declaration):
        return plain.directive("c:macro", constant["name"], plain.fence("c", declaration), *inside)
    trailing = _LAST.search(declaration) if declaration.endswith("*/") else None
    bare = declaration[: trailing.start()].rstrip() if trailing else declaration
    inside = [*inside, *([plain.paragraphs(_words(trailing[0]))] if trailing else [])]
    if kind := _TYPE.match(_COMMENT.sub("", bare)):
        body = plain.fence("c", bare) if kind["pointer"] or "{" in bare else ""
        return plain.directive("c:type", kind["pointer"] or kind["name"], *inside, body)
    signature = " ".join(bare.removeprefix("PERLE_API ").removesuffix(";").split())
    return plain.directive("c:function", signature, *inside)


def _words(comment: str) -> str:
    """Return what a comment says, without its marks."""
    text = comment.removeprefix("/*").removesuffix("*/")
    lines = [re.sub(r"^\s*\*(?: |$)", "", line) for line in text.split("\n")[1:]]
    return "\n".join([text.split("\n")[0].strip(), *(line.rstrip() for line in lines)]).strip("\n ")
