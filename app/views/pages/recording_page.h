#pragma once

#include <memory>

#include "app/timeline/parts/text_cache.h"
#include "app/views/pages/page.h"
#include "app/workspace/view/visible_range.h"

class QCustomPlot;
class QLabel;
class QScrollBar;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class LaneStrip;

/// A file that holds no memory events but tells what a program was doing, such as an export of Nsight Systems
/// recorded without memory use: why there is no memory to see, how to record it, and the ranges, marks and
/// operators of its processes over time. Wheel and keys zoom, the bar below pans, a click goes to a range.
class RecordingPage : public Page
{
    Q_OBJECT

public:
    explicit RecordingPage(QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Once it is known; of another document, or null: nothing happens.
    void showDiagnosis(const RunStudy* run);
    std::vector<NoteSubject> subjects() const override;
    bool isReportable() const override { return false; }
    void setColors(const ThemeColors& colors) override;
    LaneStrip& lanes() { return *m_lanes; }
    VisibleRange& range() { return m_range; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void followRange();
    void scrollTo(int position);
    void fitEdges();

    std::shared_ptr<const Document> m_document;
    VisibleRange m_range;
    QLabel* m_title;
    QLabel* m_remarks;
    LaneStrip* m_lanes;
    QCustomPlot* m_axis; ///< shows nothing but the axis of time
    QScrollBar* m_panner;
    int m_axisWidth = 0;
    TextCache m_axisTexts; ///< in its font
    bool m_follows = false; ///< the bar moves because the view did
};

} // namespace highwater::gui
