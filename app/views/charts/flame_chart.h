#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/layout/flame_layout.h"

namespace highwater::gui {

/// Texts of a tree whose own weights are not what should be shown.
struct FlameWords
{
    QString root; ///< in the box of the root; empty: its bytes
    std::function<QString(std::uint32_t node)> tip; ///< null: the node's bytes
};

/// A flame graph, outermost function at the top. A click fills the width with a function, a click on one
/// above it goes back up; with the keyboard the arrows walk, Enter zooms and Esc goes back.
class FlameChart : public QWidget
{
    Q_OBJECT

public:
    explicit FlameChart(QWidget* parent = nullptr);

    /// Keeps the zoom where the new tree has the same path of functions. Null: nothing.
    void setTree(std::shared_ptr<const CallTree> tree, FlameWeight weight);
    const std::shared_ptr<const CallTree>& tree() const { return m_tree; }
    void setSearch(const QString& text);
    /// Colour of each node, until the next tree; transparent ones, and the root without them, are grey.
    void setNodeColors(std::vector<QRgb> colors);
    /// Until the next tree.
    void setWords(FlameWords words);
    void setColors(const ThemeColors& colors);

    std::uint32_t focusNode() const { return m_focus; }
    void setFocusNode(std::uint32_t node);
    bool canGoBack() const { return m_focus != CallTree::kRoot; }
    /// Zooms out by one function, past those that do nothing but call on.
    void goBack();
    const std::vector<FlameBox>& boxes() const { return m_boxes; }
    QRectF rectOf(const FlameBox& box) const;
    /// "forward (model.py)\n3.20 GiB (17.2 %) in 24 allocations…".
    QString tip(const FlameBox& box) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 60}; }

signals:
    /// A click or a step of the keyboard.
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
    std::vector<bool> m_functionMatches; ///< by function; empty: no search
    std::uint32_t m_focus = CallTree::kRoot;
    std::optional<std::uint32_t> m_chosen;
    std::optional<QRectF> m_hovered;
    std::vector<FlameBox> m_boxes;
};

} // namespace highwater::gui
