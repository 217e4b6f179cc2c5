// SPDX-License-Identifier: Apache-2.0
// cell: a model and its data, stepped from Python. The GIL orders single steps; a block of steps
// runs without it, and what another thread asks of the cell meanwhile is refused.
#include "native.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>

namespace
{

// Memory of 8-byte words, as images need it.
using Words = std::vector<uint64_t>;

Words words_of(const void *bytes, size_t count)
{
    Words words((count + 7) / 8);
    if (count > 0) // data() of no words may be NULL
        std::memcpy(words.data(), bytes, count);
    return words;
}

// What turns a number of each step into basis signals: a network driven by a signal, or a bump over
// an angle.
class Driver
{
  public:
    explicit Driver(const System &network)
    {
        must(cfpc_lti_of_system(&lti_, &network.raw), "the basis");
        bank_memory_.resize((cfpc_bank_size(lti_, 1) + 7) / 8);
        const size_t bytes = bank_memory_.size() * 8;
        const cfpc_status status = cfpc_bank_init(&bank_, bank_memory_.data(), bytes, lti_, 1);
        if (status != CFPC_OK)
            cfpc_lti_free(lti_);
        must(status, "the basis");
    }
    Driver(int32_t count, double width_turns)
    {
        must(cfpc_periodic_make(&periodic_, count, width_turns), "the basis");
    }
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;
    ~Driver()
    {
        cfpc_lti_free(lti_);
        cfpc_periodic_free(&periodic_);
    }

    int32_t width() const
    {
        return lti_ ? lti_->outputs : periodic_.synapses;
    }
    void row(double value, double *x)
    {
        if (lti_)
            cfpc_bank_step(lti_, bank_, &value, x);
        else
            cfpc_periodic_row(&periodic_, value, x);
    }
    void reset()
    {
        if (lti_)
            cfpc_bank_reset(bank_);
    }
    Words &memory()
    {
        return bank_memory_;
    }

  private:
    cfpc_lti *lti_ = nullptr;
    cfpc_bank *bank_ = nullptr;
    Words bank_memory_;
    cfpc_periodic periodic_{};
};

// A checksum of the driver's memory, which has none of its own (FNV-1a).
uint64_t checksum(const Words &words)
{
    uint64_t sum = 14695981039346656037u;
    for (const uint64_t word : words)
        sum = (sum ^ word) * 1099511628211u;
    return sum;
}

class Cell
{
  public:
    Cell(const nb::bytes &image, const System *network, int32_t periodic, double width_turns)
        : model_memory_(words_of(image.c_str(), image.size()))
    {
        must(cfpc_model_check(&model_, model_memory_.data(), image.size()), "the model");
        data_memory_.resize((cfpc_data_size(model_) + 7) / 8);
        must(cfpc_data_init(&data_, data_memory_.data(), data_memory_.size() * 8, model_),
             "the cell");
        if (network)
            driver_ = std::make_unique<Driver>(*network);
        else if (periodic > 0)
            driver_ = std::make_unique<Driver>(periodic, width_turns);
        must(!driver_ || driver_->width() == synapses() ? CFPC_OK : CFPC_BAD_SHAPE, "the basis");
        row_.resize((size_t)synapses());
    }

    int32_t synapses() const
    {
        return cfpc_model_synapses(model_);
    }
    const cfpc_model *model() const
    {
        return model_;
    }
    cfpc_data *data()
    {
        idle();
        return data_;
    }

    // ---- steps ---------------------------------------------------------------------------

