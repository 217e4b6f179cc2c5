// SPDX-License-Identifier: Apache-2.0
// learning: the least-squares problem of a trial, and where learning it leads.
#include "native.h"

#include <algorithm>
#include <memory>

// ---- the problem -----------------------------------------------------------------------------

class Problem
{
  public:
    cfpc_problem raw{};

    Problem() = default;
    Problem(Problem &&other) noexcept : raw(std::exchange(other.raw, cfpc_problem{}))
    {
    }
    Problem(const Problem &) = delete;
    Problem &operator=(const Problem &) = delete;
    ~Problem()
    {
        cfpc_problem_free(&raw);
    }
};

static Problem pose(const System &path, const Table &x, const Signal &e0)
{
    Problem problem;
    const int32_t steps = count_of(x.shape(0)), bases = count_of(x.shape(1));
    must(e0.size() == x.shape(0) ? CFPC_OK : CFPC_BAD_SHAPE, "the problem");
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_problem_pose(&problem.raw, &path.raw, steps, bases, x.data(), e0.data());
    }
    must(status, "the problem");
    return problem;
}

static Array optimum(const Problem &problem)
{
    return array_of(problem.raw.optimum, (size_t)problem.raw.bases);
}

// ---- the map from one trial's weights to the next --------------------------------------------

// A lesson and all that it needs, kept, because doubts make the map again.
class LearningMap
{
  public:
    cfpc_learning_map raw{};
    cfpc_lesson lesson{};
    std::vector<double> trace, basis, e0;
    const Problem *problem = nullptr; // batch; kept alive by Python, as the path and the filter are
    const System *path = nullptr;     // on line
    double rate = 0;                  // on line

    LearningMap(const Table &x, const Table &z)
        : trace(z.data(), z.data() + z.size()), basis(x.data(), x.data() + x.size())
    {
        must(x.shape(0) == z.shape(0) && x.shape(1) == z.shape(1) ? CFPC_OK : CFPC_BAD_SHAPE,
             "the traces");
        lesson.steps = count_of(x.shape(0));
        lesson.bases = count_of(x.shape(1));
        lesson.trace = trace.data();
        lesson.basis = basis.data();
    }
    LearningMap(const LearningMap &) = delete;
    LearningMap &operator=(const LearningMap &) = delete;
    ~LearningMap()
    {
        cfpc_learning_map_free(&raw);
    }

    cfpc_status make(cfpc_learning_map *map, double faint) const
    {
        cfpc_lesson again = lesson;
        again.faint = faint;
        return problem
                   ? cfpc_learning_map_make(map, &again, &problem->raw)
                   : cfpc_learning_map_online(map, &again, &path->raw, nullptr, e0.data(), rate, 0);
    }
};

static LearningMap *made(std::unique_ptr<LearningMap> map)
{
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = map->make(&map->raw, 0);
    }
    must(status, "the certificate");
    return map.release();
}

static LearningMap *batch_map(const Problem &problem, const Table &x, const Table &z, double leak,
                              double momentum)
{
    auto map = std::make_unique<LearningMap>(x, z);
    const bool fits =
        map->lesson.steps == problem.raw.steps && map->lesson.bases == problem.raw.bases;
    must(fits ? CFPC_OK : CFPC_BAD_SHAPE, "the certificate");
    map->lesson.leak = leak;
    map->lesson.momentum = momentum;
    map->problem = &problem;
    return made(std::move(map));
}

static LearningMap *online_map(const System &path, const TeachingFilter *filter, const Table &x,
                               const Table &z, const Signal &e0, double leak, double rate)
{
    auto map = std::make_unique<LearningMap>(x, z);
    must(e0.size() == x.shape(0) ? CFPC_OK : CFPC_BAD_SHAPE, "the certificate");
    map->lesson.leak = leak;
    map->lesson.filter = filter ? &filter->raw : nullptr;
    map->path = &path;
    map->e0.assign(e0.data(), e0.data() + e0.size());
    map->lesson.teaching = map->e0.data();
    map->rate = rate;
    return made(std::move(map));
}

// ---- the certificate -------------------------------------------------------------------------

// With another limit for faint directions.
static cfpc_status certify_faint(cfpc_certificate *other, const LearningMap &map, double rate,
                                 double faint)
{
    cfpc_learning_map moved{};
    if (cfpc_learning_map_faint(&moved, &map.raw, faint)) // it borrows the arrays
        return cfpc_certify(other, &moved, rate);
    cfpc_status status = map.make(&moved, faint);
    if (status == CFPC_OK)
        status = cfpc_certify(other, &moved, rate);
    cfpc_learning_map_free(&moved);
    return status;
}

