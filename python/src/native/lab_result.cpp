// SPDX-License-Identifier: Apache-2.0
// lab_result: a result, whose arrays are views that keep it alive.
#include <nanobind/ndarray.h>

#include "lab_native.h"

namespace
{

class Result
{
  public:
    explicit Result(cfpc_result *it) : it_(it)
    {
    }
    ~Result()
    {
        cfpc_result_free(it_);
    }
    Result(const Result &) = delete;
    Result &operator=(const Result &) = delete;
    const cfpc_result *get() const
    {
        return it_;
    }

  private:
    cfpc_result *it_;
};

using View = nb::ndarray<nb::numpy, const double, nb::c_contig>;

nb::list arrays(nb::handle_t<Result> self)
{
    const Result &it = nb::cast<const Result &>(self);
    nb::list all;
    cfpc_array array;
    for (int i = 0; cfpc_result_array(it.get(), i, &array); i++)
        all.append(
            nb::make_tuple(text_of(array.name), text_of(array.unit),
                           View(array.values, static_cast<size_t>(array.rank), array.shape, self)));
    return all;
}

nb::list measures(const Result &it)
{
    nb::list all;
    cfpc_measure measure;
    for (int i = 0; cfpc_result_measure(it.get(), i, &measure); i++)
        all.append(nb::make_tuple(text_of(measure.name), text_of(measure.unit), measure.value));
    return all;
}

nb::list claims(const Result &it)
{
    nb::list all;
    cfpc_claim claim;
    for (int i = 0; cfpc_result_claim(it.get(), i, &claim); i++)
        all.append(nb::make_tuple(text_of(claim.name), text_of(claim.says), text_of(claim.measure),
                                  claim.measured, claim.low, claim.high,
                                  claim.applies ? nb::cast(claim.holds) : nb::none()));
    return all;
}

// (name, what taught it) of each rule
nb::list rules(const Result &it)
{
    nb::list all;
    cfpc_rule_result rule;
    for (int i = 0; cfpc_result_rule(it.get(), i, &rule); i++)
        all.append(nb::make_tuple(text_of(rule.name), text_of(rule.taught_by)));
    return all;
}

// (name, first trial, last trial) of each phase
nb::list phases(const Result &it)
{
    nb::list all;
    cfpc_phase phase;
    for (int i = 0; cfpc_result_phase(it.get(), i, &phase); i++)
        all.append(nb::make_tuple(text_of(phase.name), phase.first, phase.last));
    return all;
}

nb::object attribute(const Result &it, const std::string &name)
{
    const char *text = cfpc_result_attribute(it.get(), c_text(name));
    return text ? nb::object(text_of(text)) : nb::none();
}

// Why the command would end with an error although the run is complete; None: it would not.
nb::object doubt(const Result &it)
{
    cfpc_why why = {};
    return cfpc_result_check(it.get(), &why) == CFPC_DONE ? nb::none()
                                                          : nb::object(text_of(why.text));
}

void write_folder(const Result &it, nb::bytes folder, bool replace, bool figures)
{
    const cfpc_write_options options = {replace, figures};
    const char *path = c_text(folder);
    cfpc_why why = {};
    cfpc_outcome outcome;
    {
        nb::gil_scoped_release released;
        outcome = cfpc_result_write(it.get(), path, &options, &why);
    }
    check(outcome, why);
}

} // namespace

nb::object result_object(cfpc_result *result)
{
    return nb::cast(new Result(result), nb::rv_policy::take_ownership);
}

void add_result(nb::module_ &module)
{
    nb::class_<Result>(module, "Result")
        .def("arrays", &arrays)
        .def("measures", &measures)
        .def("claims", &claims)
        .def("rules", &rules)
        .def("phases", &phases)
        .def("repeats", [](const Result &it) { return cfpc_result_repeats(it.get()); })
        .def("hash", [](const Result &it) { return text_of(cfpc_result_hash(it.get())); })
        .def("attribute", &attribute)
        .def("doubt", &doubt)
        .def("write", &write_folder);
}