    double step(double e, nb::handle x)
    {
        finite(e, "e");
        const double *row = row_of(x);
        idle(); // last: to read x may run Python, and so another thread
        return cfpc_step(model_, data_, row, e);
    }
    double act(nb::handle x)
    {
        const double *row = row_of(x);
        idle();
        return cfpc_act(model_, data_, row);
    }
    void learn(double e)
    {
        idle();
        finite(e, "e");
        cfpc_learn(model_, data_, e);
    }
    Array step_block(const Signal &e, nb::handle x)
    {
        const size_t steps = e.size();
        const Rows rows = rows_of(x, steps);
        std::vector<double> o(steps);
        idle(); // last, as in `step`: from here on no Python runs
        busy_.store(true);
        cfpc_status status;
        {
            nb::gil_scoped_release release;
            status = run(e.data(), rows, steps, o.data());
        }
        busy_.store(false);
        must(status, "the block");
        return array_of(std::move(o));
    }

    // ---- trials --------------------------------------------------------------------------

    void end_trial()
    {
        cfpc_next_trial(model_, data());
        if (driver_)
            driver_->reset();
    }
    void reset()
    {
        cfpc_data_reset(model_, data());
        if (driver_)
            driver_->reset();
    }

    // ---- its memory ----------------------------------------------------------------------

    nb::bytes image() const
    {
        return nb::bytes(model_memory_.data(), cfpc_model_bytes(model_));
    }
    nb::bytes save()
    {
        cfpc_data_seal(data());
        std::string out(reinterpret_cast<const char *>(data_), cfpc_data_bytes(data_));
        if (driver_) {
            const Words &memory = driver_->memory();
            const uint64_t sum = checksum(memory);
            out.append(reinterpret_cast<const char *>(memory.data()), memory.size() * 8);
            out.append(reinterpret_cast<const char *>(&sum), sizeof sum);
        }
        return nb::bytes(out.data(), out.size());
    }
    void restore(const nb::bytes &save)
    {
        idle();
        const size_t own = cfpc_data_bytes(data_),
                     rest = driver_ ? driver_->memory().size() * 8 + sizeof(uint64_t) : 0;
        must(save.size() == own + rest ? CFPC_OK : CFPC_TRUNCATED, "the save");
        const Words words = words_of(save.c_str(), own);
        Words memory = words_of(save.c_str() + own, rest);
        if (driver_) {
            const uint64_t sum = memory.back();
            memory.pop_back();
            must(sum == checksum(memory) ? CFPC_OK : CFPC_ALTERED, "the save");
        }
        must(cfpc_data_restore(model_, data_, words.data(), own), "the save");
        if (!memory.empty())
            std::memcpy(driver_->memory().data(), memory.data(), memory.size() * 8);
    }

  private:
    // Where a block's basis signals come from: one of both, or the model's table.
    struct Rows {
        Table table;   // (steps x synapses)
        Signal signal; // of the driver (steps)
        const double *x = nullptr;
        const double *u = nullptr;
    };

    void idle() const
    {
        if (busy_.load(std::memory_order_relaxed))
            throw std::runtime_error("another thread is in a block of steps of this cell: "
                                     "give every thread a cell of its own, or use a lock");
    }
    static void finite(double value, const char *what)
    {
        if (std::isfinite(value))
            return;
        PyErr_Format(PyExc_ValueError, "%s is not a finite number: the cell made no step", what);
        throw nb::python_error();
    }

