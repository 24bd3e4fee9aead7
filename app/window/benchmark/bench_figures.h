#pragma once

#include <cstdint>
#include <vector>

#include <QString>

namespace highwater::gui {

/// Measured times, in one unit.
class Samples
{
public:
    void add(double value) { m_values.push_back(value); }
    std::size_t count() const { return m_values.size(); }
    /// Returns the smallest value that is at least as large as this share of all values; 0 if there are none.
    double percentile(double share) const;
    double max() const { return percentile(1); }

private:
    std::vector<double> m_values;
};

/// Frame times of the ranks view, in milliseconds.
struct RankSamples
{
    Samples hover; ///< over the map
    Samples scroll; ///< zooming into and scrolling the map
    Samples table; ///< scrolling the table
};

/// The results of `--bench`.
struct BenchFigures
{
    /// From the start of the process to the exact picture of the whole trace, to the hundredth of a second.
    double firstTimelineMs = 0;
    Samples frameMs; ///< from input to the painted window
    Samples frameProcessorMs; ///< processor time of the GUI thread in these frames
    Samples plainFrameMs; ///< frames of the same plots that show only their finished picture
    Samples exactFrameMs; ///< time on the GUI thread to show the exact picture
    Samples settleMs; ///< from input to the painted exact picture
    Samples hoverUs; ///< from a mouse move to the painted window, including details
    Samples hoverProcessorUs; ///< processor time of the GUI thread for these moves
    RankSamples ranks; ///< empty if there are no ranks
    Samples segmentsOpenMs; ///< from the request to the painted map; empty without segments
    Samples segmentsFollowMs; ///< from moving the moment to the map of the new moment; empty without segments
    Samples stateAtMs; ///< finding what is live at a pseudo-random event
    std::int64_t events = 0;
    std::int64_t allocations = 0;
    std::int64_t allocationsDrawn = 0;
    std::int64_t peakRssBytes = 0;
    double devicePixelRatio = 1;
};

/// Return the results as the JSON document of `--json`, and as a table to read.
QString benchJson(const BenchFigures& figures);
QString benchText(const BenchFigures& figures);

} // namespace highwater::gui
