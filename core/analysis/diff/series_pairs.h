#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Summary of a series, in its unit. Points that are not finite are skipped.
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
/// part, in the same unit and of the same quantity, by the same writer. Process ids are ignored, since no two
/// runs share them.
struct SeriesPair
{
    std::size_t before = 0; ///< in `Trace::counters`
    std::size_t after = 0;
    SeriesFigures beforeFigures;
    SeriesFigures afterFigures;
    bool isBytes = false;

    /// Can be drawn on an axis of bytes that begins at 0.
    bool isDrawable() const { return isBytes && beforeFigures.smallest >= 0 && afterFigures.smallest >= 0; }
};

/// The series that both logs have; levels of device memory first, the best measure at the front. O(points +
/// series × log series).
std::vector<SeriesPair> pairedSeries(const Trace& before, const Trace& after);

/// Whether the series measures device memory so that it can be used to compare the peaks of two logs.
bool measuresPeak(const CounterSeries& series);

/// The series of the best measure of device memory in one log, and its largest value; none: it has no such
/// series. O(points).
std::optional<SeriesPair> bestMemorySeries(const Trace& log);

/// A value in whole bytes, clamped to the range of Bytes.
Bytes wholeBytes(double value);

} // namespace highwater
