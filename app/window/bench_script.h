#pragma once

#include <cstdint>
#include <functional>
#include <random>

#include <QElapsedTimer>
#include <QObject>

#include "app/window/bench_figures.h"

class QWidget;

namespace highwater::gui {

class DocumentPage;
class MainWindow;

/// Plays the script of `--bench` on a window whose timeline is complete, and measures: real input events, and
/// the paint events that follow from them. It runs the event loop itself and returns when it is through.
class BenchScript : public QObject
{
    Q_OBJECT

public:
    BenchScript(MainWindow& window, int frames);

    BenchFigures run();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void playRound();
    void zoom(int notches);
    void pan(int notches);
    void jump();
    void measureFrame(const std::function<void()>& input);
    /// Runs what is due until the timeline has been painted, and paints what else of the window waits.
    void paintWindow();
    void waitUntilSettled();
    void measureHover();
    void measureStateAt();
    std::int64_t allocationsInView() const;
    double random(double from, double to);
    double elapsedMs() const;
    bool isThrough() const;

    MainWindow& m_window;
    DocumentPage& m_page;
    int m_frames;
    std::mt19937 m_random{1};
    QElapsedTimer m_clock; ///< since the last input
    bool m_painted = false; ///< the timeline, since the last input
    BenchFigures m_figures;
};

} // namespace highwater::gui
