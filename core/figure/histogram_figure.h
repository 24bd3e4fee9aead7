#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/composition/histograms.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// What a histogram's bins are ranges of.
enum class HistogramKind : std::uint8_t
{
    Size, ///< in bytes
    Lifetime, ///< in events
};

/// "512 B to 1.00 KiB", "10 to 99 events", "not freed in the trace".
std::string binTitle(const HistogramBin& bin, HistogramKind kind);

/// A row for each bin: its title, its bytes as a bar, its allocations as a bar; empty bins next to each other
/// share a row. The id of a row is its bin. O(bins).
Figure histogramFigure(const Histogram& histogram, HistogramKind kind, const FigureOptions& options);

/// Height of an untitled figure in which every row fits. O(bins).
int histogramHeight(const Histogram& histogram);

} // namespace highwater
