#pragma once

#include <functional>
#include <random>

#include "app/window/benchmark/bench_figures.h"
#include "app/window/benchmark/bench_input.h"

namespace highwater::gui {

class RanksView;

/// Zooms into, hovers over and scrolls the map of ranks, and scrolls their table; measures each from the
/// input event to the paint event that follows.
class RankFrames
{
public:
    /// The view must be on screen.
    explicit RankFrames(RanksView& view);

    /// Measures this number of inputs, besides those that zoom in first. `between` is called after each, to
    /// measure something for comparison under the same load.
    RankSamples measure(int inputCount, const std::function<void()>& between);

private:
    void hover();
    void wheel(QWidget& widget, int notches, Qt::KeyboardModifiers modifiers, Samples& samples);
    /// Adds no sample if nothing is painted within half a second.
    void measureInput(QWidget& widget, Samples& samples, const std::function<void()>& input);

    RanksView& m_view;
    std::mt19937 m_random{1};
    PaintedWidgets m_painted; ///< since the last input
    RankSamples m_samples;
};

} // namespace highwater::gui
