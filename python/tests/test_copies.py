# SPDX-License-Identifier: Apache-2.0
"""What can be pickled and copied, and what its names say when they are wrong."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cfpc

COPIES: list[Callable[[Any], Any]] = [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy, copy.copy]


@pytest.fixture(scope="module")
def result() -> cfpc.Result:
    return cfpc.run("pursuit", trials=3)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(
    "settings", [{}, {"mode": "online"}, {"trace": "whitened"}, {"trace": np.ones(30), "adjoint": True}]
)
def test_certificates(
    loop: cfpc.Loop, reference: np.ndarray, copied: Callable[[Any], Any], settings: dict[str, Any]
) -> None:
    certificate = loop.certify(cfpc.Gaussians(6, duration=2.5), reference=reference, **settings)
    again = copied(certificate)
    assert repr(again) == repr(certificate) and again.rate == certificate.rate
    assert np.array_equal(again.predict(8), certificate.predict(8))


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", ["measures", "rules", "phases", "units", "arrays"])
def test_mappings_of_a_result(result: cfpc.Result, copied: Callable[[Any], Any], name: str) -> None:
    own = getattr(result, name)
    again = copied(own)
    assert list(again) == list(own) and len(again) == len(own)
    with pytest.raises(TypeError):
        again["mine"] = 1


def test_a_wrong_name_says_which_are_near(result: cfpc.Result) -> None:
    with pytest.raises(KeyError, match="no measure 'lag_m'; near it: lag_ms"):
        result.measures["lag_m"]
    with pytest.raises(KeyError, match="there are: fm-et, wh"):
        result.rules["quite another"]
    assert result.measures == dict(result.measures) and "lag_ms" in result.measures


def test_a_certificate_shows_in_a_line(loop: cfpc.Loop, basis: cfpc.Gaussians, reference: np.ndarray) -> None:
    text = repr(loop.certify(basis, reference=reference))
    assert text.startswith("<cfpc.Certificate monotone: rate ") and text.endswith("asymptote 0.04547, optimum 0.04547>")
