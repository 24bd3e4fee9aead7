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

/// Memory by group in one line, after the name of its moment: that of the cursor, or the key moment of the
/// run if there is no cursor. Groups are in the order in which their bands are stacked, from the bottom;
/// memory kept from earlier steps and reserved memory follow. If all entries fit with their bytes, the moment
/// and all bytes are shown, else only names. If not even all names fit, the entries that are largest at the
/// peak are named, and a menu at the end counts and names the others. Entries keep their positions while the
/// cursor moves. A click on a group isolates it, or shows all groups again; Ctrl+click hides the group or
/// shows it. On the keyboard, arrows choose a group and Space clicks it.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    /// Follows `selection`; clicks isolate and hide groups in `bands`. Both must outlive the bar.
    LegendBar(const Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Follows the cursor at once, for a legend that is painted once.
    void follow() { m_throttle.flush(); }
    const std::vector<LegendRow>& rows()
    {
        m_throttle.flush();
        return m_rows;
    }
    /// Returns "After event 25,812: 14.5 GiB in 912 allocations, by call site"; empty without a device.
    const QString& heading()
    {
        m_throttle.flush();
        return m_heading;
    }
    /// Returns the rectangle of an entry; null if the entry does not fit.
    QRect rowRect(std::size_t index) const;
    /// Returns the rectangle of an entry of `extras`; null if it does not fit.
    QRect extraRect(std::size_t index) const;
    /// Returns the rectangle that opens the menu of entries that do not fit; null if all fit.
    QRect moreRect() const;
    /// Returns the entries that are not groups.
    const LegendExtras& extras()
    {
        m_throttle.flush();
        return m_extras;
    }
    /// The menu holds this many groups at most, because a longer one does not fit on a screen.
    static constexpr int kMaxInMenu = 40;
    /// Creates the menu of the first `kMaxInMenu` groups without an entry of their own, in stacking order,
    /// and of the entries of `extras` that do not fit, which cannot be clicked. The menu deletes itself when
    /// it is closed.
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
    /// A row, or one of the entries that are not groups, by its index.
    struct LegendItem
    {
        std::size_t index = 0;
        bool isExtra = false;
    };

    void refresh();
    /// Refreshes the bar for a cursor that has moved: repaints only what changed.
    void followCursor();
    void applyFont();
    void layOut();
    std::vector<LegendItem> itemsInOrder() const;
    int widthOf(const LegendItem& item, const LegendPlace& place);
    Bytes bytesAtPeak(const LegendItem& item) const;
    int endOf(const std::vector<LegendItem>& items, int gap);
    bool placeWithin(int room, const std::vector<LegendItem>& items, bool haveFigures, int gap);
    void showLargest(int room);
    bool isEveryEntryShown() const;
    std::size_t hiddenCount() const;
    LegendPlace& placeOf(const LegendItem& item)
    {
        return item.isExtra ? m_extraPlaces[item.index] : m_rowPlaces[item.index];
    }
    QRect momentRect() const;
    QRect rectOf(const LegendPlace& place) const;
    std::optional<std::size_t> rowAt(const QPoint& position) const;
    std::optional<GroupRank> groupAt(const QPoint& position) const;
    void choose(GroupRank group, Qt::KeyboardModifiers modifiers);
    /// Moves the keyboard focus by a number of groups, within those that fit, and describes the group to
    /// screen readers.
    void moveCurrent(int by);
    /// Returns the row that has the keyboard focus. There must be rows.
    std::size_t currentRow() const { return m_shownRows[static_cast<std::size_t>(m_current)]; }
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
    std::vector<LegendPlace> m_rowPlaces; ///< by row
    std::vector<LegendPlace> m_extraPlaces; ///< by entry of m_extras
    std::vector<std::size_t> m_shownRows; ///< indices of the rows that fit, ascending
    int m_end = 0; ///< right edge of the last entry
    QString m_heading;
    QString m_moment; ///< "after event 25,812:"
    QString m_keyMoment; ///< the same for the moment without a cursor: "at the peak:"
    std::optional<GroupRank> m_pressed;
    int m_current = 0; ///< entry of m_shownRows that has the keyboard focus
};

} // namespace highwater::gui
