// SPDX-License-Identifier: Apache-2.0
// lab_sweep: one spec at all points of a grid.
#include <nanobind/ndarray.h>

#include "lab_native.h"

namespace
{

class Sweep
{
  public:
    Sweep(nb::object spec, nb::dict changes)
    {
        const Options options(changes_of(std::move(changes)));
        cfpc_why why = {};
        const bool is_tree = nb::isinstance<Tree>(spec);
        const nb::bytes file = is_tree ? nb::bytes("") : nb::cast<nb::bytes>(spec);
        const cfpc_outcome outcome = cfpc_sweep_create(
            &it_, is_tree ? nullptr : c_text(file),
            is_tree ? nb::cast<Tree &>(spec).get() : nullptr, options.get(), &why);
        check(outcome, why);
    }
    ~Sweep()
    {
        cfpc_sweep_free(it_);
    }
    Sweep(const Sweep &) = delete;
    Sweep &operator=(const Sweep &) = delete;

    // An axis as the command takes it.
    void axis(const std::string &text)
    {
        cfpc_why why = {};
        const cfpc_outcome outcome = cfpc_sweep_axis(it_, c_text(text), &why);
        check(outcome, why);
    }

    void axis_tree(const std::string &path, const Tree &list)
    {
        cfpc_why why = {};
        const cfpc_outcome outcome = cfpc_sweep_axis_tree(it_, c_text(path), list.get(), &why);
        check(outcome, why);
    }

    void run(int threads, nb::object tell)
    {
        Teller teller(std::move(tell));
        cfpc_why why = {};
        cfpc_outcome outcome;
        {
            nb::gil_scoped_release released;
            outcome = cfpc_sweep_run(it_, threads, teller.get(), &why);
        }
        teller.raise_error(); // in the last tick it comes too late to stop anything
        check(outcome, why);
    }

    nb::str name() const
    {
        return text_of(cfpc_sweep_name(it_));
    }

    // (key, whether its values are numbers, its value at each point)
    nb::list axes() const
    {
        nb::list all;
        for (int i = 0; cfpc_sweep_key(it_, i); i++) {
            nb::list texts;
            size_t count = 0;
            for (size_t point = 0; point < cfpc_sweep_points(it_); point++)
                texts.append(text_of(cfpc_sweep_value(it_, i, point)));
            all.append(nb::make_tuple(text_of(cfpc_sweep_key(it_, i)),
                                      cfpc_sweep_numbers(it_, i, &count) != nullptr, texts));
        }
        return all;
    }

    nb::list points() const
    {
        nb::list all;
        for (size_t point = 0; point < cfpc_sweep_points(it_); point++)
            all.append(nb::make_tuple(text_of(cfpc_sweep_status(it_, point)),
                                      text_of(cfpc_sweep_says(it_, point))));
        return all;
    }

    const cfpc_sweep *get() const
    {
        return it_;
    }

  private:
    cfpc_sweep *it_ = nullptr;
};

using View = nb::ndarray<nb::numpy, const double, nb::c_contig>;

nb::list columns(nb::handle_t<Sweep> self)
{
    const Sweep &it = nb::cast<const Sweep &>(self);
    nb::list all;
    cfpc_array column;
    for (int i = 0; cfpc_sweep_column(it.get(), i, &column); i++)
        all.append(nb::make_tuple(
            text_of(column.name), text_of(column.unit),
            View(column.values, static_cast<size_t>(column.rank), column.shape, self)));
    return all;
}

} // namespace

void add_sweep(nb::module_ &module)
{
    nb::class_<Sweep>(module, "Sweep")
        .def(nb::init<nb::object, nb::dict>(), nb::arg("spec"), nb::arg("changes"))
        .def("axis", &Sweep::axis)
        .def("axis_tree", &Sweep::axis_tree)
        .def("run", &Sweep::run, nb::arg("threads"), nb::arg("tell").none())
        .def("name", &Sweep::name)
        .def("axes", &Sweep::axes)
        .def("points", &Sweep::points)
        .def("columns", &columns);
}
