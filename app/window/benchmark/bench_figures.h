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
    /// The smallest value that at least this share of all does not exceed; 0 without any.
    double percentile(double share) const;
    double max() const { return percentile(1); }

private:
    std::vector<double> m_values;
};

/// Frames of the ranks, in milliseconds.
struct RankSamples
{
    Samples hover; ///< over the map
    Samples scroll; ///< of the map
    Samples table; ///< scrolled
};

/// What `--bench` measures.
struct BenchFigures
{
    double firstTimelineMs = 0; ///< start of the process to the exact picture of the whole
    Samples frameMs; ///< input to the window painted
    Samples frameProcessorMs; ///< of these, processor time of the GUI thread
    Samples plainFrameMs; ///< the same plots showing nothing but their ready picture
    Samples exactFrameMs; ///< what the GUI thread spends on putting up the exact picture
    Samples settleMs; ///< input to the exact picture painted
    Samples hoverUs; ///< move of the mouse to the window painted, details included
    Samples hoverProcessorUs; ///< of this, processor time of the GUI thread
    RankSamples ranks; ///< none: there are no ranks
    Samples segmentsOpenMs; ///< asked for to the map of segments of the moment shown; none: no segments
    Samples segmentsFollowMs; ///< the moment moved to the map of the new moment
    Samples stateAtMs; ///< what is live at a pseudo-random event
    std::int64_t events = 0;
    std::int64_t allocations = 0;
    std::int64_t allocationsDrawn = 0;
    std::int64_t peakRssBytes = 0;
    double devicePixelRatio = 1;
};

QString benchJson(const BenchFigures& figures);
QString benchText(const BenchFigures& figures);

} // namespace highwater::gui
