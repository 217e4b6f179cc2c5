# SPDX-License-Identifier: Apache-2.0
"""PyYAML as a reader of specs: it tells a tree, call by call, what a text holds and where.

The tree has the methods of ``cfpc_tree_*`` in ``cfpc/lab.h``: ``map``, ``list``, ``key``, ``scalar``, ``end``, ``alias``,
``other_key``, ``second`` and ``error``. Scalars are told as they are written: that YAML 1.1 takes ``on`` for true and
``012`` for ten matters to no spec.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import yaml
import yaml.parser
import yaml.reader
import yaml.scanner

MAX_DEPTH = 64  # of maps and lists within each other; the tree says what is too deep

# Line ends to YAML 1.1, which PyYAML reads, and letters to YAML 1.2.
_LETTERS = "\x85\u2028\u2029"


class Tree(Protocol):
    """What is told. Lines and columns count from 1; 0: there is no place."""

    def map(self, line: int, column: int, /) -> None: ...
    def list(self, line: int, column: int, /) -> None: ...
    def key(self, text: str, line: int, column: int, /) -> None: ...
    def scalar(self, text: str, line: int, column: int, /) -> None: ...
    def end(self) -> None: ...
    def alias(self, line: int, column: int, /) -> None: ...
    def other_key(self, line: int, column: int, /) -> None: ...
    def second(self) -> None: ...
    def error(self, says: str, line: int, column: int, /) -> None: ...


class _Refusal(Exception):
    """The arguments of ``error``."""


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
        self.is_ended = False  # the last document, by a line of ...

    def check_printable(self, data: str) -> None:
        """What a title holds is not for the parser to judge."""

    def get_token(self) -> Any:
        token: Any = super().get_token()  # type: ignore[no-untyped-call]
        if isinstance(token, (yaml.ScalarToken, yaml.AliasToken)):
            self.word = token
        return token

    def next_event(self) -> Any:
        """The next event, which types-PyYAML knows only in part."""
        return self.get_event()  # type: ignore[no-untyped-call]

    def scan_to_next_token(self) -> None:
        """Tabs are blanks where they do not indent, and what is in brackets is indented: as in YAML 1.2."""
        super().scan_to_next_token()
        while self.peek() == "\t" and self._is_blank():
            while self.peek() in " \t":
                self.forward()
            super().scan_to_next_token()
        if self.flow_level and self.column <= self.indent and self.peek() != "\0":
            raise yaml.scanner.ScannerError(None, None, "wrongly indented within brackets", self.get_mark())

    def _is_blank(self) -> bool:
        """Whether the tab here stands after something in its line, or in a line that holds no more than a comment."""
        before = self.buffer[self.pointer - self.column : self.pointer]
        ahead = 0
        while self.peek(ahead) in " \t":
            ahead += 1
        return bool(before.strip(" \t")) or self.peek(ahead) in "#\r\n\0"


def _place(event: Any, word: Any) -> tuple[int, int]:
    """Where the text of a scalar or the name of an alias begins."""
    mark = event.start_mark if word is None else word.start_mark
    if isinstance(event, yaml.ScalarEvent) and not event.value and event.style is None:
        return 0, 0  # nothing is written
    if isinstance(event, yaml.ScalarEvent) and event.style in ("|", ">"):
        return mark.line + 2, 1
    is_after = isinstance(event, yaml.AliasEvent) or event.style is not None  # a * or a quote
    return mark.line + 1, mark.column + 1 + is_after


def _scalar(event: yaml.ScalarEvent, word: yaml.Token | None) -> _Found:
    place = _place(event, word)
    if any("\ud800" <= letter <= "\udfff" for letter in event.value):
        raise _Refusal("an escape stands for half a letter", *place)
    return _Found("scalar", event.value, *place)


def _found(event: Any, word: yaml.Token | None) -> _Found:
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event, word)
    if isinstance(event, yaml.AliasEvent):
        return _Found("alias", "", *_place(event, word))
    if isinstance(event, yaml.CollectionEndEvent):
        return _Found("end", "", 0, 0)
    what = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
    mark: Any = event.start_mark
    return _Found(what, "", mark.line + 1, mark.column + 1)


def _document(parser: _Parser) -> list[_Found] | None:
    """What the next document holds, up to what is too deep; None if there is no other."""
    while not isinstance(event := parser.next_event(), yaml.DocumentStartEvent):
        if isinstance(event, yaml.StreamEndEvent):
            return None
    found: list[_Found] = []
    depth = 0
    while not isinstance(event := parser.next_event(), yaml.DocumentEndEvent) and depth < MAX_DEPTH:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        found.append(_found(event, parser.word))
    parser.is_ended = isinstance(event, yaml.DocumentEndEvent) and bool(event.explicit)
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


def _has_second(parser: _Parser) -> bool:
    try:
        return _document(parser) is not None
    except yaml.parser.ParserError as error:
        if parser.is_ended and "<document start>" in (error.problem or ""):
            return True  # YAML 1.2 needs no --- there
        raise


def _spare_letters(text: str) -> dict[int, str]:
    """Letters that the text does not hold, for those that PyYAML takes for line ends."""
    spare = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    return {ord(letter): next(spare) for letter in _LETTERS if letter in text}


def _parse(tree: Tree, text: str) -> None:
    instead = _spare_letters(text)
    back = {ord(spare): chr(letter) for letter, spare in instead.items()}
    text = text if text.endswith("\n") else text + "\n"  # as YAML 1.2 ends a block
    parser = _Parser(text.translate(instead))
    found = _document(parser)
    _tell(tree, [it._replace(text=it.text.translate(back)) for it in found or []])
    if found is not None and _has_second(parser):
        tree.second()


def _error_place(error: yaml.MarkedYAMLError) -> tuple[int, int]:
    """Where a text in quotes or a key begins, if it is in that; else where the parser was."""
    is_quoted = "quoted scalar" in (error.context or "")
    is_within = is_quoted or error.context == "while scanning a simple key"
    mark = error.context_mark if is_within else error.problem_mark
    return (mark.line + 1, mark.column + 1 + is_quoted) if mark else (0, 0)


def parse(tree: Tree, text: str) -> None:
    """Tells the tree what a text holds. All of a document is parsed first, so an error in it comes first."""
    try:
        _parse(tree, text)
    except _Refusal as refusal:
        tree.error(*refusal.args)
    except yaml.MarkedYAMLError as error:
        tree.error(error.problem or error.context or "", *_error_place(error))
    except yaml.YAMLError as error:
        tree.error(str(error).partition("\n")[0], 0, 0)
