#include "core/figure/band_raster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace highwater {

namespace {

/// Paints the bands of one column into its pixels.
class ColumnPainter
{
public:
    ColumnPainter(
        const AllocationTable& allocations, const ByteScale& scale, AllocationIndex* pixels, int height)
        : m_allocations(allocations)
        , m_scale(scale)
        , m_pixels(pixels)
        , m_height(height)
    {
    }

    void paint(const std::vector<AllocationIndex>& live)
    {
        const double perByte = 1 / m_scale.bytesPerPixel;
        Bytes offset = 0;
        for (const AllocationIndex i : live) {
            const Bytes bytes = m_allocations.bytes(i);
            const double from = (static_cast<double>(offset) - m_scale.bottomBytes) * perByte;
            offset += bytes;
            const double to = (static_cast<double>(offset) - m_scale.bottomBytes) * perByte;
            if (to > 0 && from < m_height)
                paintBand(i, bytes, std::max(from, 0.0), std::min(to, static_cast<double>(m_height)));
        }
        trimTop(offset);
    }

private:
    void paintBand(AllocationIndex i, Bytes bytes, double from, double to)
    {
        const int first = static_cast<int>(from);
        const int last = std::min(static_cast<int>(std::ceil(to)), m_height);
        if (first >= last)
            return;
        claim(first, i, bytes);
        if (first + 1 < last)
            std::fill(m_pixels + first + 1, m_pixels + last, i);
        m_largest = first + 1 < last || first != m_row ? bytes : std::max(m_largest, bytes);
        m_row = last - 1;
    }

    /// The first pixel of a band may belong to bands below it: the one with the most bytes keeps it.
    void claim(int row, AllocationIndex i, Bytes bytes)
    {
        if (row != m_row || bytes > m_largest)
            m_pixels[row] = i;
    }

    /// The topmost pixel is filled only when the total reaches its middle.
    void trimTop(Bytes total)
    {
        const double top = (static_cast<double>(total) - m_scale.bottomBytes) / m_scale.bytesPerPixel;
        const int row = static_cast<int>(std::floor(top));
        if (top > 0 && row > 0 && row < m_height && top - row < 0.5)
            m_pixels[row] = BandRaster::kEmpty;
    }

    const AllocationTable& m_allocations;
    const ByteScale& m_scale;
    AllocationIndex* m_pixels;
    int m_height;
    int m_row = -1; ///< topmost pixel painted so far
    Bytes m_largest = 0; ///< bytes of the band that has it
};

/// Puts the live set into the order of groups, keeping the table's order inside each: one counting sort.
class GroupOrder
{
public:
    explicit GroupOrder(const BandGroups* groups)
        : m_groups(groups && !groups->isSingle() ? groups : nullptr)
    {
    }

    const std::vector<AllocationIndex>& apply(const std::vector<AllocationIndex>& live)
    {
        if (!m_groups)
            return live;
        m_next.assign(m_groups->groups.size() + 1, 0);
        for (const AllocationIndex i : live)
            ++m_next[m_groups->rank(i) + std::size_t{1}];
        std::partial_sum(m_next.begin(), m_next.end(), m_next.begin());
        m_ordered.resize(live.size());
        for (const AllocationIndex i : live)
            m_ordered[m_next[m_groups->rank(i)]++] = i;
        return m_ordered;
    }

private:
    const BandGroups* m_groups;
    std::vector<std::size_t> m_next;
    std::vector<AllocationIndex> m_ordered;
};

} // namespace

BandRaster rasterizeBands(const LiveIndex& index, std::vector<PixelColumn> columns, const ByteScale& scale,
    int height, const BandGroups* groups)
{
    GroupOrder order(groups);
    BandRaster raster;
    raster.width = static_cast<int>(columns.size());
    raster.height = std::max(height, 0);
    raster.columns = std::move(columns);
    raster.pixels.assign(
        static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height), BandRaster::kEmpty);
    std::vector<AllocationIndex> live;
    for (int x = 0; x < raster.width; ++x) {
        AllocationIndex* pixels
            = raster.pixels.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(raster.height);
        const std::int64_t event = raster.columns[static_cast<std::size_t>(x)].event;
        const std::int64_t previous = x > 0 ? raster.columns[static_cast<std::size_t>(x - 1)].event : 0;
        if (x > 0 && event == previous) {
            std::copy(pixels - raster.height, pixels, pixels);
            continue;
        }
        if (x == 0 || event < previous)
            index.liveAt(event, live);
        else
            index.advance(previous, event, live);
        ColumnPainter(index.allocations(), scale, pixels, raster.height).paint(order.apply(live));
    }
    return raster;
}

std::vector<Band> bandsAt(const LiveIndex& index, std::int64_t event, const BandGroups* groups)
{
    std::vector<AllocationIndex> live;
    index.liveAt(event, live);
    GroupOrder order(groups);
    std::vector<Band> bands;
    Bytes offset = 0;
    for (const AllocationIndex i : order.apply(live)) {
        bands.push_back({i, offset, index.allocations().bytes(i)});
        offset += bands.back().bytes;
    }
    return bands;
}

} // namespace highwater
