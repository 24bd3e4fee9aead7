#include "core/figure/raster/band_tree.h"

namespace highwater {

BandTree::BandTree(const AllocationTable& allocations, const std::vector<AllocationIndex>& places,
    const std::vector<bool>* emphasis)
    : m_allocations(allocations)
    , m_places(places)
    , m_emphasis(emphasis)
{
    std::size_t nodes = (places.size() + kFanOut - 1) / kFanOut;
    m_bytes.resize(nodes * kFanOut);
    while (nodes > 0) {
        const std::size_t above = (nodes + kFanOut - 1) / kFanOut;
        const std::size_t size = nodes > 1 ? above * kFanOut : 1;
        Level& level = m_levels.emplace_back();
        level.bytes.resize(size);
        level.largest.resize(size);
        if (emphasis) {
            level.largestEmphasised.resize(size);
            level.emphasisedBytes.resize(size);
        }
        nodes = nodes > 1 ? above : 0;
    }
}

void BandTree::toggle(std::span<const std::uint32_t> places)
{
    m_touched.clear();
    const auto touch = [this](std::uint32_t node) {
        if (m_touched.empty() || m_touched.back() != node)
            m_touched.push_back(node);
    };
    for (const std::uint32_t place : places) {
        m_bytes[place] = m_bytes[place] == 0 ? m_allocations.bytes(m_places[place]) : 0;
        touch(place / kFanOut);
    }
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        std::size_t parents = 0;
        for (const std::uint32_t node : m_touched) {
            level == 0 ? sumBands(node) : sumNodes(level, node);
            const auto parent = static_cast<std::uint32_t>(node / kFanOut);
            if (parents == 0 || m_touched[parents - 1] != parent)
                m_touched[parents++] = parent;
        }
        m_touched.resize(parents);
    }
}

void BandTree::sumBands(std::size_t node)
{
    Level& level = m_levels.front();
    Bytes bytes = 0;
    Bytes emphasisedBytes = 0;
    BandClaim largest;
    BandClaim largestEmphasised;
    for (std::size_t place = node * kFanOut; place < (node + 1) * kFanOut; ++place) {
        const Bytes placeBytes = m_bytes[place];
        if (placeBytes == 0)
            continue;
        bytes += placeBytes;
        const bool isInEmphasis = isEmphasised(place);
        emphasisedBytes += isInEmphasis ? placeBytes : 0;
        (isInEmphasis ? largestEmphasised : largest).offer({m_places[place], placeBytes});
    }
    level.bytes[node] = bytes;
    level.largest[node] = largest;
    if (m_emphasis) {
        level.emphasisedBytes[node] = emphasisedBytes;
        level.largestEmphasised[node] = largestEmphasised;
    }
}

void BandTree::sumNodes(std::size_t levelIndex, std::size_t node)
{
    const Level& below = m_levels[levelIndex - 1];
    Bytes bytes = 0;
    Bytes emphasisedBytes = 0;
    BandClaim largest;
    BandClaim largestEmphasised;
    for (std::size_t child = node * kFanOut; child < (node + 1) * kFanOut; ++child) {
        bytes += below.bytes[child];
        largest.offer(below.largest[child]);
        if (m_emphasis) {
            emphasisedBytes += below.emphasisedBytes[child];
            largestEmphasised.offer(below.largestEmphasised[child]);
        }
    }
    m_levels[levelIndex].bytes[node] = bytes;
    m_levels[levelIndex].largest[node] = largest;
    if (m_emphasis) {
        m_levels[levelIndex].emphasisedBytes[node] = emphasisedBytes;
        m_levels[levelIndex].largestEmphasised[node] = largestEmphasised;
    }
}

void BandTree::paint(ColumnPainter& painter) const
{
    if (!m_levels.empty())
        paintNodes(m_levels.size() - 1, 0, 1, painter);
    painter.finish();
}

/// Paints nodes [node, end) of a level. Empty nodes fit everywhere and claim nothing, so they need no test.
void BandTree::paintNodes(
    std::size_t levelIndex, std::size_t node, std::size_t end, ColumnPainter& painter) const
{
    const Level& level = m_levels[levelIndex];
    for (; node < end; ++node) {
        const Bytes bytes = level.bytes[node];
        if (!painter.fits(bytes)) {
            if (levelIndex == 0)
                paintBands(node * kFanOut, painter);
            else
                paintNodes(levelIndex - 1, node * kFanOut, (node + 1) * kFanOut, painter);
            if (painter.isFull())
                return;
        } else if (m_emphasis) {
            painter.addWithinPixel(
                bytes, level.largest[node], level.largestEmphasised[node], level.emphasisedBytes[node]);
        } else {
            painter.addWithinPixel(bytes, level.largest[node]);
        }
    }
}

void BandTree::paintBands(std::size_t firstPlace, ColumnPainter& painter) const
{
    for (std::size_t place = firstPlace; place < firstPlace + kFanOut && !painter.isFull(); ++place)
        if (m_bytes[place] > 0)
            painter.add(m_places[place], m_bytes[place]);
}

} // namespace highwater