    // x of one step, as the basis wants it.
    const double *row_of(nb::handle x)
    {
        if (x.is_none()) {
            if (cfpc_model_steps(model_) == 0)
                throw nb::value_error(
                    driver_ ? "x is missing: this basis needs the value that drives it"
                            : "x is missing: this cell has no basis table and needs its basis "
                              "signals at every step");
            return nullptr;
        }
        if (driver_)
            return driven_row(x);
        return handed_row(x);
    }
    const double *driven_row(nb::handle x)
    {
        const double value = PyFloat_AsDouble(x.ptr());
        if (value == -1 && PyErr_Occurred())
            throw nb::python_error();
        finite(value, "x");
        idle();
        driver_->row(value, row_.data());
        return row_.data();
    }
    // An array of doubles is read where it is; anything else is converted by NumPy, or refused.
    const double *handed_row(nb::handle x)
    {
        if (cfpc_model_steps(model_) > 0)
            throw nb::value_error("x was given, but the basis of this cell is a table over the "
                                  "trial: call step(e)");
        if (!copy_row(x)) {
            const nb::object converted =
                nb::module_::import_("cfpc.arrays").attr("vector")(x, "x", synapses());
            if (!copy_row(converted))
                throw nb::value_error("x cannot be read as an array of doubles");
        }
        double sum = 0; // not finite if any of them is not
        for (const double value : row_)
            sum += value * 0;
        finite(sum, "x");
        return row_.data();
    }
    // Whether x is a row of doubles in memory. The buffer protocol takes a third of nanobind's
    // time.
    bool copy_row(nb::handle x)
    {
        Py_buffer view;
        if (PyObject_GetBuffer(x.ptr(), &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
            PyErr_Clear();
            return false;
        }
        const bool fits = view.ndim == 1 && view.format && std::strcmp(view.format, "d") == 0 &&
                          view.itemsize == sizeof(double) &&
                          view.shape[0] == (Py_ssize_t)row_.size();
        if (fits)
            std::memcpy(row_.data(), view.buf, row_.size() * sizeof(double));
        PyBuffer_Release(&view);
        return fits;
    }

    Rows rows_of(nb::handle x, size_t steps)
    {
        Rows rows;
        if (x.is_none()) {
            row_of(x); // or says what is missing
            return rows;
        }
        const nb::object arrays = nb::module_::import_("cfpc.arrays");
        if (driver_) {
            rows.signal = nb::cast<Signal>(arrays.attr("vector")(x, "x", steps));
            rows.u = rows.signal.data();
            return rows;
        }
        if (cfpc_model_steps(model_) > 0)
            throw nb::value_error("x was given, but the basis of this cell is a table over the "
                                  "trial: call step_block(e)");
        rows.table = nb::cast<Table>(arrays.attr("matrix")(x, "x", steps, synapses()));
        rows.x = rows.table.data();
        return rows;
    }

    // As single steps, in blocks as long as the dead time.
    cfpc_status run(const double *e, const Rows &rows, size_t steps, double *o)
    {
        const auto most = (size_t)cfpc_model_dead_time(model_);
        cfpc_status status = CFPC_OK;
        for (size_t n = 0; n < steps && status == CFPC_OK;) {
            const size_t count = rows.u || most < 2 ? 1 : std::min(most, steps - n);
            if (count > 1)
                status =
                    cfpc_step_block(model_, data_, at(rows.x, n), e + n, (int32_t)count, o + n);
            else
                o[n] = cfpc_step(model_, data_, rows.u ? driven(rows.u[n]) : at(rows.x, n), e[n]);
            n += count;
        }
        return status;
    }
    const double *at(const double *x, size_t n) const
    {
        return x ? x + n * (size_t)synapses() : nullptr;
    }
    const double *driven(double value)
    {
        driver_->row(value, row_.data());
        return row_.data();
    }

    Words model_memory_, data_memory_;
    const cfpc_model *model_ = nullptr;
    cfpc_data *data_ = nullptr;
    std::unique_ptr<Driver> driver_;
    std::vector<double> row_; // x of this step
    std::atomic<bool> busy_{false};
};

} // namespace

// ---- what else a cell tells ------------------------------------------------------------------

// A view of the cell's own memory, which keeps the cell alive.
static Array view_of(nb::handle self, const double *values, size_t count)
{
    return Array(const_cast<double *>(values), {count}, self);
}

static Array weights(nb::pointer_and_handle<Cell> self)
{
    return view_of(self.h, cfpc_weights(self.p->data()), (size_t)self.p->synapses());
}

static nb::object traces(Cell &cell)
{
    const double *h = cfpc_traces(cell.data());
    return h ? nb::cast(array_of(h, (size_t)cell.synapses())) : nb::none();
}

static nb::tuple guard_state(Cell &cell)
{
    cfpc_data *data = cell.data();
    return nb::make_tuple(cfpc_guard_acts(data), cfpc_guard_pauses(data), cfpc_guard_paused(data),
                          cfpc_baseline(data));
}

static nb::tuple guard_last(Cell &cell)
{
    const cfpc_guard_act last = cfpc_guard_last(cell.data());
    return nb::make_tuple((int)last.reason, last.step, last.with_cell, last.alone,
                          last.world_changed);
}

static void set_rate(Cell &cell, double rate)
{
    cfpc_set_rate(cell.data(), rate);
}

static const char *const STEP_DOC =
    "Learns from the error `e` of this step and returns o, to be added to the controller's "
    "input.\n\n"
    "`x` is None where the basis is a table over the trial; the value that drives it, or the angle "
    "in "
    "turns; or, for a basis that is given, an array of basis signals.";

void add_cell(nb::module_ &module)
{
    nb::class_<Cell>(module, "Cell")
        .def(nb::init<const nb::bytes &, const System *, int32_t, double>(), nb::arg("image"),
             nb::arg("network").none(), nb::arg("periodic"), nb::arg("width_turns"))
        .def("step", &Cell::step, nb::arg("e"), nb::arg("x").none() = nb::none(), STEP_DOC)
        .def("act", &Cell::act, nb::arg("x").none() = nb::none(),
             "The first half of a step: returns o. Call `learn` with the error afterwards, once it "
             "is known.")
        .def("learn", &Cell::learn, nb::arg("e"),
             "The second half of a step: learns from the error.")
        .def("_step_block", &Cell::step_block, nb::arg("e").noconvert(), nb::arg("x").none())
        .def("end_trial", &Cell::end_trial,
             "Ends a trial: the guard judges it, a cell that learns in batch changes its weights, "
             "and traces, clock and basis start again.")
        .def("reset", &Cell::reset, "Back to rest and zero weights; clears the flags.")
        .def("save", &Cell::save, "All that changes while the cell runs, as bytes with a checksum.")
        .def("restore", &Cell::restore, nb::arg("save"),
             "Takes what `save` of a cell with the same model gave. Bytes that are damaged or of "
             "another model are refused.")
        .def_prop_ro("image", &Cell::image,
                     "The model as bytes: all that does not change while the cell runs.")
        .def_prop_ro("synapses", &Cell::synapses, "The number of weights.")
        .def_prop_ro("weights", weights, nb::rv_policy::automatic,
                     "The weights: a view that shows and sets them while the cell runs, and keeps "
                     "the cell alive.")
        .def_prop_ro(
            "traces", traces,
            "A copy of the eligibility traces of the last step; None if the cell keeps none.")
        .def_prop_ro(
            "clock", [](Cell &cell) { return cfpc_clock(cell.data()); },
            "Steps since the trial began.")
        .def_prop_ro("_flags", [](Cell &cell) { return cfpc_flags(cell.data()); })
        .def_prop_ro("_rate", [](Cell &cell) { return cfpc_data_rate(cell.data()); })
        .def("_set_rate", set_rate)
        .def("_guard_state", guard_state)
        .def("_guard_last", guard_last)
        .def("_clear_flags",
             [](Cell &cell, uint32_t flags) { cfpc_clear_flags(cell.data(), flags); })
        .def(
            "freeze", [](Cell &cell) { cfpc_freeze(cell.data()); },
            "Stops learning until `clear_flags`.")
        .def("_enable", [](Cell &cell, int32_t steps) { cfpc_enable(cell.data(), steps); })
        .def("_disable", [](Cell &cell, int32_t steps) { cfpc_disable(cell.data(), steps); })
        .def("_saturated",
             [](Cell &cell, bool is) { cfpc_saturated(cell.model(), cell.data(), is); });
}
