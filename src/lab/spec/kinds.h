// SPDX-License-Identifier: Apache-2.0
// kinds: a kind of a spec is one row of a list: its enumerator, its name in a spec file, the keys
// that it has beside those of every kind and, where kinds fall into families, its family:
//
//   #define LAB_SIGNAL_KINDS(X) X(LAB_STEP, "step", "at_s from to", LAB_PASSING) ...
//   typedef enum lab_signal_kind { LAB_SIGNAL_KINDS(LAB_ENUMERATOR) } lab_signal_kind;
//
// The enum, the names and the keys are made from the list. A `switch` over the enum lists every
// kind and has no default, so that the compiler names the places where a new kind is missing.
#ifndef CFPC_LAB_KINDS_H
#define CFPC_LAB_KINDS_H

#define LAB_ENUMERATOR(kind, ...) kind,
#define LAB_NAME(kind, ...) [kind] = LAB_FIRST_OF(__VA_ARGS__, ),
#define LAB_KEYS(kind, ...) [kind] = LAB_SECOND_OF(__VA_ARGS__, ),
#define LAB_FAMILY(kind, name, keys, family) [kind] = (family),

#define LAB_FIRST_OF(first, ...) first
#define LAB_SECOND_OF(first, second, ...) second

#endif
