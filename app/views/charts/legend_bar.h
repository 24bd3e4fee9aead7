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

/// Memory by group at the cursor, or at the peak if there is no cursor: one line of entries that keep their
/// positions whatever is live. A click on an entry isolates its group, Ctrl+click hides it; on the keyboard,
/// arrows choose an entry and Space clicks it. Groups that do not fit are in the menu at the end.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    LegendBar(const Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Area that something else covers; entries are placed next to it. Empty if nothing does.
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
    /// Rectangle of an entry; null if it does not fit.
    QRect rowRect(std::size_t index) const;
    /// Rectangle that opens the menu of the other groups; null if all groups fit.
    QRect moreRect() const;
    /// Creates the menu of the groups that do not fit.
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
    /// How much of an entry is shown.
    enum class Detail : std::uint8_t
    {
        Bytes,
        Name,
        Swatch
    };

    void refresh();
    /// Like `refresh`, but repaints only what changed.
    void followCursor();
    void applyFont();
    void layOut();
    int widthOf(const LegendRow& row, Detail detail);
    bool isAliveAtPeak(const LegendRow& row) const;
    /// The part that nothing covers.
    QRect room() const { return clearPart(rect(), m_covered).toRect(); }
    QRect momentRect() const;
    std::optional<std::size_t> rowAt(const QPoint& position) const;
    std::optional<GroupRank> groupAt(const QPoint& position) const;
    void choose(GroupRank group, Qt::KeyboardModifiers modifiers);
    /// Stays within the rows; does nothing if there are none.
    void moveCurrent(int by);
    void paintRow(QPainter& painter, std::size_t index);
    void paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const;
    QString tipOf(const LegendRow& row) const;

    const Selection& m_selection;
    BandView& m_bands;
    ThemeColors m_colors;
    QRectF m_covered; ///< see setCovered
    FrameThrottle m_pace; ///< limits updates, because it follows the mouse
    mutable TextCache m_regular;
    TextCache m_bold;
    std::vector<LegendRow> m_rows;
    std::vector<int> m_edges; ///< left edges of the entries that fit, then the end of the last
    QString m_heading;
    QString m_moment;
    std::optional<GroupRank> m_pressed;
    int m_current = 0; ///< row that has the keyboard focus
};

} // namespace highwater::gui
