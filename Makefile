# SPDX-License-Identifier: Apache-2.0
# Shortcuts to the CMake presets. Every target first installs missing packages.
PREFIX ?= /usr/local
DESTDIR ?=
CFPC := build/release/bin/cfpc

.PHONY: all run test python web web-test install amalgamation bench bench-gpu clean help

all: ## build the library and the command
	@tools/packages build
	@tools/build configure release
	@cmake --build --preset release

run: all ## run the paper's experiment; figures and data go to out/pursuit
	@$(CFPC) run pursuit --force

test: ## build and run the tests
	@tools/packages build test
	@tools/build configure test
	@cmake --build --preset test
	@ctest --preset test

python: ## build the Python package in build/python-venv, and test it
	@tools/packages python
	@tools/check-python tests types

web: ## build the page, which runs the C code in a browser, and the npm package; the page goes to out/web
	@tools/packages web
	@tools/build web

web-test: web ## test the page in Chromium, the npm package, and their numbers beside those of the command
	@tools/packages build test web-test
	@tools/check-web

install: all ## install under PREFIX (default /usr/local), below DESTDIR if given
	@tools/build install "$(PREFIX)" "$(DESTDIR)"

amalgamation: ## write the core as one cfpc.h and one cfpc.c, for firmware, to out/amalgamation
	@tools/amalgamate out/amalgamation

bench: ## compare the speed with its peers; results go to out/bench
	@tools/packages build bench firmware
	@tools/build configure bench bench-float
	@cmake --build --preset bench
	@cmake --build --preset bench-float --target bench_cell bench_adjoint bench_adjoint_cost bench_guard bench_zone cfpc
	@bench/run

bench-gpu: ## measure zones on an NVIDIA GPU; needs nvcc and cuBLAS; results go to out/bench-gpu
	@tools/gpu bench

clean: ## remove the builds; results in out/ are kept
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile
