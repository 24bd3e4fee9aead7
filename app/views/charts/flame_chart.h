#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/layout/flame_layout.h"

namespace highwater::gui {

/// Texts for a tree whose own weights must not be shown.
struct FlameWords
{
    QString root; ///< in the root's box; if empty, its bytes
    std::function<QString(std::uint32_t node)> tip; ///< if null, the node's bytes
};

/// A flame graph with the outermost function at the top. A click zooms to a function; a click on one above it
/// zooms back out. On the keyboard, arrows move, Enter zooms in and Esc zooms out.
class FlameChart : public QWidget
{
    Q_OBJECT

public:
    explicit FlameChart(QWidget* parent = nullptr);

    /// Keeps the zoom if the new tree has the same path of functions. Null shows nothing.
    void setTree(std::shared_ptr<const CallTree> tree, FlameWeight weight);
    const std::shared_ptr<const CallTree>& tree() const { return m_tree; }
    void setSearch(const QString& text);
    /// Sets the colour of each node until the next tree. Transparent nodes are grey, and so is the root
    /// without colours.
    void setNodeColors(std::vector<QRgb> colors);
    /// Replaces the texts until the next tree.
    void setWords(FlameWords words);
    void setColors(const ThemeColors& colors);

    std::uint32_t focusNode() const { return m_focus; }
    void setFocusNode(std::uint32_t node);
    bool canGoBack() const { return m_focus != CallTree::kRoot; }
    /// Zooms out by one function, skipping functions that allocate nothing beside the one call.
    void goBack();
    const std::vector<FlameBox>& boxes() const { return m_boxes; }
    QRectF rectOf(const FlameBox& box) const;
    /// "forward (model.py)\n3.20 GiB (17.2 %) in 24 allocations…".
    QString tip(const FlameBox& box) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 60}; }

signals:
    /// Emitted on a click or an arrow key.
    void nodeChosen(quint32 node);
    void nodeOpened(quint32 node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    int rowHeight() const;
    const FlameBox* boxAt(const QPointF& at) const;
    const FlameBox* boxOf(std::uint32_t node) const;
    void paintBox(QPainter& painter, const FlameBox& box) const;
    QRgb colorOf(const FlameBox& box) const;
    bool matches(std::uint32_t node) const;
    void choose(std::uint32_t node);
    void walk(int key);

    std::shared_ptr<const CallTree> m_tree;
    FlameWeight m_weight = FlameWeight::Size;
    ThemeColors m_colors = ThemeColors::light();
    QString m_search;
    std::vector<QRgb> m_nodeColors;
    FlameWords m_words;
    std::vector<bool> m_functionMatches; ///< by function; empty without a search
    std::uint32_t m_focus = CallTree::kRoot;
    std::optional<std::uint32_t> m_chosen;
    std::optional<QRectF> m_hovered;
    std::vector<FlameBox> m_boxes;
};

} // namespace highwater::gui
