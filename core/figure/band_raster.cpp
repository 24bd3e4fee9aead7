#include "core/figure/band_raster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace highwater {

namespace {

/// The largest band that has bytes in a pixel.
struct Claim
{
    AllocationIndex allocation = BandRaster::kEmpty;
    Bytes bytes = -1;

    void offer(AllocationIndex by, Bytes size)
    {
        if (size > bytes)
            *this = {by, size};
    }
};

/// Paints the bands of one column into its pixels, from the bottom up.
class ColumnPainter
{
public:
    ColumnPainter(const AllocationTable& allocations, const ByteScale& scale,
        const std::vector<bool>* emphasis, AllocationIndex* pixels, int height)
        : m_allocations(allocations)
        , m_scale(scale)
        , m_emphasis(emphasis)
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
        finishTop((static_cast<double>(offset) - m_scale.bottomBytes) * perByte);
    }

private:
    static constexpr double kHalf = 0.5;

    bool isEmphasised(AllocationIndex i) const { return m_emphasis && (*m_emphasis)[i]; }

    void paintBand(AllocationIndex i, Bytes bytes, double from, double to)
    {
        const int first = static_cast<int>(from);
        const int end = std::min(static_cast<int>(std::ceil(to)), m_height);
        if (first >= end)
            return;
        const bool emphasised = isEmphasised(i);
        if (first != m_row)
            beginRow(first);
        claim(i, bytes, std::min(to, first + 1.0) - from, emphasised);
        if (first + 1 == end)
            return;
        beginRow(end - 1);
        std::fill(m_pixels + first + 1, m_pixels + end - 1, i); // pixels that are all its own
        claim(i, bytes, to - (end - 1), emphasised);
    }

    void claim(AllocationIndex i, Bytes bytes, double share, bool emphasised)
    {
        (emphasised ? m_strong : m_plain).offer(i, bytes);
        if (emphasised)
            m_share += share;
    }

    void beginRow(int row)
    {
        finishRow();
        m_row = row;
        m_strong = m_plain = {};
        m_share = 0;
    }

    void finishRow()
    {
        if (m_row < 0)
            return;
        m_owed += m_share;
        const bool strong = m_plain.allocation == BandRaster::kEmpty || (m_share > 0 && m_owed >= kHalf);
        m_owed -= strong ? 1 : 0;
        m_pixels[m_row] = (strong ? m_strong : m_plain).allocation;
    }

    /// The topmost pixel is filled only when the total reaches its middle; else what is owed to emphasised
    /// bands goes to the pixel below.
    void finishTop(double top)
    {
        const bool isLeftEmpty = m_row > 0 && m_row < top && top < m_row + kHalf;
        if (!isLeftEmpty)
            finishRow();
        else if (m_share > 0 && m_owed + m_share >= kHalf && !isEmphasised(m_pixels[m_row - 1]))
            m_pixels[m_row - 1] = m_strong.allocation;
    }

    const AllocationTable& m_allocations;
    const ByteScale& m_scale;
    const std::vector<bool>* m_emphasis;
    AllocationIndex* m_pixels;
    int m_height;
    int m_row = -1; ///< topmost pixel reached so far; what is below it is painted
    Claim m_strong; ///< of the emphasised bands in it
    Claim m_plain; ///< of the others
    double m_share = 0; ///< how much of it emphasised bands have
    double m_owed = 0; ///< emphasised bytes of the pixels below that do not show, in pixels
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
    int height, const BandGroups* groups, const std::vector<bool>* emphasis)
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
        if (event == kNoState)
            continue;
        if (x == 0 || event < previous || previous == kNoState)
            index.liveAt(event, live);
        else
            index.advance(previous, event, live);
        ColumnPainter(index.allocations(), scale, emphasis, pixels, raster.height).paint(order.apply(live));
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
