// SPDX-License-Identifier: Apache-2.0
#include "native.h"

#include <algorithm>
#include <climits>

static const char *name_of(cfpc_status status)
{
    switch (status) {
#define NAME(name, sentence)                                                                       \
    case name:                                                                                     \
        return #name;
        CFPC_STATUS_LIST(NAME)
#undef NAME
    }
    return "";
}

void must(cfpc_status status, const char *what)
{
    if (status == CFPC_OK)
        return;
    nb::module_::import_("cfpc.errors")
        .attr("raise_status")(name_of(status), what, cfpc_status_message(status));
}

int32_t count_of(size_t length)
{
    if (length > INT32_MAX)
        throw nb::value_error("an array is longer than 2,147,483,647");
    return (int32_t)length;
}

static Array owned(double *memory, std::initializer_list<size_t> shape)
{
    nb::capsule owner(memory, [](void *p) noexcept { delete[] static_cast<double *>(p); });
    return Array(memory, shape, owner);
}

Array array_of(const double *values, size_t count)
{
    double *memory = new double[std::max<size_t>(count, 1)];
    std::copy_n(values, count, memory);
    return owned(memory, {count});
}

Array array_of(const double *values, size_t rows, size_t columns)
{
    double *memory = new double[std::max<size_t>(rows * columns, 1)];
    std::copy_n(values, rows * columns, memory);
    return owned(memory, {rows, columns});
}

Array array_of(std::vector<double> &&values)
{
    auto *kept = new std::vector<double>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
    return Array(kept->data(), {kept->size()}, owner);
}
