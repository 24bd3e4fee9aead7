#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestPoints = 10;
/// Fewer points suffice if all of them rise, by at least a tenth of the last value in total.
constexpr std::size_t kFewestRisingPoints = 4;
constexpr double kFewPointsDivisor = 10;
/// The first fifth of the points is ignored: caches fill and state is made.
constexpr std::size_t kWarmUpDivisor = 5;
/// Growth below 1/kLogGrowthDivisor over the whole log is ignored.
constexpr double kLogGrowthDivisor = 100;
/// A run may take turns, such as five steps of a critic and one of its generator: each of so many points in
/// turn is then compared with those of its own kind.
constexpr std::size_t kLongestTurn = 8;
/// Limit on the number of findings: trackers may record a series for each tensor.
constexpr std::size_t kMaxFindings = 64;

/// The values of a series at ascending steps, or at record numbers if the log counts no steps. The warm-up is
/// left out.
struct Course
{
    bool hasSteps = true;
    std::vector<double> step;
    std::vector<double> bytes;

    double slope(std::size_t a, std::size_t b) const { return (bytes[b] - bytes[a]) / (step[b] - step[a]); }
    /// Returns the median slope of pairs that are half of the points apart (Theil's incomplete method).
    double medianSlope(std::size_t first, std::size_t last) const
    {
        std::vector<double> slopes;
        const std::size_t half = (last - first) / 2;
        for (std::size_t i = first; i + half < last; ++i)
            slopes.push_back(slope(i, i + half));
        const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
        std::nth_element(slopes.begin(), middle, slopes.end());
        return *middle;
    }
    /// Returns every `turn`-th point, from `first` on.
    Course everyNth(std::size_t first, std::size_t turn) const
    {
        Course part{hasSteps, {}, {}};
        for (std::size_t i = first; i < bytes.size(); i += turn) {
            part.step.push_back(step[i]);
            part.bytes.push_back(bytes[i]);
        }
        return part;
    }
    double medianSlope() const { return medianSlope(0, bytes.size()); }
    /// True if at most one point in ten is below the one before it.
    bool risesSteadily() const
    {
        std::size_t falls = 0;
        for (std::size_t i = 1; i < bytes.size(); ++i)
            falls += bytes[i] < bytes[i - 1] ? 1 : 0;
        return falls * 10 <= bytes.size();
    }
};

bool countsSteps(const CounterSeries& series)
{
    return std::ranges::any_of(series.step, [](std::int64_t step) { return step >= 0; });
}

/// Reads the points of a series. If the step number falls, the run was restarted, so the earlier points are
/// dropped.
Course courseOf(const CounterSeries& series)
{
    Course course;
    course.hasSteps = countsSteps(series);
    for (std::size_t i = 0; i < series.points(); ++i) {
        const auto step
            = static_cast<double>(course.hasSteps ? series.stepAt(i) : static_cast<std::int64_t>(i));
        if (step < 0 || !std::isfinite(series.value[i]))
            continue;
        if (!course.step.empty() && step < course.step.back())
            course = {course.hasSteps, {}, {}};
        if (!course.step.empty() && step == course.step.back())
            continue;
        course.step.push_back(step);
        course.bytes.push_back(series.value[i]);
    }
    const auto warmUp = static_cast<std::ptrdiff_t>(course.step.size() / kWarmUpDivisor);
    course.step.erase(course.step.begin(), course.step.begin() + warmUp);
    course.bytes.erase(course.bytes.begin(), course.bytes.begin() + warmUp);
    return course;
}

/// True for series of bytes in use at a moment, which can fall again.
bool isLevel(const CounterSeries& series)
{
    constexpr std::array<std::string_view, 5> kLevels{
        "allocated", "active", "requested", "device_used", "memory"};
    return std::ranges::find(kLevels, series.metric) != kLevels.end() && series.since == PeakSince::NotAPeak;
}

/// True for series that fall late or never: reserved memory and peaks.
bool isCeiling(const CounterSeries& series)
{
    constexpr std::array<std::string_view, 5> kCeilings{
        "allocated_peak", "active_peak", "requested_peak", "reserved", "reserved_peak"};
    return std::ranges::find(kCeilings, series.metric) != kCeilings.end();
}

bool isOfWholeDevice(const CounterSeries& series)
{
    return series.unit == "bytes" && series.component.empty() && series.stage.empty();
}

/// True if at least nine points in ten are above the one before.
bool risesAtEachPoint(const Course& course)
{
    std::size_t pauses = 0;
    for (std::size_t i = 1; i < course.bytes.size(); ++i)
        pauses += course.bytes[i] <= course.bytes[i - 1] ? 1 : 0;
    return pauses * 10 <= course.bytes.size();
}

/// True for a short series in which every point is above the one before it.
bool keepsRising(const Course& course)
{
    const std::size_t points = course.bytes.size();
    return points >= kFewestRisingPoints && points < kFewestPoints
        && std::ranges::adjacent_find(course.bytes, std::ranges::greater_equal()) == course.bytes.end()
        && (course.bytes.back() - course.bytes.front()) * kFewPointsDivisor >= course.bytes.back();
}

