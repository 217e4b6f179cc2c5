# SPDX-License-Identifier: Apache-2.0
"""PyYAML as a reader of specs: it tells a tree, call by call, what a text holds and where.

The tree has the methods of ``cfpc_tree_*`` in ``cfpc/lab.h``: ``map``, ``list``, ``key``, ``scalar``, ``end``, ``alias``,
``other_key``, ``second`` and ``error``. Scalars are told as they are written: that YAML 1.1 takes ``on`` for true and
``012`` for ten matters to no spec.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import yaml

MAX_DEPTH = 64  # of maps and lists within each other; the tree says what is too deep

# Line ends to YAML 1.1, which PyYAML reads, and letters to YAML 1.2.
_LETTERS = "\x85\u2028\u2029"


class Tree(Protocol):
    """What is told. Lines and columns count from 1; 0: there is no place."""

    def map(self, line: int, column: int) -> None: ...
    def list(self, line: int, column: int) -> None: ...
    def key(self, text: str, line: int, column: int) -> None: ...
    def scalar(self, text: str, line: int, column: int) -> None: ...
    def end(self) -> None: ...
    def alias(self, line: int, column: int) -> None: ...
    def other_key(self, line: int, column: int) -> None: ...
    def second(self) -> None: ...
    def error(self, says: str, line: int, column: int) -> None: ...


class _Found(NamedTuple):
    """An event of the parser, with the place at which the tree wants it."""

    what: str  # map, list, scalar, end or alias
    text: str
    line: int
    column: int


class _Parser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's parser, which remembers the last word that it read: an event begins at its tag or anchor."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)
        self.word: yaml.Token | None = None

    def check_printable(self, data: str) -> None:
        """What a title holds is not for the parser to judge."""

    def get_token(self) -> yaml.Token:
        token = super().get_token()
        if isinstance(token, (yaml.ScalarToken, yaml.AliasToken)):
            self.word = token
        return token

    def scan_to_next_token(self) -> None:
        """Tabs separate words, as blanks do, where they do not indent."""
        super().scan_to_next_token()
        while self.peek() == "\t" and self._is_within_line():
            while self.peek() == "\t":
                self.forward()
            super().scan_to_next_token()

    def _is_within_line(self) -> bool:
        before = self.buffer[self.pointer - self.column : self.pointer]
        return bool(before.strip(" \t"))


def _place(event: yaml.Event, word: yaml.Token | None) -> tuple[int, int]:
    """Where the text of a scalar or the name of an alias begins."""
    mark = event.start_mark if word is None else word.start_mark
    if isinstance(event, yaml.ScalarEvent) and not event.value and event.style is None:
        return 0, 0  # nothing is written
    if isinstance(event, yaml.ScalarEvent) and event.style in ("|", ">"):
        return mark.line + 2, 1
    is_after = isinstance(event, yaml.AliasEvent) or event.style is not None  # a * or a quote
    return mark.line + 1, mark.column + 1 + is_after


def _found(event: yaml.Event, word: yaml.Token | None) -> _Found:
    if isinstance(event, yaml.ScalarEvent):
        return _Found("scalar", event.value, *_place(event, word))
    if isinstance(event, yaml.AliasEvent):
        return _Found("alias", "", *_place(event, word))
    if isinstance(event, yaml.CollectionEndEvent):
        return _Found("end", "", 0, 0)
    what = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
    return _Found(what, "", event.start_mark.line + 1, event.start_mark.column + 1)


def _document(parser: _Parser) -> list[_Found] | None:
    """What the next document holds, up to what is too deep; None if there is no other."""
    while not isinstance(event := parser.get_event(), yaml.DocumentStartEvent):
        if isinstance(event, yaml.StreamEndEvent):
            return None
    found: list[_Found] = []
    depth = 0
    while not isinstance(event := parser.get_event(), yaml.DocumentEndEvent) and depth < MAX_DEPTH:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        found.append(_found(event, parser.word))
    return found


def _first_word(found: list[_Found], at: int) -> tuple[int, int]:
    """Where the first word in a list is; a map has no such place."""
    while found[at].what == "list":
        at += 1
    is_word = found[at].what in ("scalar", "alias")
    return (found[at].line, found[at].column) if is_word else (0, 0)


def _tell(tree: Tree, found: list[_Found]) -> None:
    open_: list[bool | None] = []  # of each map whether a key comes next; None: a list
    for at, it in enumerate(found):
        is_key = bool(open_) and open_[-1] is True and it.what != "end"
        if it.what == "end":
            open_.pop()
            tree.end()
            continue
        if open_ and open_[-1] is not None:
            open_[-1] = not open_[-1]
        if it.what == "alias":
            tree.alias(it.line, it.column)
        elif it.what == "scalar":
            (tree.key if is_key else tree.scalar)(it.text, it.line, it.column)
        elif is_key:
            tree.other_key(*_first_word(found, at))
            return
        else:
            (tree.map if it.what == "map" else tree.list)(it.line, it.column)
            open_.append(True if it.what == "map" else None)


def _spare_letters(text: str) -> dict[int, str]:
    """Letters that the text does not hold, for those that PyYAML takes for line ends."""
    spare = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    return {ord(letter): next(spare) for letter in _LETTERS if letter in text}


def parse(tree: Tree, text: str) -> None:
    """Tells the tree what a text holds. All of a document is parsed first, so an error in it comes first."""
    instead = _spare_letters(text)
    back = {ord(spare): chr(letter) for letter, spare in instead.items()}
    parser = _Parser(text.translate(instead))
    try:
        found = _document(parser)
        _tell(tree, [it._replace(text=it.text.translate(back)) for it in found or []])
        if found is not None and _document(parser) is not None:
            tree.second()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        tree.error(error.problem or error.context or "", *place)
    except yaml.YAMLError as error:
        tree.error(str(error).partition("\n")[0], 0, 0)
