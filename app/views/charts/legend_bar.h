#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/charts/legend_rows.h"
#include "app/views/parts/text_cache.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"

namespace highwater::gui {

/// Who holds the memory at the cursor, or at the peak when there is no cursor. A click on an entry isolates
/// its group, with Ctrl it hides it; with the keyboard arrows choose an entry and the space bar clicks it.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    LegendBar(const Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    const std::vector<LegendRow>& rows()
    {
        m_pace.flush();
        return m_rows;
    }
    /// "at event 25,812: 14.50 GiB in 912 allocations, by call site".
    const QString& heading()
    {
        m_pace.flush();
        return m_heading;
    }
    /// Rectangle of an entry.
    QRect rowRect(std::size_t index) const { return cell(index); }

    QSize sizeHint() const override { return {600, (static_cast<int>(m_lines) + 1) * rowHeight() + 14}; }
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
    /// As refresh; paints only what has changed.
    void followCursor();
    void applyFont();
    std::size_t linesNeeded();
    void layOut();
    int widthOf(const LegendRow& row);
    int rowHeight() const { return m_regular.lineHeight() + 4; }
    QRect headingRect() const;
    QRect cell(std::size_t index) const;
    std::optional<std::size_t> rowAt(const QPoint& position) const;
    std::optional<GroupRank> groupAt(const QPoint& position) const;
    void choose(GroupRank group, Qt::KeyboardModifiers modifiers);
    /// Keeps within the rows; does nothing without any.
    void moveCurrent(int by);
    void paintRow(QPainter& painter, const LegendRow& row, const QRect& where);
    void paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const;
    QString tipOf(const LegendRow& row) const;

    const Selection& m_selection;
    BandView& m_bands;
    ThemeColors m_colors;
    FrameThrottle m_pace; ///< it follows the mouse
    TextCache m_regular;
    TextCache m_bold;
    std::vector<LegendRow> m_rows;
    std::vector<int> m_edges; ///< left edges of the columns, and the right edge of the last
    int m_bytesWidth = 0; ///< room for the widest figure so far: columns do not move with the mouse
    std::size_t m_lines = 1; ///< rows of entries
    QString m_heading;
    std::optional<GroupRank> m_pressed;
    int m_current = 0; ///< the row that the keyboard is at
};

} // namespace highwater::gui
