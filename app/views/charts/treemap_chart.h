#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/kept_picture.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/live_sets.h"
#include "core/figure/layout/treemap_layout.h"

namespace highwater::gui {

/// What a treemap shows: groups of allocations, both largest first.
struct TreemapContent
{
    struct Group
    {
        QString title; ///< for people, of any length
        QRgb color = 0;
        std::vector<AllocationIndex> allocations; ///< as the parts of its layout
    };
    std::vector<Group> groups;
    std::vector<TreemapGroup> sizes; ///< of `groups`
    CountedBytes total;
};

/// Allocations as rectangles in the rectangles of their groups. A click chooses a rectangle, on a group's
/// title the whole group; with the keyboard the arrows walk from group to group and Enter zooms into one.
class TreemapChart : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::uint32_t kNoGroup = 0xffffffff;

    explicit TreemapChart(QWidget* parent = nullptr);

    /// Null: nothing. Shows all groups.
    void setContent(std::shared_ptr<const TreemapContent> content);
    const std::shared_ptr<const TreemapContent>& content() const { return m_content; }
    /// Groups whose title does not hold it are faded; empty: none are.
    void setSearch(const QString& text);
    void setColors(const ThemeColors& colors);

    /// Only this group, or all: kNoGroup.
    void setFocusGroup(std::uint32_t group);
    std::uint32_t focusGroup() const { return m_focus; }
    const TreemapLayout& layoutShown() const { return m_layout; }

    QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    /// A group (`allocations` empty), or these of its allocations.
    void chosen(quint32 group, const std::vector<highwater::AllocationIndex>& allocations);
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
    /// What is under the mouse: a tile, or a group's title.
    struct Place
    {
        std::uint32_t group = kNoGroup; ///< of the content
        std::optional<std::size_t> tile; ///< of the layout
        Rectangle rectangle;
    };

    void layOut();
    double header() const;
    std::uint32_t contentGroup(std::uint32_t group) const { return m_focus == kNoGroup ? group : m_focus; }
    std::optional<Place> placeAt(const QPointF& at) const;
    std::vector<AllocationIndex> allocationsOf(const TreemapTile& tile) const;
    void paintTiles(QPainter& painter) const;
    void paintTitle(
        QPainter& painter, const TreemapContent::Group& group, Bytes bytes, const Rectangle& at) const;
    QRgb colorOf(const TreemapTile& tile) const;
    QString tip(const Place& place) const;
    void choose(const Place& place);
    void walk(int by);

    std::shared_ptr<const TreemapContent> m_content;
    ThemeColors m_colors = ThemeColors::light();
    QString m_search;
    std::uint32_t m_focus = kNoGroup;
    TreemapLayout m_layout;
    KeptPicture m_picture; ///< of the tiles
    std::optional<Rectangle> m_hovered;
    std::optional<Rectangle> m_chosen;
    std::uint32_t m_current = kNoGroup;
};

} // namespace highwater::gui
