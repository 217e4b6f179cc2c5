// SPDX-License-Identifier: Apache-2.0
// lab_native: what the files about experiments share: trees that Python fills, who is called with
// how far a run is, and how a call that failed becomes an exception.
#ifndef CFPC_PYTHON_LAB_NATIVE_H
#define CFPC_PYTHON_LAB_NATIVE_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cfpc/lab.h"

namespace nb = nanobind;

// A tree that Python fills.
class Tree
{
  public:
    explicit Tree(const std::string &file);
    ~Tree();
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;
    cfpc_tree *get() const
    {
        return tree_;
    }

  private:
    cfpc_tree *tree_;
};

// A Python function, or None, that is called with how far a run is. Ctrl-C and what it raises stop
// the run.
class Teller
{
  public:
    explicit Teller(nb::object tell);
    Teller(const Teller &) = delete;
    Teller &operator=(const Teller &) = delete;
    const cfpc_progress *get() const
    {
        return &progress_;
    }
    void raise_error();

  private:
    static bool tick(void *context, const char *what, int done, int total);
    bool tell(const char *what, int done, int total);
    nb::object tell_;
    std::optional<nb::python_error> error_;
    std::chrono::steady_clock::time_point looked_; // when signals were looked for
    cfpc_progress progress_;
};

// How a spec is read and what is changed in it.
struct Changes {
    std::vector<std::pair<std::string, nb::object>>
        set; // paths and Trees, or texts path=value and None
    std::optional<std::string> rule;
    int trials = 0;
    double rate = 0;
    bool online = false;
    int repeat = 0;
    int seed = -1;
};

// Settings and options as lab.h takes them, for as long as this lives.
class Options
{
  public:
    explicit Options(Changes changes);
    ~Options();
    Options(const Options &) = delete;
    Options &operator=(const Options &) = delete;
    const cfpc_experiment_options *get() const
    {
        return &options_;
    }

  private:
    void add(const std::string &path, const nb::object &tree);
    Changes changes_; // options_ points into it
    cfpc_settings *settings_;
    cfpc_experiment_options options_;
};

Changes changes_of(nb::dict from);

// A text of the library, which is UTF-8 except where a message shortened a name in the middle of a
// letter.
nb::str text_of(const char *text);

// A text of Python as C takes it, which ends at its first NUL: throws if it holds one.
const char *c_text(const std::string &text);
const char *c_text(const nb::bytes &text);

// Throws what an outcome means, unless it is CFPC_DONE.
void check(cfpc_outcome outcome, const cfpc_why &why);

void add_tree(nb::module_ &module);
void add_experiment(nb::module_ &module);
void add_result(nb::module_ &module);
void add_sweep(nb::module_ &module);

// A result for Python, which then owns it.
nb::object result_object(cfpc_result *result);

#endif
