#include "core/figure/layout/flame_layout.h"

#include <algorithm>

namespace highwater {

namespace {

class FlameMaker
{
public:
    FlameMaker(const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width, double narrowest,
        FlameChains chains)
        : m_tree(tree)
        , m_weight(weight)
        , m_focus(focus)
        , m_pixelsPerUnit(width / static_cast<double>(weightOf(tree.nodes[focus].total, weight)))
        , m_narrowest(narrowest)
        , m_chains(chains)
    {
    }

    void addPathTo(double width)
    {
        addBox(0, width, 0, CallTree::kRoot);
        for (const std::uint32_t node : m_tree.pathTo(m_focus))
            if (node > m_boxes.back().innermost) // the others are in the folded chain above
                addBox(0, width, m_boxes.back().row + 1, node);
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
    /// True if the frame allocates nothing itself and makes a single call.
    bool isInChain(std::uint32_t node) const
    {
        const CallNode& frame = m_tree.nodes[node];
        return frame.childCount == 1 && frame.total == m_tree.nodes[frame.firstChild].total;
    }

    /// Returns the outermost frame of the chain that leads to the node; the node itself if none does.
    std::uint32_t chainTop(std::uint32_t node) const
    {
        for (std::uint32_t parent = m_tree.nodes[node].parent; parent != CallTree::kRoot && isInChain(parent);
             parent = m_tree.nodes[node].parent)
            node = parent;
        return node;
    }

    /// Adds the box of a node, together with the other frames of its chain if that is folded.
    void addBox(double x, double width, int row, std::uint32_t node)
    {
        FlameBox box{x, width, row, node, 0, weightOf(m_tree.nodes[node].total, m_weight)};
        if (m_chains == FlameChains::Folded && node != CallTree::kRoot
            && chainTop(node) != chainTop(m_focus)) {
            FlameBox folded = box;
            for (; isInChain(folded.innermost); ++folded.frameCount)
                folded.innermost = m_tree.nodes[folded.innermost].firstChild;
            if (folded.frameCount >= kShortestChain)
                box = folded;
        }
        m_boxes.push_back(box);
    }

    void addChildren(const FlameBox& parent)
    {
        double x = parent.x;
        std::int64_t mergedWeight = 0;
        std::uint32_t mergedCount = 0;
        for (const std::uint32_t child : childrenByWeight(m_tree.nodes[parent.innermost])) {
            const std::int64_t weight = weightOf(m_tree.nodes[child].total, m_weight);
            const double width = static_cast<double>(weight) * m_pixelsPerUnit;
            if (width < m_narrowest) {
                mergedWeight += weight;
                ++mergedCount;
                continue;
            }
            addBox(x, width, parent.row + 1, child);
            x += width;
        }
        const double width = static_cast<double>(mergedWeight) * m_pixelsPerUnit;
        if (mergedCount > 0 && width >= m_narrowest)
            m_boxes.push_back({x, width, parent.row + 1, parent.innermost, mergedCount, mergedWeight});
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
    std::uint32_t m_focus;
    double m_pixelsPerUnit;
    double m_narrowest;
    FlameChains m_chains;
    std::vector<FlameBox> m_boxes;
};

} // namespace

std::int64_t weightOf(const CallWeight& total, FlameWeight weight)
{
    return weight == FlameWeight::Size ? total.bytes : total.byteEvents;
}

std::vector<FlameBox> flameLayout(const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width,
    double narrowest, FlameChains chains)
{
    if (tree.nodes.empty() || focus >= tree.nodes.size() || width <= 0
        || weightOf(tree.nodes[focus].total, weight) <= 0)
        return {};
    FlameMaker maker(tree, weight, focus, width, narrowest, chains);
    maker.addPathTo(width);
    maker.addDescendants();
    return maker.take();
}

std::vector<std::uint32_t> framesOf(const CallTree& tree, const FlameBox& box)
{
    std::vector<std::uint32_t> frames{box.node};
    while (frames.back() != box.innermost)
        frames.push_back(tree.nodes[frames.back()].firstChild);
    return frames;
}

} // namespace highwater
