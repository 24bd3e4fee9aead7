#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/composition/histograms.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// The property by which a histogram's bins are formed.
enum class HistogramKind : std::uint8_t
{
    Size, ///< In bytes
    Lifetime, ///< In events
};

/// Returns "512 B to 1 KiB", "10 to 99 events", "not freed, 10 to 99 events old".
std::string binTitle(const HistogramBin& bin, HistogramKind kind);

/// Draws a row for each bin: its title, a bar for its bytes, a bar for its allocations; adjacent empty bins
/// share a row. The id of a row that is not empty is its bin. O(bins).
Figure histogramFigure(const Histogram& histogram, HistogramKind kind, const FigureOptions& options);

/// Returns the height of an untitled figure in which every row fits. O(bins).
int histogramHeight(const Histogram& histogram);

} // namespace highwater
