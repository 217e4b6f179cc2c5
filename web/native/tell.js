// SPDX-License-Identifier: Apache-2.0
// What C calls in JavaScript: the methods of `tell`, which web/cfpc/src/native.ts describes and sets.
mergeInto(LibraryManager.library, {
  web_tick: function (what, done, total) {
    return Module['tell'].tick(what, done, total);
  },
  web_tell_array: function (name, unit, values, rank, rows, columns) {
    Module['tell'].array(name, unit, values, rank, rows, columns);
  },
  web_tell_measure: function (name, unit, value) {
    Module['tell'].measure(name, unit, value);
  },
  web_tell_claim: function (name, says, measure, low, high, measured, applies, holds) {
    Module['tell'].claim(name, says, measure, low, high, measured, applies, holds);
  },
  web_tell_rule: function (name, rate, divergedAt, noOptimum, taughtBy, weights, count) {
    Module['tell'].rule(name, rate, divergedAt, noOptimum, taughtBy, weights, count);
  },
  web_tell_phase: function (name, first, last) {
    Module['tell'].phase(name, first, last);
  },
});
