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

/// The page for a file without memory events, such as an Nsight Systems export recorded without memory use.
/// It says why there is no memory to show and how to record it, and shows ranges, marks and operators of the
/// processes over time. Wheel and keys zoom, the scroll bar pans, a click zooms to a range.
class RecordingPage : public Page
{
    Q_OBJECT

public:
    explicit RecordingPage(QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Shows the diagnosis once it is known; ignores null and the study of another document.
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
    QCustomPlot* m_axis; ///< shows only the time axis
    QScrollBar* m_panner;
    int m_axisWidth = 0;
    TextCache m_axisTexts; ///< widths in the font of the axis
    bool m_isFollowing = false; ///< true while the scroll bar is set from the view
};

} // namespace highwater::gui
