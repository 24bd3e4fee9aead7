#include "core/figure/layout/flame_layout.h"

#include <algorithm>

namespace highwater {

namespace {

class FlameMaker
{
public:
    FlameMaker(const CallTree& tree, FlameWeight weight, double pixelsPerUnit, double narrowest)
        : m_tree(tree)
        , m_weight(weight)
        , m_pixelsPerUnit(pixelsPerUnit)
        , m_narrowest(narrowest)
    {
    }

    void addPathTo(std::uint32_t focus, double width)
    {
        int row = 0;
        const auto add = [&](std::uint32_t node) {
            m_boxes.push_back({0, width, row++, node, 0, weightOf(m_tree.nodes[node].total, m_weight)});
        };
        add(CallTree::kRoot);
        for (const std::uint32_t node : m_tree.pathTo(focus))
            add(node);
    }

    /// Adds the children of every box, including those of the boxes it adds.
    void addDescendants()
    {
        for (std::size_t i = m_boxes.size() - 1; i < m_boxes.size(); ++i)
            if (!m_boxes[i].isMerged())
                addChildren(FlameBox(m_boxes[i]));
    }

    std::vector<FlameBox> take() { return std::move(m_boxes); }

private:
    void addChildren(const FlameBox& parent)
    {
        double x = parent.x;
        std::int64_t mergedWeight = 0;
        std::uint32_t mergedCount = 0;
        for (const std::uint32_t child : childrenByWeight(m_tree.nodes[parent.node])) {
            const std::int64_t weight = weightOf(m_tree.nodes[child].total, m_weight);
            const double width = static_cast<double>(weight) * m_pixelsPerUnit;
            if (width < m_narrowest) {
                mergedWeight += weight;
                ++mergedCount;
                continue;
            }
            m_boxes.push_back({x, width, parent.row + 1, child, 0, weight});
            x += width;
        }
        const double width = static_cast<double>(mergedWeight) * m_pixelsPerUnit;
        if (mergedCount > 0 && width >= m_narrowest)
            m_boxes.push_back({x, width, parent.row + 1, parent.node, mergedCount, mergedWeight});
    }

    std::vector<std::uint32_t> childrenByWeight(const CallNode& node) const
    {
        std::vector<std::uint32_t> children(node.childCount);
        for (std::uint32_t i = 0; i < node.childCount; ++i)
            children[i] = node.firstChild + i;
        if (m_weight != FlameWeight::Size) // the tree has children sorted by bytes
            std::stable_sort(children.begin(), children.end(), [&](std::uint32_t a, std::uint32_t b) {
                return weightOf(m_tree.nodes[a].total, m_weight) > weightOf(m_tree.nodes[b].total, m_weight);
            });
        return children;
    }

    const CallTree& m_tree;
    FlameWeight m_weight;
    double m_pixelsPerUnit;
    double m_narrowest;
    std::vector<FlameBox> m_boxes;
};

} // namespace

std::int64_t weightOf(const CallWeight& total, FlameWeight weight)
{
    return weight == FlameWeight::Size ? total.bytes : total.byteEvents;
}

std::vector<FlameBox> flameLayout(
    const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width, double narrowest)
{
    if (tree.nodes.empty() || focus >= tree.nodes.size() || width <= 0)
        return {};
    const std::int64_t focusWeight = weightOf(tree.nodes[focus].total, weight);
    if (focusWeight <= 0)
        return {};
    FlameMaker maker(tree, weight, width / static_cast<double>(focusWeight), narrowest);
    maker.addPathTo(focus, width);
    maker.addDescendants();
    return maker.take();
}

} // namespace highwater
