// SPDX-License-Identifier: Apache-2.0
#include "numbers.h"

#include <string.h>

#include "cfpc/cell.h"
#include "core/numbers.h"

// What is filtered together.
enum { CELLS_AT_ONCE = 16, TAPS_AT_ONCE = 64, STEPS_AT_ONCE = 64 };

#define REAL float
#define BITS uint32_t
#define EXPONENT 0x00800000u // its lowest bit
#define NAMED(name) name##_float
#include "filter_kernel.h"
#include "numbers_kernel.h"
#undef REAL
#undef BITS
#undef EXPONENT
#undef NAMED

#define REAL double
#define BITS uint64_t
#define EXPONENT 0x0010000000000000u
#define NAMED(name) name##_double
#include "filter_kernel.h"
#include "numbers_kernel.h"
#undef REAL
#undef BITS
#undef EXPONENT
#undef NAMED

#define ALL_OF(precision)                                                                          \
    .bytes = sizeof(precision), .is_cfpc_real = sizeof(precision) == sizeof(cfpc_real),            \
    .act = act_##precision, .learn = learn_##precision, .from_doubles = from_doubles_##precision,  \
    .column_in = column_in_##precision, .column_out = column_out_##precision,                      \
    .rows_in = rows_in_##precision, .rows_look = rows_look_##precision,                            \
    .rows_kept = rows_kept_##precision, .take_error = take_error_##precision,                      \
    .filter = filter_##precision, .scale = scale_##precision, .settle = settle_##precision,        \
    .scale_column = scale_column_##precision, .hold_within = hold_within_##precision,              \
    .total = total_##precision

const cfpci_numbers *cfpci_numbers_of(int32_t is_double)
{
    static const cfpci_numbers in_float = {ALL_OF(float)}, in_double = {ALL_OF(double)};
    return is_double ? &in_double : &in_float;
}
