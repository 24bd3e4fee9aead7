#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/models/function_matches.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/layout/flame_layout.h"

namespace highwater::gui {

/// Texts that replace those of the tree, for example if a node stands for two runs.
struct FlameWords
{
    QString root; ///< text of the root; if empty, "all, 3.2 GiB"
    std::function<QString(std::uint32_t node)> tip; ///< tool tip of a node; if null, the usual one
    std::function<QString(std::uint32_t node)> size; ///< text behind the name of a node; if null, its figure
};

/// A flame graph with the outermost function at the top. Each box that is wide enough is labelled with its
/// place and its bytes, or its share of all bytes × lifetime. A click zooms to a function; a click on a
/// function above it zooms back out. On the keyboard, arrows move and Enter zooms in; the page handles Esc
/// and calls `goBack`.
class FlameChart : public QWidget
{
    Q_OBJECT

public:
    explicit FlameChart(QWidget* parent = nullptr);

    /// Shows a tree; null shows nothing. Keeps the zoom on the same path of functions, or on its nearest
    /// ancestor in the new tree.
    void setTree(std::shared_ptr<const CallTree> tree, FlameWeight weight);
    const std::shared_ptr<const CallTree>& tree() const { return m_tree; }
    /// Fades the boxes without a function whose name or file contains the text; an empty text fades none.
    /// The root and boxes without a colour stay as they are.
    void setSearch(const QString& text);
    /// Sets whether a chain of frames that make a single call is folded into one box; a click on the box
    /// unfolds the chain.
    void setChains(FlameChains chains);
    /// Sets the colours by node, until the next tree. Nodes that are transparent or have no colour are grey.
    void setNodeColors(std::vector<QRgb> colors);
    /// Hatches this share (0 to 1, by node) of each box from its left, until the next tree: the memory kept
    /// from earlier steps.
    void setKeptShares(std::vector<double> shares)
    {
        m_keptShares = std::move(shares);
        update();
    }
    /// Replaces texts, until the next tree.
    void setWords(FlameWords words);
    void setColors(const ThemeColors& colors);

    std::uint32_t focusNode() const { return m_focus; }
    /// Zooms to a node. Does nothing if the tree has no such node.
    void setFocusNode(std::uint32_t node);
    bool canGoBack() const { return m_focus != CallTree::kRoot; }
    /// Zooms out to the caller; skips callers with the same total as their own caller, because both look the
    /// same.
    void goBack();
    const std::vector<FlameBox>& boxes() const { return m_boxes; }
    QRectF rectOf(const FlameBox& box) const;
    /// Returns the tool tip, such as "forward (model.py:39)\n/src/model.py\n3.2 GiB in 24 allocations, 17% of
    /// all bytes". A folded chain has all its frames and no file; a merged box has the number of its
    /// functions. `setWords` may replace the tool tip.
    QString tip(const FlameBox& box) const;
    /// Returns the text behind the name in a box: its bytes, its share of all bytes × lifetime, or the one
    /// that `setWords` set; empty for the root and for merged boxes.
    QString sizeOf(const FlameBox& box) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 60}; }

signals:
    /// Emitted on a click or an arrow key.
    void nodeChosen(quint32 node);
    /// Emitted on a double click.
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
    const FlameBox* boxAt(const QPointF& position) const;
    const FlameBox* boxOf(std::uint32_t node) const;
    void paintBox(QPainter& painter, const FlameBox& box) const;
    QString nameOf(std::uint32_t node) const;
    QString labelOf(const FlameBox& box) const;
    QString textOf(const FlameBox& box, int room) const;
    bool hasFrame(const FlameBox& box, std::uint32_t node) const;
    QRgb colorOf(const FlameBox& box) const;
    double keptShare(const FlameBox& box) const;
    void choose(std::uint32_t node);
    void chooseNeighbour(int key);

    std::shared_ptr<const CallTree> m_tree;
    FlameWeight m_weight = FlameWeight::Size;
    FlameChains m_chains = FlameChains::Unfolded;
    ThemeColors m_colors = ThemeColors::light();
    QString m_search;
    std::vector<QRgb> m_nodeColors;
    std::vector<double> m_keptShares; ///< by node
    FlameWords m_words;
    FunctionMatches m_matches;
    std::uint32_t m_focus = CallTree::kRoot;
    std::optional<std::uint32_t> m_chosen;
    std::optional<QRectF> m_hovered;
    std::vector<FlameBox> m_boxes;
};

} // namespace highwater::gui
