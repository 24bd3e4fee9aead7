#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"
#include "app/timeline/parts/plot_area.h"
#include "app/timeline/plot_axes.h"
#include "app/timeline/plot_widget.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/visible_range.h"
#include "core/analysis/diff/matching/run_alignment.h"

namespace highwater {
struct FixedRun;
}

class QCPPainter;
class QHelpEvent;
class QMenu;

namespace highwater::gui {

class BandPlottable;
class CursorOverlay;
class FixOverlay;
class HighlightChip;
class HoverCard;
class AuxiliaryMarkers;
class AuxiliarySources;
class NoteFlags;
class TimelineMarkers;
class Veil;

/// The stacked timeline: every allocation as its own band over events or time.
///
/// QCustomPlot provides the axes; the bands are a picture computed off the GUI thread for the pixels in view.
/// The wheel zooms at the mouse (with Ctrl the y axis, with Shift it pans); dragging pans, also with the
/// middle button. Dragging with Shift marks a range of events, whose ends snap to borders of steps unless Alt
/// is held. A double click zooms. Pointing at a band hovers its allocation in the Selection; a click pins it,
/// and a click beside the bands releases it. Neither moves the cursor (`Selection::cursor`), which has a
/// line, and a label below the axis; a click or drag on the axis does if `offerViewCommands` was called.
/// References must outlive the plot.
class TimelinePlot : public PlotWidget
{
    Q_OBJECT

public:
    TimelinePlot(VisibleRange& range, Selection& selection, const BandView& bands, QWidget* parent = nullptr);

    /// Shows a device. Before, set the limits of the axis in the VisibleRange and the device in the BandView.
    void show(const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis);
    /// Shows or hides all texts below the axis. Hide them if a lane next to the plot has the same ones.
    void setAxisLabelled(bool labelled);
    /// Shows a device on an axis that is shared with another run; `marks` name the positions on an axis of
    /// steps.
    void show(std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const EventScale> scale,
        const std::vector<AxisMark>& marks);
    void setColors(const ThemeColors& colors);

    /// Shows lines of other files over the bands; dragging with Alt moves the first visible one along the
    /// axis. `sources` must outlive the plot. Call once.
    void showAuxiliarySources(AuxiliarySources& sources);

    /// Shows notes over the bands. A click on a flag selects its note; dragging the flag of a moment moves
    /// it.
    void setNotes(std::vector<TimelineNote> notes);
    /// Highlights the note's flag; 0 for none.
    void setChosenNote(int number);
    const NoteFlags& notes() const { return *m_notes; }
    /// Returns a new note on what was selected last: an allocation, a step, a range, a moment, or the one
    /// call site that is highlighted. If none of these is selected, it is on the moment under the mouse, else
    /// at the cursor, else on the run.
    Note noteHere() const;

    /// Shows the memory of the run with a fix over the bands; null shows none.
    void showFix(const std::shared_ptr<const FixedRun>& fixed);
    const FixOverlay& fix() const { return *m_fix; }

    /// Allows what needs other views: the commands `siteHighlightRequested` and `momentRequested` in the
    /// context menu, and moving the cursor on the axis.
    void offerViewCommands() { m_offersViewCommands = true; }

    /// Unit of the x axis: events, time or steps.
    const QString& keyAxisName() const { return m_axes.name(); }

    /// True if the mouse is over the plot.
    bool isPointedAt() const { return m_mouse && area().rect.contains(*m_mouse); }
    /// Position of the axis under the mouse; the middle of the view if the mouse is elsewhere.
    double zoomCentre() const;
    /// Points at nothing until the mouse moves again.
    void ignoreMouseUntilMoved();

    /// Markers over the bands; replot after changing them.
    TimelineMarkers& markers() { return *m_markers; }
    PlotArea area() const;
    const std::shared_ptr<const EventScale>& scale() const { return m_scale; }
    AxisKind axisKind() const { return m_scale ? m_scale->kind() : AxisKind::Event; }
    /// Points at the position of the mouse in another plot with the same axis; nullopt points at nothing.
    void setLinkedKey(std::optional<double> key);
    /// Returns the picture on screen; null before the first. Until the picture of the current view is ready,
    /// it shows an earlier view.
    std::shared_ptr<const BandImage> image() const;
    /// True if the picture on screen was made for the current view.
    bool isSettled() const;
    /// Computes the picture of the current view on this thread, with this number of pixels per unit of the
    /// widget, for a plot that is painted once and never shown. Does nothing without a device.
    void renderNow(double pixelRatio);
    /// Returns the event that the picture shows at this position of the x axis; where there is no picture,
    /// the event of the axis. `kNoState` if there is none. Needs a device.
    std::int64_t eventAt(double key) const;

