# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: its names, its types, its data."""

import ast
import inspect
import pickle
import re
from importlib import metadata, resources
from pathlib import Path

import pytest

import cfpc
from cfpc import _native


def test_version():
    assert cfpc.__version__ == metadata.version("cfpc") == _native.version
    assert re.fullmatch(r"\d+\.\d+\.\d+", cfpc.__version__)


def undocumented_fields(cls):
    """Annotated members without a docstring below them."""
    body = ast.parse(inspect.getsource(cls)).body[0].body
    for node, after in zip(body, [*body[1:], None], strict=True):
        documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_") and not documented:
            yield node.target.id


@pytest.mark.parametrize("name", [name for name in cfpc.__all__ if not name.startswith("_")])
def test_every_name_is_documented(name):
    thing = getattr(cfpc, name)
    assert inspect.getdoc(thing), name
    if not inspect.isclass(thing) or issubclass(thing, BaseException):
        return
    assert list(undocumented_fields(thing)) == []
    for member, value in vars(thing).items():
        if not member.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
            assert inspect.getdoc(value), f"{name}.{member}"


def test_what_a_cell_has_of_its_own_is_documented():
    for member, value in vars(_native.Cell).items():
        assert member.startswith("_") or value.__doc__, member


def test_all_is_all():
    assert sorted(cfpc.__all__) == sorted(set(cfpc.__all__))
    for name in cfpc.__all__:
        assert hasattr(cfpc, name)


def signatures(body):
    """Names of a stub with the number of their parameters."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = len(node.args.posonlyargs) + len(node.args.args)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = signatures(node.body)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = 0
    return found


def test_the_stub_is_the_module():
    stubgen = pytest.importorskip("nanobind.stubgen")
    generator = stubgen.StubGen(_native, include_private=True)
    generator.put(_native)
    own = signatures(ast.parse(generator.get()).body)
    written = signatures(ast.parse((resources.files("cfpc") / "_native.pyi").read_text()).body)
    assert written == own


def test_experiments_are_in_the_package():
    found = {path.name for path in (resources.files("cfpc") / "experiments").iterdir()}
    root = Path(__file__).parents[2] / "experiments"
    assert found == {path.name for path in root.iterdir()}
    assert "pursuit.yaml" in found


def test_errors():
    spec = cfpc.SpecError("a.yaml:3:5: no", "a.yaml", 3, 5)
    assert isinstance(spec, ValueError) and isinstance(spec, cfpc.Error)
    again = pickle.loads(pickle.dumps(spec))
    assert (str(again), again.file, again.line, again.column) == ("a.yaml:3:5: no", "a.yaml", 3, 5)
    with pytest.raises(cfpc.StatusError) as caught:
        cfpc.Delay(0.5).discretise(0.2)
    assert caught.value.status == "CFPC_BAD_DELAY" and isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).status == "CFPC_BAD_DELAY"
    with pytest.raises(MemoryError, match="the cell: memory ran out"):
        cfpc.errors.raise_status("CFPC_NO_MEMORY", "the cell", "memory ran out")