/// True for a long series that rises steadily, at the end at least half as fast as overall.
bool keepsGrowing(const Course& course)
{
    const std::size_t points = course.bytes.size();
    if (points < kFewestPoints || !course.risesSteadily())
        return false;
    const double slope = course.medianSlope(0, points);
    const double lateSlope = course.medianSlope(points - points / 3 - 2, points);
    return slope > 0 && lateSlope * 2 >= slope
        && (course.bytes.back() - course.bytes.front()) * kLogGrowthDivisor >= course.bytes.back();
}

/// A course that grows. If the run takes turns, its points are those of the turn with the most memory.
struct Growth
{
    Course course;
    double slope = 0; ///< bytes per step, over all turns
    std::size_t turn = 1; ///< how many steps make a turn
};

/// Compares every `turn`-th point; nullopt if one part does not grow, or if one grows more than twice as fast
/// as another.
std::optional<Growth> growthInTurns(const CounterSeries& series, const Course& course, std::size_t turn)
{
    Growth growth{.course = {}, .turn = turn};
    double fastest = 0;
    double slowest = 0;
    for (std::size_t first = 0; first < turn; ++first) {
        Course part = course.everyNth(first, turn);
        if (!keepsGrowing(part) || !(isLevel(series) || risesAtEachPoint(part)))
            return std::nullopt;
        const double slope = part.medianSlope();
        fastest = std::max(fastest, slope);
        slowest = first == 0 ? slope : std::min(slowest, slope);
        growth.slope += slope / static_cast<double>(turn);
        if (first == 0 || part.bytes.back() > growth.course.bytes.back())
            growth.course = std::move(part);
    }
    return fastest <= 2 * slowest ? std::optional(std::move(growth)) : std::nullopt;
}

/// Returns the growth of a series in the shortest turns that show it; nullopt if it does not grow.
std::optional<Growth> growthOf(const CounterSeries& series, Course course)
{
    for (std::size_t turn = 1; turn <= kLongestTurn && turn * kFewestPoints <= course.bytes.size(); ++turn)
        if (std::optional<Growth> growth = growthInTurns(series, course, turn))
            return growth;
    if (!keepsRising(course))
        return std::nullopt;
    const double slope = course.medianSlope();
    return Growth{std::move(course), slope};
}

Finding growthFinding(
    const CounterSeries& series, const Growth& growth, std::size_t auxiliary, std::uint64_t line)
{
    const Course& course = growth.course;
    const auto slope = static_cast<Bytes>(std::llround(growth.slope));
    const auto first = static_cast<Bytes>(course.bytes.front());
    const auto last = static_cast<Bytes>(course.bytes.back());
    const std::string writer = writerOfSeries(series);
    Finding finding{.rule = "growth",
        .grade = course.bytes.size() < kFewestPoints ? Grade::C : Grade::B,
        .device = series.deviceOrdinal,
        .bytes = last - first};
    const std::string_view unit = course.hasSteps ? "step" : "record";
    finding.title = fmt::format("Memory grows {} per {}: {} over {} {}s ({}{}{})", formatBytes(slope), unit,
        formatBytes(finding.bytes), formatCount(std::llround(course.step.back() - course.step.front())), unit,
        sanitizedText(series.name), writer.empty() ? "" : ", ", sanitizedText(writer));
    finding.addEvidence(LogLineTarget{auxiliary, line},
        "It rises from {} at {} {:.0f} to {} at {} {:.0f}, over {} points, and is still rising at the end",
        formatBytes(first), unit, course.step.front(), formatBytes(last), unit, course.step.back(),
        formatCount(course.bytes.size()));
    if (growth.turn > 1)
        finding.addEvidence(LogLineTarget{auxiliary, line},
            "The run takes turns of {} {}s: each is compared with the same one of the turn before",
            growth.turn, unit);
    finding.remedy.action = "Record a memory snapshot of six steps or more: it shows which code allocates "
                            "the memory that stays";
    finding.wouldDisprove
        = "Wrong if the values stop rising in a longer log: a cache that fills, or batches that get longer";
    return finding;
}

} // namespace

std::vector<Finding> findGrowthInLog(const DetectorInput& input)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i)
        for (const CounterSeries& series : input.auxiliaryFiles[i].trace->counters) {
            if (!isOfWholeDevice(series) || !(isLevel(series) || isCeiling(series)))
                continue;
            if (const std::optional<Growth> growth = growthOf(series, courseOf(series)))
                findings.push_back(growthFinding(series, *growth, i, series.lineAt(series.points() - 1)));
        }
    if (findings.size() > kMaxFindings) {
        std::ranges::stable_sort(findings, std::ranges::greater(), &Finding::bytes);
        findings.erase(findings.begin() + kMaxFindings, findings.end());
    }
    return findings;
}

} // namespace highwater
