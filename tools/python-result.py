# SPDX-License-Identifier: Apache-2.0
"""Runs a spec by the package, for tools/check-python-same: python-result.py SPEC RESULT writes the result, pickled."""

import pickle
import sys
import warnings

import cfpc

warnings.simplefilter("ignore", cfpc.DivergedWarning)
with open(sys.argv[2], "wb") as file:
    pickle.dump(cfpc.run(sys.argv[1]), file)
