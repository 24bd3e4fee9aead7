#pragma once

#include <memory>

#include <QObject>
#include <QSize>

#include "app/timeline/timeline_plot.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {
class ComparePage;
}

namespace highwater::gui::test {

/// Sends a mouse move only to this widget, so that the position of the desktop's pointer does not matter.
void moveMouse(
    QWidget& widget, const QPointF& at, Qt::MouseButtons buttons = {}, Qt::KeyboardModifiers keys = {});
/// Opens the context menu there, finds it by its object name, and chooses the entry with this beginning.
/// Returns false if it is not offered.
bool chooseInMenu(QWidget& of, const QPoint& at, const char* name, const QString& begin);

/// Base of tests in a window of their own, which is made for each test function and remembers nothing.
class WindowFixture : public QObject
{
    Q_OBJECT

protected:
    explicit WindowFixture(const QSize& size = {1280, 800})
        : m_size(size)
    {
    }

    DocumentPage& page() { return m_window->page(); }
    TimelinePlot& timeline() { return page().timeline(); }
    ComparePage& comparison();

    /// Opens a file, waits until the page and its findings are complete, and focuses the timeline.
    void openPath(const QString& path);
    void openSample(const QString& name);
    /// Compares two samples.
    void openPair(const QString& before, const QString& after);

    /// Returns a point of the timeline on the lowest band, at a share of the width.
    QPoint onBand(double share);
    /// Returns the middle of a step in its lane.
    QPoint inLane(std::size_t step);
    void clickStep(std::size_t step, Qt::KeyboardModifiers keys = {});

    std::unique_ptr<MainWindow> m_window;

private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }

private:
    QSize m_size;
};

} // namespace highwater::gui::test
