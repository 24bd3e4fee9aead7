#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "app/window/benchmark/bench_figures.h"
#include "app/window/benchmark/bench_input.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

class MainWindow;
class PlainPictures;
class OverviewStrip;
class TimelinePlot;
class VisibleRange;
struct DeviceAnalysis;

/// Plays the script of `--bench` on a window whose timeline is complete. Measures real input events up to the
/// paint events that follow. If two runs are compared, it plays on the earlier run, a frame ends when both
/// timelines are painted, and jumps move the view directly. `run` processes events itself and returns at the
/// end.
class BenchScript
{
public:
    /// Measures this number of frames. The window must outlive the script.
    BenchScript(MainWindow& window, int frameCount);
    ~BenchScript();

    BenchFigures run();

private:
    void playRound();
    void zoom(int notches);
    void pan(int notches);
    void jump();
    void measureFrame(const std::function<void()>& input);
    void measurePlainFrame();
    /// Processes pending events until the timelines have been painted, then paints the rest of the window.
    void paintWindow();
    void waitUntilSettled();
    void measureHover();
    void measureStateAt();
    void measureSegments();
    void measureRanks();
    /// True if all timelines of the window show exactly the view.
    bool isSettled() const;
    bool isPainted() const { return m_painted.count() == m_plots.size(); }
    std::int64_t allocationsInView() const;
    double random(double least, double most) { return randomBetween(m_random, least, most); }
    double elapsedMs() const { return gui::elapsedMs(m_clock); }
    bool hasAllFrames() const { return m_figures.frameMs.count() >= static_cast<std::size_t>(m_frameCount); }

    MainWindow& m_window;
    std::vector<TimelinePlot*> m_plots; ///< the script plays on the first one
    VisibleRange& m_visibleRange;
    OverviewStrip* m_overview; ///< null if runs are compared
    std::shared_ptr<const DeviceAnalysis> m_analysis; ///< of the first plot
    std::shared_ptr<const EventScale> m_scale; ///< of the first plot's axis
    std::unique_ptr<PlainPictures> m_plainPictures; ///< plain pictures on the timelines
    int m_frameCount;
    std::mt19937 m_random{1};
    QElapsedTimer m_clock; ///< since the last input
    PaintedWidgets m_painted; ///< timelines painted since the last input
    BenchFigures m_figures;
};

} // namespace highwater::gui
