// SPDX-License-Identifier: Apache-2.0
// native: what every file of the module needs. Each concept adds its own classes and functions to
// the module. The Python files of the package check shapes and numbers first; here only what memory
// depends on is checked again.
#ifndef CFPC_PYTHON_NATIVE_H
#define CFPC_PYTHON_NATIVE_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "cfpc/cfpc.h"

namespace nb = nanobind;

static_assert(sizeof(cfpc_real) == sizeof(double), "the module needs CFPC_REAL=double");

// Arrays as they come in: never converted here, so that a wrong type is refused and not misread.
using Signal = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Arrays as they go out.
using Array = nb::ndarray<nb::numpy, double>;

// Raises what a status means (cfpc.errors); `what` begins its sentence. Holds the GIL.
void must(cfpc_status status, const char *what);

// A length as the C libraries count; a longer one is refused.
int32_t count_of(size_t length);

// Copies into a NumPy array that owns its memory.
Array array_of(const double *values, size_t count);
Array array_of(const double *values, size_t rows, size_t columns);
Array array_of(std::vector<double> &&values);

// A system that frees itself.
class System
{
  public:
    cfpc_system raw{};

    System() = default;
    System(System &&other) noexcept : raw(std::exchange(other.raw, cfpc_system{}))
    {
    }
    System(const System &) = delete;
    System &operator=(const System &) = delete;
    ~System()
    {
        cfpc_system_free(&raw);
    }
};

// A filter that turns errors into what past inputs should have been taught; frees itself.
class TeachingFilter
{
  public:
    cfpc_teaching_filter raw{};

    TeachingFilter() = default;
    TeachingFilter(TeachingFilter &&other) noexcept
        : raw(std::exchange(other.raw, cfpc_teaching_filter{}))
    {
    }
    TeachingFilter(const TeachingFilter &) = delete;
    TeachingFilter &operator=(const TeachingFilter &) = delete;
    ~TeachingFilter()
    {
        cfpc_teaching_filter_free(&raw);
    }
};

void add_system(nb::module_ &module);
void add_parts(nb::module_ &module);
void add_loop(nb::module_ &module);
void add_bases(nb::module_ &module);
void add_teaching_filter(nb::module_ &module);
void add_learning(nb::module_ &module);
void add_compile(nb::module_ &module);
void add_cell(nb::module_ &module);
void add_identify(nb::module_ &module);
void add_excite(nb::module_ &module);

#endif