    QSize minimumSizeHint() const override { return {320, 160}; }
    QSize sizeHint() const override { return {900, 520}; }

signals:
    /// The picture of the current view is on screen.
    void settled();
    /// Left and right edge of the plot inside the axes, for widgets that are aligned with it.
    void plotEdgesChanged(int left, int right);
    /// The mouse points at a position of the axis; nullopt if it has left the plot.
    void pointedAt(std::optional<double> key);
    /// A double click zoomed the x axis to a step.
    void zoomedToStep();
    /// The user wants to end the highlight.
    void highlightClosed();
    /// The plot was clicked at this position of the axis.
    void clickedAt(double key, Qt::KeyboardModifiers modifiers);
    /// The user wants to highlight all allocations of this one's call site.
    void siteHighlightRequested(quint32 allocation);
    /// The user wants to see what is in use at the cursor.
    void momentRequested();
    /// The user wants to add a note like this one.
    void noteRequested(const highwater::Note& draft);
    void noteClicked(int number);
    /// The note's flag was dragged to another event.
    void noteMoved(int number, qint64 event);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Press
    {
        QPointF start;
        QPointF last;
        bool isDragging = false;
        bool isMarking = false; ///< marks a range instead of moving the view
        bool isAligning = false; ///< shifts another file's clock instead of moving the view
        Qt::MouseButton button = Qt::LeftButton; ///< the middle button only moves the view
        bool isOnAxis = false; ///< moves the cursor
    };

    /// The allocation and the event under a point of the widget.
    struct Pointed
    {
        AllocationIndex allocation = Selection::kNone;
        std::int64_t event = kNoState;
    };

    /// State while the left button is pressed on a flag.
    struct NotePress
    {
        QPointF start;
        double grip = 0; ///< distance from the flag's line to where it was grabbed
        int number = 0;
        bool canMove = false;
        std::optional<std::int64_t> movedTo;
    };

    void setUpAxes();
    void setUpLayers();
    void applyMargins();
    void applyAxisKind(const std::vector<AxisMark>& marks);
    void layOutPlot();
    std::optional<double> cursorKey() const;
    std::optional<double> mouseKey() const;
    QString labelOf(const std::optional<std::int64_t>& event) const;
    bool isOnAxis(const QPointF& position) const;
    void moveCursorTo(double x);
    void showCard();
    void placeChip();
    void zoomAtKey(double key);
    void followVisibleRange();
    void passOnArea();
    QFont labelFont() const;
    BandRequest currentRequest() const;
    void requestImage();
    void acceptImage(const std::shared_ptr<const BandImage>& image);
    void pointAt(const QPointF& position);
    void showCursor();
    void showMarkedRange();
    void redrawCursor();
    void clickAt(const QPointF& position, Qt::KeyboardModifiers modifiers);
    void panByNotches(double notches);
    void dragTo(const QPointF& position);
    void markTo(const QPointF& position, Qt::KeyboardModifiers modifiers);
    void alignTo(const QPointF& position);
    double timeAt(double x) const;
    void pressNote(const QPointF& position);
    void dragNote(const QPointF& position);
    void releaseNote();
    void passOnTakenPlaces();
    bool showTip(const QHelpEvent& event);
    Pointed pointedPlace(const QPointF& position) const;
    void addBandActions(QMenu& menu, const Pointed& pointed);
    void runOnBand(BandCommand command, const Pointed& pointed);
    void addNoteActions(QMenu& menu, const Pointed& pointed);

    VisibleRange& m_visibleRange;
    Selection& m_selection;
    const BandView& m_bandView;
    LatestTask m_renderTask;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const EventScale> m_scale; ///< scale of `m_analysis`
    std::optional<double> m_linkedKey;
    ThemeColors m_colors;
    PlotAxes m_axes;
    BandRequest m_requested;
    BandPlottable* m_bands = nullptr;
    TimelineMarkers* m_markers = nullptr;
    CursorOverlay* m_overlay = nullptr;
    HoverCard* m_card = nullptr;
    HighlightChip* m_chip = nullptr;
    AuxiliarySources* m_auxiliarySources = nullptr;
    AuxiliaryMarkers* m_auxiliaryMarkers = nullptr;
    NoteFlags* m_notes = nullptr;
    FixOverlay* m_fix = nullptr;
    Veil* m_veil = nullptr; ///< over a picture of other bands than the legend's
    int m_chosenNote = 0;
    bool m_offersViewCommands = false; ///< see offerViewCommands
    std::optional<Press> m_press;
    std::optional<NotePress> m_notePress;
    std::optional<QPointF> m_mouse;
    bool m_isMouseOnAxis = false;
    bool m_isPointing = false; ///< the selection is being updated; drawing waits until that is finished
    Selection::State m_beforeClick; ///< what was selected before the last click
    double m_clickKey = 0; ///< place of the last click; what it pins may move the plot below the mouse
};

} // namespace highwater::gui
