#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The main figures of a series, in its unit. Points that are not finite are skipped.
struct SeriesFigures
{
    std::size_t points = 0; ///< number of finite points
    double first = 0;
    double last = 0;
    double smallest = 0;
    double largest = 0;
    std::size_t largestPoint = 0; ///< index of the first point with the largest value
    std::int64_t largestStep = CounterSeries::kNoStep;
    bool operator==(const SeriesFigures&) const = default;
};
/// Computes the figures; nullopt if there is no finite point. O(points).
std::optional<SeriesFigures> seriesFigures(const CounterSeries& series);

/// A series that both logs have: with the same metric (or the same name, if the metric is unknown),
/// component, stage, unit, quantity and kind of peak. Series that also agree in writer (process, rank,
/// device) are paired first. If only one series of a measure is left in each log, these two are paired
/// whatever their writers.
struct SeriesPair
{
    std::size_t before = 0; ///< index in `Trace::counters`
    std::size_t after = 0;
    SeriesFigures beforeFigures;
    SeriesFigures afterFigures;
    bool isBytes = false;

    /// True if both series can be drawn on a byte axis that begins at 0.
    bool isDrawable() const { return isBytes && beforeFigures.smallest >= 0 && afterFigures.smallest >= 0; }
};

/// Returns the series that both logs have with a finite point. Measures of device memory come first, the best
/// one at the front. O(points + series × log series).
std::vector<SeriesPair> pairedSeries(const Trace& before, const Trace& after);

/// True if the series has a known measure of the device memory in use, so that the peaks of two logs can be
/// compared by it.
bool measuresDeviceMemory(const CounterSeries& series);

/// Returns the series with the best measure of device memory in one log, as a pair with itself. nullopt if
/// there is none, or only series that cannot be told apart. O(points + series × log series).
std::optional<SeriesPair> bestMemorySeries(const Trace& log);

/// Truncates a value to whole bytes and clamps it to a range that leaves room for differences.
Bytes wholeBytes(double value);

} // namespace highwater
