# SPDX-License-Identifier: Apache-2.0
"""Where an experiment comes from: its name, a file, a text or a dict. Nothing guesses which it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from cfpc._native import Tree
from cfpc.places import OF_DICT
from cfpc.specs import article, tree_of, utf8

OTHERS = "Experiment.from_file takes a path, from_text YAML text, from_dict a dict"


def experiments_folder() -> Path:
    """Where the specs are that come with cfpc."""
    chosen = os.environ.get("CFPC_EXPERIMENTS")
    return Path(chosen) if chosen else Path(__file__).parent / "experiments"


def experiment_names() -> list[str]:
    """The experiments that come with cfpc."""
    return sorted(path.stem for path in experiments_folder().glob("*.yaml") if not path.name.startswith("."))


class Experiment:
    """An experiment, made from one kind of source: what `cfpc.run`, `sweep`, `check`, `show` and `analyse` take.

    They also take the name alone of one that comes with cfpc. A source is read when it is used, each time again.

    >>> import cfpc
    >>> mine = cfpc.Experiment.from_text(cfpc.show("pursuit"))
    >>> cfpc.run(mine, trials=5).name
    'pursuit'
    """

    _what: str
    _source: bytes | partial[Tree]
    """The path of a file, or what makes the tree."""

    def __init__(self, *source: object) -> None:
        raise TypeError(f"say what the experiment is made from: Experiment.named takes a name, {OTHERS}")

    @classmethod
    def _made(cls, what: str, source: bytes | partial[Tree]) -> Experiment:
        made = object.__new__(cls)
        made._what, made._source = what, source
        return made

    @classmethod
    def named(cls, name: str) -> Experiment:
        """One that comes with cfpc: `cfpc.list_experiments` names them.

        >>> import cfpc
        >>> cfpc.Experiment.named("pursuit")
        <cfpc.Experiment pursuit>
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of an experiment is a text, this is {article(name)}; {OTHERS}")
        if name not in experiment_names():
            raise ValueError(f"no experiment {name!r}; there are {', '.join(experiment_names())}; {OTHERS}")
        return cls._made(name, os.fsencode(experiments_folder() / f"{name}.yaml"))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Experiment:
        """A spec file. Files that it names are relative to it.

        >>> import cfpc
        >>> cfpc.Experiment.from_file("mine.yaml")
        <cfpc.Experiment of the file mine.yaml>
        """
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"the path of a spec file is a text or a pathlib.Path; this is {article(path)}")
        text = os.fspath(path)
        if not isinstance(text, str) or not text or "\0" in text:
            raise ValueError(f"{text!r} is not the path of a spec file")
        return cls._made(f"of the file {text}", os.fsencode(text))

    @classmethod
    def from_text(cls, text: str) -> Experiment:
        """A spec as YAML text. Files that it names are relative to the current folder.

        >>> import cfpc
        >>> cfpc.Experiment.from_text(cfpc.show("pursuit"))
        <cfpc.Experiment of a text>
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a spec is YAML; this is {article(text)}")
        return cls._made("of a text", partial(text_tree, utf8(text, "the spec")))

    @classmethod
    def from_dict(cls, spec: Mapping[str, object]) -> Experiment:
        """A spec as a dict, such as a YAML parser gives. Files that it names are relative to the current folder.

        >>> import cfpc
        >>> cfpc.Experiment.from_dict({"name": "mine"})
        <cfpc.Experiment of a dict>
        """
        if not isinstance(spec, Mapping):
            raise TypeError(f"a spec is a dict; this is {article(spec)}")
        return cls._made("of a dict", partial(tree_of, spec, OF_DICT))

    def __reduce__(self) -> tuple[object, ...]:
        return Experiment._made, (self._what, self._source)

    def __repr__(self) -> str:
        return f"<cfpc.Experiment {self._what}>"


def source_of(experiment: Experiment | str) -> Tree | bytes:
    """A tree, or the name of a file."""
    if isinstance(experiment, str):
        experiment = Experiment.named(experiment)
    if not isinstance(experiment, Experiment):
        raise TypeError(f"an experiment is a name or a cfpc.Experiment, this is {article(experiment)}; {OTHERS}")
    source = experiment._source
    return source if isinstance(source, bytes) else source()


def text_tree(text: bytes) -> Tree:
    """The tree of YAML text."""
    tree = Tree("text")
    tree.read(text)
    return tree
