// SPDX-License-Identifier: Apache-2.0
// lab_tree: specs as trees that Python fills.
#include <cmath>
#include <cstring>
#include <new>

#include "lab_native.h"

Tree::Tree(const std::string &file) : tree_(cfpc_tree_create(c_text(file)))
{
    if (!tree_)
        throw std::bad_alloc();
}

Tree::~Tree()
{
    cfpc_tree_free(tree_);
}

// ---- progress --------------------------------------------------------------------------------

Teller::Teller(nb::object tell)
    : tell_(std::move(tell)),
      looked_(std::chrono::steady_clock::now()), progress_{Teller::tick, this}
{
}

// Without a function to tell, Python is asked for signals now and then only: that needs the GIL.
bool Teller::tick(void *context, const char *what, int done, int total)
{
    Teller *it = static_cast<Teller *>(context);
    const auto now = std::chrono::steady_clock::now();
    if (it->error_)
        return false;
    if (it->tell_.is_none() && now - it->looked_ < std::chrono::milliseconds(20))
        return true;
    it->looked_ = now;
    nb::gil_scoped_acquire gil;
    return it->tell(what, done, total);
}

bool Teller::tell(const char *what, int done, int total)
{
    try {
        if (PyErr_CheckSignals() != 0)
            throw nb::python_error();
        if (!tell_.is_none())
            tell_(done, total, what);
        return true;
    } catch (nb::python_error &error) {
        error_.emplace(std::move(error));
        return false;
    }
}

void Teller::raise_error()
{
    if (!error_)
        return;
    nb::python_error error = std::move(*error_);
    error_.reset();
    throw error;
}

// ---- settings and options --------------------------------------------------------------------

Changes changes_of(nb::dict from)
{
    Changes to;
    for (nb::handle item : nb::cast<nb::list>(from["set"])) {
        const nb::tuple setting = nb::cast<nb::tuple>(item);
        to.set.emplace_back(nb::cast<std::string>(setting[0]), nb::borrow(setting[1]));
    }
    if (!from["rule"].is_none())
        to.rule = nb::cast<std::string>(from["rule"]);
    to.trials = from["trials"].is_none() ? 0 : nb::cast<int>(from["trials"]);
    to.rate = from["rate"].is_none() ? NAN : nb::cast<double>(from["rate"]);
    to.online = nb::cast<bool>(from["online"]);
    to.repeat = from["repeat"].is_none() ? 0 : nb::cast<int>(from["repeat"]);
    to.seed = from["seed"].is_none() ? -1 : nb::cast<int>(from["seed"]);
    return to;
}

Options::Options(Changes changes)
    : changes_(std::move(changes)), settings_(cfpc_settings_create()),
      options_(cfpc_default_experiment_options())
{
    if (!settings_)
        throw std::bad_alloc();
    try {
        for (const auto &[path, tree] : changes_.set)
            add(path, tree);
        options_.rule = changes_.rule ? c_text(*changes_.rule) : nullptr;
    } catch (...) {
        cfpc_settings_free(settings_);
        throw;
    }
    options_.settings = settings_;
    options_.trials = changes_.trials;
    options_.rate = changes_.rate;
    options_.online = changes_.online;
    options_.repeat = changes_.repeat;
    options_.seed = changes_.seed;
}

void Options::add(const std::string &path, const nb::object &tree)
{
    cfpc_why why = {};
    const cfpc_outcome outcome =
        tree.is_none()
            ? cfpc_settings_add(settings_, c_text(path), &why)
            : cfpc_settings_add_tree(settings_, c_text(path), nb::cast<Tree &>(tree).get(), &why);
    check(outcome, why);
}

Options::~Options()
{
    cfpc_settings_free(settings_);
}

// ---- how it ended ----------------------------------------------------------------------------

nb::str text_of(const char *text)
{
    return nb::steal<nb::str>(
        PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strlen(text)), "replace"));
}

static const char *c_text(const char *text, size_t length)
{
    if (memchr(text, '\0', length))
        throw nb::value_error("a text must not hold a NUL (\\0)");
    return text;
}

const char *c_text(const std::string &text)
{
    return c_text(text.c_str(), text.size());
}

const char *c_text(const nb::bytes &text)
{
    return c_text(text.c_str(), text.size());
}

void check(cfpc_outcome outcome, const cfpc_why &why)
{
    if (outcome == CFPC_DONE)
        return;
    nb::module_::import_("cfpc.failures")
        .attr("raise_why")(outcome == CFPC_REFUSED, text_of(why.text), text_of(why.file), why.line,
                           why.column);
}

void add_tree(nb::module_ &module)
{
    nb::class_<Tree>(module, "Tree")
        .def(nb::init<const std::string &>(), nb::arg("file"))
        .def("read", [](Tree &tree,
                        nb::bytes text) { cfpc_tree_read(tree.get(), text.c_str(), text.size()); })
        .def("map", [](Tree &tree) { cfpc_tree_map(tree.get(), 0, 0); })
        .def("list", [](Tree &tree) { cfpc_tree_list(tree.get(), 0, 0); })
        .def("key", [](Tree &tree,
                       const std::string &text) { cfpc_tree_key(tree.get(), c_text(text), 0, 0); })
        .def("scalar",
             [](Tree &tree, const std::string &text) {
                 cfpc_tree_scalar(tree.get(), c_text(text), 0, 0);
             })
        .def("end", [](Tree &tree) { cfpc_tree_end(tree.get()); });
}
