#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/cached_picture.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/live_sets.h"
#include "core/figure/layout/treemap_layout.h"

namespace highwater::gui {

/// The contents of a treemap: call sites in groups. Groups, the sites of a group and the allocations of a
/// site are sorted by bytes, the largest first.
struct TreemapContent
{
    /// A name and its colour in the timeline.
    struct Named
    {
        QString title; ///< such as "forward (model.py:39)"; of any length
        ThemedColor color;

        QColor colorFor(const ThemeColors& colors) const
        {
            return QColor::fromRgb(colorOn(color, colors.ground()));
        }
    };
    /// The allocations of a call site that are kept from earlier steps, or those that are not.
    struct Site
    {
        Named name;
        std::vector<AllocationIndex> allocations;
        bool isKept = false; ///< kept from earlier steps, so hatched
    };
    struct Group
    {
        Named name;
        std::vector<Site> sites; ///< in the order of the parts in `sizes`
    };
    std::vector<Group> groups;
    std::vector<TreemapGroup> sizes; ///< sizes of `groups`, in the same order
    CountedBytes total;
    bool hasTitles = true; ///< false if each group is one call site, whose tile has its name
};

/// A treemap: call sites as rectangles inside the rectangles of their groups, each with its place and its
/// bytes. Small sites share a tile. Colours are those of the timeline. A click on a tile chooses its
/// allocations, a click on a title chooses the group; a double click on a title zooms into the group or back
/// out. On the keyboard, arrows move between groups and Enter zooms.
class TreemapChart : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::uint32_t kNoGroup = 0xffffffff;

    explicit TreemapChart(QWidget* parent = nullptr);

    /// Sets the contents; null shows nothing. Stays zoomed into the group of the same title if there is one,
    /// else shows all groups.
    void setContent(std::shared_ptr<const TreemapContent> content);
    const std::shared_ptr<const TreemapContent>& content() const { return m_content; }
    /// Fades the tiles with the text neither in their own title nor in that of their group, and the titles of
    /// groups without a match; an empty text fades none.
    void setSearch(const QString& text);
    void setColors(const ThemeColors& colors);

    /// Shows only this group; kNoGroup shows all.
    void setFocusGroup(std::uint32_t group);
    std::uint32_t focusGroup() const { return m_focus; }
    const TreemapLayout& layoutShown() const { return m_layout; }

    QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    /// A tile was chosen, or a whole group if `allocations` is empty.
    void chosen(quint32 group, const std::vector<highwater::AllocationIndex>& allocations);
    /// A tile was double-clicked; this is the largest allocation of its first call site.
    void opened(quint32 allocation);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { layOut(); }
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The place under the mouse: a tile or a group's title.
    struct Place
    {
        std::uint32_t group = kNoGroup; ///< index in the content
        std::optional<std::size_t> tile; ///< index in the layout; nullopt on a title
        Rectangle rectangle;
    };

    void layOut();
    double headerHeight() const;
    std::uint32_t contentGroup(std::uint32_t group) const { return m_focus == kNoGroup ? group : m_focus; }
    std::optional<Place> placeAt(const QPointF& position) const;
    std::vector<AllocationIndex> allocationsOf(const TreemapTile& tile) const;
    const TreemapContent::Named& nameOf(const TreemapTile& tile) const;
    bool isKept(const TreemapTile& tile) const;
    bool isFaded(const TreemapContent::Group& group) const;
    void paintTiles(QPainter& painter) const;
    void paintTile(QPainter& painter, const TreemapTile& tile) const;
    void paintTitle(
        QPainter& painter, const TreemapContent::Group& group, Bytes bytes, const Rectangle& area) const;
    QString titleOf(const TreemapTile& tile) const;
    QString tip(const Place& place) const;
    void choose(const Place& place);
    void moveCurrent(int by);

    std::shared_ptr<const TreemapContent> m_content;
    ThemeColors m_colors = ThemeColors::light();
    QString m_search;
    std::uint32_t m_focus = kNoGroup;
    TreemapLayout m_layout;
    CachedPicture m_picture; ///< the painted tiles
    std::optional<Rectangle> m_hovered;
    std::optional<Rectangle> m_chosen;
    std::uint32_t m_currentGroup = kNoGroup;
};

} // namespace highwater::gui
