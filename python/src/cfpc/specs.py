# SPDX-License-Identifier: Apache-2.0
"""Settings and Python's own values, as the library takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from cfpc._native import Tree

Settings: TypeAlias = Mapping[str, object] | Iterable[str]

DEEPEST = 60  # levels of a spec; deeper is a dict that holds itself
WORDS = {True: "on", False: "off"}  # what other readers of YAML make of the key `on`


def tree_of(value: object, name: str) -> Tree:
    """The tree of a Python value; the name is for messages."""
    tree = Tree(name)
    put(tree, value, name, 0)
    return tree


def settings_of(settings: Settings | None) -> list[tuple[str, Tree | None]]:
    """A path and a tree for each setting; a text `path=value` without a tree."""
    if settings is None:
        return []
    if isinstance(settings, Mapping):
        return [(path_of(path), tree_of(value, path)) for path, value in settings.items()]
    if isinstance(settings, str | bytes) or not isinstance(settings, Iterable):
        raise TypeError(
            f"settings= is a dict such as {{'loop.delay_ms': 40}}, or a list of texts; this is {article(settings)}"
        )
    texts = list(settings)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"settings=: a list has texts such as 'loop.delay_ms=40'; this is {article(text)}")
        utf8(text, "settings=")
    return [(text, None) for text in texts]


def path_of(path: object) -> str:
    """The path of a key, as it is written between dots."""
    if not isinstance(path, str) or not path:
        raise TypeError(f"{path!r} is not a path such as 'loop.delay_ms'")
    utf8(path, "the path of a key")
    return path


def put(tree: Tree, value: object, where: str, depth: int) -> None:
    """A value and all below it."""
    if depth > DEEPEST:
        raise ValueError(f"{where}: nested too deeply; does it hold itself?")
    if isinstance(value, Mapping):
        put_map(tree, value, where, depth)
    elif isinstance(value, np.ndarray) and value.ndim > 0:
        put_list(tree, list(value), where, depth)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes | np.ndarray | np.generic):
        put_list(tree, value, where, depth)
    else:
        tree.scalar(scalar_of(value, where))


def put_map(tree: Tree, value: Mapping[object, object], where: str, depth: int) -> None:
    tree.map()
    for key, below in value.items():
        text = WORDS[key] if isinstance(key, bool) else key
        if not isinstance(text, str):
            raise TypeError(f"{where}: the key {key!r} is not a text")
        utf8(text, where)
        tree.key(text)
        put(tree, below, text, depth + 1)
    tree.end()


def put_list(tree: Tree, value: Iterable[object], where: str, depth: int) -> None:
    tree.list()
    for below in value:
        put(tree, below, where, depth + 1)
    tree.end()


def scalar_of(value: object, where: str) -> str:
    """As YAML has it; a float by the digits that read back to the same float."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    if value is None:
        return ""  # as a key with nothing behind it
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        utf8(value, where)
        return str(value)
    raise TypeError(f"{where}: a spec has numbers, texts, lists and dicts; this is {article(value)}")


def utf8(text: str, where: str) -> bytes:
    """The bytes of a text that YAML can have."""
    if "\0" in text:
        raise ValueError(f"{where}: {text[:60]!r} has a NUL character")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where}: {text[:60]!r} is not Unicode text") from None


def article(value: object) -> str:
    """For a sentence: 'a complex', 'an object'."""
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"
