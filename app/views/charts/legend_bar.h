#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/timeline/parts/plot_area.h"
#include "app/timeline/parts/text_cache.h"
#include "app/views/charts/legend_extras.h"
#include "app/views/charts/legend_rows.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"

class QMenu;

namespace highwater::gui {

/// Memory by group at the cursor, or at the peak if there is no cursor, in one line. Entries keep their
/// positions while the cursor moves. A click on an entry isolates its group,
/// Ctrl+click hides it; on the keyboard, arrows choose an entry and Space clicks it. Groups that do not fit
/// are in a menu at the end. After the groups: memory kept from earlier steps, and reserved memory.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    LegendBar(const Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    const std::vector<LegendRow>& rows()
    {
        m_throttle.flush();
        return m_rows;
    }
    /// "At event 25,812: 14.50 GiB in 912 allocations, by call site".
    const QString& heading()
    {
        m_throttle.flush();
        return m_heading;
    }
    /// Returns the rectangle of an entry; null if the entry does not fit.
    QRect rowRect(std::size_t index) const;
    /// Returns the rectangle that opens the menu of the other groups; null if all groups fit.
    QRect moreRect() const;
    /// Returns the entries after the groups.
    const LegendExtras& extras()
    {
        m_throttle.flush();
        return m_extras;
    }
    /// Creates the menu of the groups that do not fit. It deletes itself when it is closed.
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
    void refresh();
    /// Like `refresh`, but repaints only what changed.
    void followCursor();
    void applyFont();
    void layOut();
    bool place(Bytes leastWithFigure, LegendExtras::Form form);
    int widthOf(const LegendRow& row, bool hasFigure);
    Bytes bytesAtPeak(const LegendRow& row) const;
    QRect momentRect() const;
    QRect extrasRect() const;
    std::optional<std::size_t> rowAt(const QPoint& position) const;
    std::optional<GroupRank> groupAt(const QPoint& position) const;
    void choose(GroupRank group, Qt::KeyboardModifiers modifiers);
    /// Moves the keyboard focus by a number of entries, within those that fit, and describes the entry to
    /// screen readers.
    void moveCurrent(int by);
    void paintRow(QPainter& painter, std::size_t index);
    void paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const;
    QString tipOf(const LegendRow& row) const;

    const Selection& m_selection;
    BandView& m_bands;
    ThemeColors m_colors;
    FrameThrottle m_throttle; ///< limits updates, because the bar follows the mouse
    mutable TextCache m_regular;
    TextCache m_bold;
    std::vector<LegendRow> m_rows;
    LegendExtras m_extras;
    std::vector<int> m_edges; ///< left edges of the entries that fit, then the end of the last
    QString m_heading;
    QString m_moment;
    std::optional<GroupRank> m_pressed;
    int m_current = 0; ///< row that has the keyboard focus
};

} // namespace highwater::gui
