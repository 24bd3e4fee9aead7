#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/timeline/parts/plot_area.h"
#include "app/timeline/parts/text_cache.h"
#include "app/views/charts/legend_rows.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"

class QMenu;

namespace highwater::gui {

/// Who holds the memory at the cursor, or at the peak when there is no cursor: one line of entries that stay
/// in place whatever is alive. A click on an entry isolates its group, with Ctrl it hides it; with the
/// keyboard arrows choose an entry and the space bar clicks it. Groups that have no room are in the menu at
/// the end.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    LegendBar(const Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// What lies over it: the entries stand beside that. Empty: nothing.
    void setCovered(const QRectF& place);
    const std::vector<LegendRow>& rows()
    {
        m_pace.flush();
        return m_rows;
    }
    /// "At event 25,812: 14.50 GiB in 912 allocations, by call site".
    const QString& heading()
    {
        m_pace.flush();
        return m_heading;
    }
    /// Rectangle of an entry; null: it has no room.
    QRect rowRect(std::size_t index) const;
    /// Where the menu of the other groups opens; null: all have room.
    QRect moreRect() const;
    /// The groups that have no room.
    QMenu* makeMenu();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { layOut(); }
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// How much of an entry there is room for.
    enum class Detail : std::uint8_t
    {
        Bytes,
        Name,
        Swatch
    };

    void refresh();
    /// As refresh; paints only what has changed.
    void followCursor();
    void applyFont();
    void layOut();
    int widthOf(const LegendRow& row, Detail detail);
    bool isAliveAtPeak(const LegendRow& row) const;
    /// What nothing lies over.
    QRect room() const { return clearPart(rect(), m_covered).toRect(); }
    QRect momentRect() const;
    std::optional<std::size_t> rowAt(const QPoint& position) const;
    std::optional<GroupRank> groupAt(const QPoint& position) const;
    void choose(GroupRank group, Qt::KeyboardModifiers modifiers);
    /// Keeps within the rows; does nothing without any.
    void moveCurrent(int by);
    void paintRow(QPainter& painter, std::size_t index);
    void paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const;
    QString tipOf(const LegendRow& row) const;

    const Selection& m_selection;
    BandView& m_bands;
    ThemeColors m_colors;
    QRectF m_covered; ///< see setCovered
    FrameThrottle m_pace; ///< it follows the mouse
    mutable TextCache m_regular;
    TextCache m_bold;
    std::vector<LegendRow> m_rows;
    std::vector<int> m_edges; ///< left edges of those that have room, and the right edge of the last
    QString m_heading;
    QString m_moment;
    std::optional<GroupRank> m_pressed;
    int m_current = 0; ///< the row that the keyboard is at
};

} // namespace highwater::gui
