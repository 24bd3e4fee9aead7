#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// What a series comes to, in its unit. Points that are no finite numbers are passed over.
struct SeriesFigures
{
    std::size_t points = 0; ///< the finite ones
    double first = 0;
    double last = 0;
    double smallest = 0;
    double largest = 0;
    std::size_t largestPoint = 0; ///< the first that reaches it, in the series
    std::int64_t largestStep = CounterSeries::kNoStep;
    bool operator==(const SeriesFigures&) const = default;
};
/// None without a finite point. O(points).
std::optional<SeriesFigures> seriesFigures(const CounterSeries& series);

/// A series that both logs have: the same metric (where the table knows it, else the same name) of the same
/// part, in the same unit and of the same quantity, by the same writer. Ids of processes, which no two runs
/// share, do not count.
struct SeriesPair
{
    std::size_t before = 0; ///< in `Trace::counters`
    std::size_t after = 0;
    SeriesFigures beforeFigures;
    SeriesFigures afterFigures;
    bool isBytes = false;

    /// On an axis of bytes that begins at 0.
    bool isDrawable() const { return isBytes && beforeFigures.smallest >= 0 && afterFigures.smallest >= 0; }
};

/// The series that both logs have; levels of device memory first, the best one at the front. O(points +
/// series × log series).
std::vector<SeriesPair> pairedSeries(const Trace& before, const Trace& after);

/// Whether the series is a measure of device memory that peaks of two logs can be compared by.
bool measuresPeak(const CounterSeries& series);

/// The largest value of the best measure of device memory in one log; none: it has no such series. O(points).
std::optional<SeriesPair> bestMemorySeries(const Trace& log);

/// A value in bytes as whole ones; what no file can mean is cut off.
Bytes wholeBytes(double value);

} // namespace highwater
