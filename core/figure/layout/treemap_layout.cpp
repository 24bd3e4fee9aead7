#include "core/figure/layout/treemap_layout.h"

#include <algorithm>
#include <numeric>

namespace highwater {

namespace {

/// Fills a rectangle with rows along its shorter side, whose tiles are as square as possible.
class Squarifier
{
public:
    Squarifier(std::span<const Bytes> weights, const Rectangle& area)
        : m_weights(weights)
        , m_free(area)
    {
        double total = 0;
        for (const Bytes weight : weights)
            total += static_cast<double>(weight);
        m_scale = total > 0 ? area.area() / total : 0;
    }

    std::vector<Rectangle> rectangles()
    {
        std::size_t begin = 0;
        while (begin < m_weights.size()) {
            const std::size_t end = rowEnd(begin);
            placeRow(begin, end);
            begin = end;
        }
        return std::move(m_places);
    }

private:
    double sizeOf(std::size_t i) const { return static_cast<double>(m_weights[i]) * m_scale; }
    double side() const { return std::min(m_free.width, m_free.height); }

    /// Returns the worst aspect ratio in a row with this sum and these largest and smallest members.
    double worstRatio(double sum, double largest, double smallest) const
    {
        const double sideSquared = side() * side();
        return std::max(sideSquared * largest / (sum * sum), sum * sum / (sideSquared * smallest));
    }

    std::size_t rowEnd(std::size_t begin) const
    {
        const double largest = sizeOf(begin);
        double sum = largest;
        if (sum <= 0 || side() <= 0)
            return m_weights.size();
        double bestRatio = worstRatio(sum, largest, largest);
        std::size_t end = begin + 1;
        for (; end < m_weights.size() && sizeOf(end) > 0; ++end) {
            const double nextRatio = worstRatio(sum + sizeOf(end), largest, sizeOf(end));
            if (nextRatio > bestRatio)
                break;
            bestRatio = nextRatio;
            sum += sizeOf(end);
        }
        return end;
    }

    void placeRow(std::size_t begin, std::size_t end)
    {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += sizeOf(i);
        const bool isColumn = m_free.width >= m_free.height; // the row is then a column at the left
        const double length = isColumn ? m_free.height : m_free.width;
        const double across
            = length > 0 ? std::min(sum / length, isColumn ? m_free.width : m_free.height) : 0;
        double along = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double extent = across > 0 && sum > 0 ? length * sizeOf(i) / sum : 0;
            m_places.push_back(isColumn ? Rectangle{m_free.x, m_free.y + along, across, extent}
                                        : Rectangle{m_free.x + along, m_free.y, extent, across});
            along += extent;
        }
        if (isColumn) {
            m_free.x += across;
            m_free.width -= across;
        } else {
            m_free.y += across;
            m_free.height -= across;
        }
    }

    std::span<const Bytes> m_weights;
    Rectangle m_free;
    double m_scale = 0;
    std::vector<Rectangle> m_places;
};

/// Returns the rectangle below the header, or all of it if it is too low for one.
Rectangle withoutHeader(Rectangle place, double header)
{
    if (place.height >= 2 * header) {
        place.y += header;
        place.height -= header;
    }
    return place;
}

void addTiles(TreemapLayout& layout, std::uint32_t index, const TreemapGroup& group, const Rectangle& place,
    double smallest)
{
    const double pixelsPerByte = group.bytes > 0 ? place.area() / static_cast<double>(group.bytes) : 0;
    const auto isShown = [&](Bytes part) { return static_cast<double>(part) * pixelsPerByte >= smallest; };
    const auto shown = static_cast<std::uint32_t>(
        std::partition_point(group.parts.begin(), group.parts.end(), isShown) - group.parts.begin());
    const auto restCount = static_cast<std::uint32_t>(group.parts.size()) - shown;
    std::vector<Bytes> weights(group.parts.begin(), group.parts.begin() + shown);
    const Bytes restBytes = std::accumulate(group.parts.begin() + shown, group.parts.end(), Bytes{0});
    // The rest may be larger than a shown part, so it is inserted where it belongs by size.
    const auto restAt
        = static_cast<std::uint32_t>(std::partition_point(weights.begin(), weights.end(), [&](Bytes weight) {
              return weight >= restBytes;
          }) - weights.begin());
    if (restCount > 0)
        weights.insert(weights.begin() + restAt, restBytes);
    const std::vector<Rectangle> places = squarify(weights, place);
    for (std::uint32_t i = 0; i < shown; ++i)
        layout.tiles.push_back(
            {places[restCount > 0 && i >= restAt ? i + 1 : i], index, i, 1, group.parts[i]});
    if (restCount > 0)
        layout.tiles.push_back({places[restAt], index, shown, restCount, restBytes});
}

} // namespace

std::vector<Rectangle> squarify(std::span<const Bytes> weights, const Rectangle& area)
{
    return Squarifier(weights, area).rectangles();
}

TreemapLayout treemapLayout(
    std::span<const TreemapGroup> groups, const Rectangle& area, double header, double smallest)
{
    std::vector<Bytes> weights;
    for (const TreemapGroup& group : groups)
        weights.push_back(group.bytes);
    TreemapLayout layout;
    layout.groups = squarify(weights, area);
    for (std::uint32_t i = 0; i < groups.size(); ++i)
        addTiles(layout, i, groups[i], withoutHeader(layout.groups[i], header), smallest);
    return layout;
}

} // namespace highwater
