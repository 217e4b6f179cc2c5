// SPDX-License-Identifier: Apache-2.0
// lab_experiment: a spec with settings put in, checked; what can be said of it without a run;
// running it.
#include "lab_native.h"

namespace
{

// What a call makes, freed if Python raised meanwhile.
template <typename It> struct Made {
    explicit Made(void (*free)(It *)) : free_(free)
    {
    }
    ~Made()
    {
        free_(it);
    }
    Made(const Made &) = delete;
    Made &operator=(const Made &) = delete;
    It *it = nullptr;

  private:
    void (*free_)(It *);
};

class Experiment
{
  public:
    Experiment(nb::object spec, nb::dict changes)
    {
        const Options options(changes_of(std::move(changes)));
        cfpc_why why = {};
        cfpc_outcome outcome;
        if (nb::isinstance<Tree>(spec)) {
            outcome = cfpc_experiment_make(&it_, nb::cast<Tree &>(spec).get(), options.get(), &why);
        } else {
            const nb::bytes file = nb::cast<nb::bytes>(spec);
            outcome = cfpc_experiment_load(&it_, c_text(file), options.get(), &why);
        }
        check(outcome, why);
    }
    ~Experiment()
    {
        cfpc_experiment_free(it_);
    }
    Experiment(const Experiment &) = delete;
    Experiment &operator=(const Experiment &) = delete;

    nb::str name() const
    {
        return text_of(cfpc_experiment_name(it_));
    }
    nb::str title() const
    {
        return text_of(cfpc_experiment_title(it_));
    }
    nb::list rules() const
    {
        return texts(cfpc_experiment_rule);
    }

    nb::str text()
    {
        return made([&](char **text, const cfpc_progress *,
                        cfpc_why *why) { return cfpc_experiment_text(it_, text, why); },
                    nb::none());
    }

    nb::str report()
    {
        return made([&](char **text, const cfpc_progress *,
                        cfpc_why *why) { return cfpc_experiment_check(it_, text, why); },
                    nb::none());
    }

    nb::str certificate(nb::object tell)
    {
        return made(
            [&](char **text, const cfpc_progress *told, cfpc_why *why) {
                return cfpc_experiment_certificate(it_, text, told, why);
            },
            std::move(tell));
    }

    nb::object run(nb::object tell)
    {
        Made<cfpc_result> result(cfpc_result_free);
        call([&](const cfpc_progress *told,
                 cfpc_why *why) { return cfpc_experiment_run(&result.it, it_, told, why); },
             std::move(tell));
        return result_object(std::exchange(result.it, nullptr));
    }

  private:
    // Calls the library while other threads of Python run. What Python raised meanwhile is raised
    // again.
    template <typename Work> void call(Work work, nb::object tell)
    {
        Teller teller(std::move(tell));
        cfpc_why why = {};
        cfpc_outcome outcome;
        {
            nb::gil_scoped_release released;
            outcome = work(teller.get(), &why);
        }
        teller.raise_error(); // in the last tick it comes too late to stop anything
        check(outcome, why);
    }

    template <typename Make> nb::str made(Make make, nb::object tell)
    {
        Made<char> text(cfpc_text_free);
        call([&](const cfpc_progress *told, cfpc_why *why) { return make(&text.it, told, why); },
             std::move(tell));
        return text_of(text.it);
    }

    nb::list texts(const char *(*of)(const cfpc_experiment *, int)) const
    {
        nb::list all;
        for (int i = 0; of(it_, i); i++)
            all.append(text_of(of(it_, i)));
        return all;
    }

    cfpc_experiment *it_ = nullptr;
};

} // namespace

void add_experiment(nb::module_ &module)
{
    nb::class_<Experiment>(module, "Experiment")
        .def(nb::init<nb::object, nb::dict>(), nb::arg("spec"), nb::arg("changes"))
        .def("name", &Experiment::name)
        .def("title", &Experiment::title)
        .def("rules", &Experiment::rules)
        .def("text", &Experiment::text)
        .def("check", &Experiment::report)
        .def("certificate", &Experiment::certificate, nb::arg("tell").none())
        .def("run", &Experiment::run, nb::arg("tell").none());
}
