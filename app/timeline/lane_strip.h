#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QStringList>
#include <QWidget>

#include "app/timeline/lane_rows.h"
#include "app/timeline/parts/text_cache.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/visible_range.h"

namespace highwater::gui {

/// The lanes above the timeline: steps, phases, annotations of the program (nested ones below each other),
/// releases of the allocator's cache, out-of-memory events and GPU activity. Empty lanes are hidden. A click
/// on a step selects it, a click on its end shows what it left behind, a double click zooms to it, Ctrl+click
/// compares it with the selected step. A click on another bar chooses its events, and a double click zooms to
/// them. The wheel zooms as in the timeline.
class LaneStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LaneStrip(VisibleRange& range, QWidget* parent = nullptr);

    /// Shows a device; null for none. Its lanes are computed off the GUI thread, see `lanesChanged`.
    void show(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis);
    /// Shows what another strip shows, at once.
    void showLike(const LaneStrip& other);
    /// Sets the selection whose step the context menu offers to compare with. It must outlive the strip.
    void setSelection(const Selection& selection) { m_selection = &selection; }
    void setColors(const ThemeColors& colors);
    /// Sets the left and right edge of the timeline, so that bars are aligned with it.
    void setEdges(int left, int right);

    /// Shows or hides the ranges that PyTorch's compiler wrote for itself. Showing another device hides them.
    void setInternalShown(bool shown);
    bool isInternalShown() const { return m_choice.withInternal; }
    /// Shows all rows of ranges, or only the outer `kUsualAnnotationRows`. Showing another device hides the
    /// others.
    void setAllRowsShown(bool shown);

    /// Returns the newest rows; null before the first are computed. They may belong to the previous device
    /// until `lanesChanged`.
    const std::shared_ptr<const LaneTable>& lanes() const { return m_table; }
    /// Returns the notes below the lanes, such as "3 internal ranges hidden · show". A click on a note shows
    /// or hides its rows.
    QStringList notes() const;
    /// Describes the item or the note at a position of the widget, or says what a click on the end of a step
    /// does, or names a lane whose name is cut off; else empty.
    QString tipAt(const QPoint& position) const;
    /// Returns the rectangle of a row of `lanes()`.
    QRect rowRect(std::size_t row) const;

    QSize sizeHint() const override { return {600, contentHeight()}; }
    QSize minimumSizeHint() const override { return {100, contentHeight()}; }

signals:
    /// The rows and the height now belong to the device shown last.
    void lanesChanged();
    /// The events [first, last) of the clicked item, which is no step, and its name; at least one event. The
    /// name is empty if several items are drawn as one.
    void eventsChosen(qint64 firstEvent, qint64 lastEvent, const QString& name);
    /// The events [first, last) of the item that was clicked twice, which is no step.
    void zoomTo(qint64 firstEvent, qint64 lastEvent);
    /// The user wants this with a step, given by its index.
    void stepRequested(quint64 step, highwater::gui::StepCommand command);
    /// The user wants to compare two steps, given by their indices.
    void comparisonRequested(quint64 first, quint64 second);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Hit
    {
        std::size_t row;
        LanePiece piece;
    };
    enum class NoteKind
    {
        Internal,
        DeeperRows
    };
    struct Note
    {
        NoteKind kind;
        QString text;
        QRect rect;
    };

    void computeLanes();
    void acceptLanes(std::shared_ptr<const LaneTable> table);
    /// True if the rows belong to the device shown last.
    bool isCurrent() const { return m_table && m_tableAnalysis == m_analysis; }
    PlotArea area() const;
    int rowHeight() const;
    int contentHeight() const;
    std::vector<Note> noteList() const;
    std::optional<Hit> hitAt(const QPointF& position) const;
    std::optional<Note> noteAt(const QPoint& position) const;
    int nameWidth() const { return std::max(0, m_left - 10); }
    QString cutNameAt(const QPoint& position) const;
    void toggleNote(NoteKind kind);
    std::size_t stepOf(const Hit& hit, const QPointF& position) const;
    void clickStep(const Hit& hit, const QPointF& position, Qt::KeyboardModifiers modifiers);
    QRectF endOf(const Hit& hit) const;
    void showEnd(const QRectF& end);

    VisibleRange& m_visibleRange;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<EventScale> m_scale; ///< scale of m_analysis; made once, because making it reads all times
    bool m_hasTimes = false;
    LaneOptions m_choice;
    std::shared_ptr<const LaneTable> m_table;
    std::shared_ptr<const DeviceAnalysis> m_tableAnalysis;
    ThemeColors m_colors;
    int m_left = 8;
    int m_right = 8;
    QRectF m_hoveredEnd; ///< end of the step under the mouse; may be empty
    TextCache m_texts; ///< laid-out labels
    TextCache m_smallTexts;
    std::optional<Hit> m_pressed;
    std::function<void()>
        m_zoom; ///< zooms to the item that was clicked last; null if a double click zooms to nothing
    const Selection* m_selection = nullptr; ///< see setSelection
    LatestTask m_task;
};

} // namespace highwater::gui