static cfpc_status certify_all(cfpc_certificate *it, const LearningMap &map, double rate)
{
    cfpc_status status = cfpc_certify(it, &map.raw, rate);
    for (const double faint : {CFPC_FAINT_LESS, CFPC_FAINT_MORE}) {
        cfpc_certificate other;
        if (status == CFPC_OK)
            status = certify_faint(&other, map, rate, faint);
        if (status == CFPC_OK)
            cfpc_doubt(it, &other);
    }
    return status;
}

static nb::dict certify(const LearningMap &map, double rate)
{
    static const char *const verdicts[] = {"monotone", "eventual", "diverges"};
    cfpc_certificate it{};
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = certify_all(&it, map, map.raw.online ? 1 : rate);
    }
    must(status, "the certificate");
    nb::dict out;
    out["verdict"] = verdicts[it.verdict];
    out["radius"] = it.radius;
    out["norm"] = it.norm;
    out["rate_max"] = it.rate_max;
    out["rate_max_monotone"] = it.rate_max_monotone;
    out["growth"] = it.growth;
    out["growth_trial"] = it.growth_trial;
    out["asymptote"] = it.asymptote;
    out["asymptote_low"] = it.asymptote_low;
    out["asymptote_high"] = it.asymptote_high;
    out["verdict_decided"] = it.verdict_decided;
    out["asymptote_decided"] = it.asymptote_decided;
    return out;
}

static nb::tuple predict(const LearningMap &map, double rate, int32_t trials)
{
    std::vector<double> rrmse((size_t)std::max(trials, 0)), weights((size_t)map.raw.bases);
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status =
            cfpc_predict(&map.raw, map.raw.online ? 1 : rate, trials, rrmse.data(), weights.data());
    }
    must(status, "the prediction");
    return nb::make_tuple(array_of(std::move(rrmse)), array_of(std::move(weights)));
}

// The largest rate that converges on line; the search starts near `start`.
static double online_rate_max(const LearningMap &map, double start)
{
    double rate = 0;
    must(map.path ? CFPC_OK : CFPC_MISSING, "the rate");
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_online_rate_max(&rate, &map.lesson, &map.path->raw, 0, start);
    }
    must(status, "the rate");
    return rate;
}

// Batch learning with every model inside a band: rate_max, widest, low_hz, high_hz.
static nb::tuple robust(const LearningMap &map, const Signal &hz, const Signal &radius,
                        double step_s)
{
    must(map.problem ? CFPC_OK : CFPC_MISSING, "the band");
    must(hz.size() == radius.size() ? CFPC_OK : CFPC_BAD_SHAPE, "the band");
    cfpc_band band = {count_of(hz.size()), const_cast<double *>(hz.data()),
                      const_cast<double *>(radius.data())};
    cfpc_lesson lesson = map.lesson;
    lesson.effect = map.problem->raw.h;
    cfpc_robust it{};
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_robust_bound(&it, &lesson, &band, step_s);
    }
    must(status, "the band");
    return nb::make_tuple(it.rate_max, it.widest, it.low_hz, it.high_hz);
}

void add_learning(nb::module_ &module)
{
    nb::class_<Problem>(module, "Problem")
        .def_static("pose", pose, nb::arg("path"), nb::arg("x").noconvert(),
                    nb::arg("e0").noconvert())
        .def_prop_ro("lambda_max", [](const Problem &p) { return p.raw.lambda_max; })
        .def_prop_ro("rank", [](const Problem &p) { return p.raw.rank; })
        .def_prop_ro("rrmse", [](const Problem &p) { return p.raw.rrmse_optimum; })
        .def_prop_ro("known", [](const Problem &p) { return p.raw.optimum_known; })
        .def_prop_ro("weights", optimum, nb::rv_policy::automatic);
    nb::class_<LearningMap>(module, "LearningMap")
        .def_static("batch", batch_map, nb::arg("problem"), nb::arg("x").noconvert(),
                    nb::arg("z").noconvert(), nb::arg("leak"), nb::arg("momentum"),
                    nb::keep_alive<0, 1>())
        .def_static("online", online_map, nb::arg("path"), nb::arg("filter").none(),
                    nb::arg("x").noconvert(), nb::arg("z").noconvert(), nb::arg("e0").noconvert(),
                    nb::arg("leak"), nb::arg("rate"), nb::keep_alive<0, 1>(),
                    nb::keep_alive<0, 2>())
        .def("certify", certify)
        .def("predict", predict)
        .def("online_rate_max", online_rate_max)
        .def("robust", robust, nb::arg("hz").noconvert(), nb::arg("radius").noconvert(),
             nb::arg("step_s"));
}
