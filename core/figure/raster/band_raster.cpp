#include "core/figure/raster/band_raster.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/analysis/composition/band_spans.h"
#include "core/figure/raster/band_tree.h"
#include "core/figure/raster/column_painter.h"

// Paints the stacked bands, one column per moment. Input: the live allocations of each moment in stacking
// order. Idea: few bands are added to the painter one by one, up to the top of the picture. If there are many
// per pixel, a tree over all bands merges the thin ones, and only bands that begin or end change it. Example:
// two columns of 100 rows, the first with 500 live bands, the second with 100,000. The first has fewer than
// 16 bands per row and is painted one by one. At the second the tree is estimated; if it is faster, it paints
// this and all later columns.

namespace highwater {

namespace {

/// Sorts allocations by group, keeping the table's order within each group: one counting sort.
template <typename Item>
class GroupOrder
{
public:
    explicit GroupOrder(const BandGroups* groups)
        : m_groups(groups && !groups->isSingle() ? groups : nullptr)
    {
    }

    /// Returns the items in order; `rankOf` returns the rank of an item.
    template <typename RankOf>
    const std::vector<Item>& ordered(const std::vector<Item>& live, RankOf rankOf)
    {
        if (!m_groups)
            return live;
        m_next.assign(m_groups->groups.size() + 1, 0);
        for (const Item& item : live)
            ++m_next[rankOf(item) + std::size_t{1}];
        std::partial_sum(m_next.begin(), m_next.end(), m_next.begin());
        m_ordered.resize(live.size());
        for (const Item& item : live)
            m_ordered[m_next[rankOf(item)]++] = item;
        return m_ordered;
    }

private:
    const BandGroups* m_groups;
    std::vector<std::size_t> m_next;
    std::vector<Item> m_ordered;
};

/// Returns the spans in the table's order. An allocation that becomes kept from an earlier step
/// (`BandGroups::keptBlocks`) between two of the moments has two spans, which are in different groups.
std::vector<LiveSpan> spansOf(
    const LiveIndex& index, std::span<const std::int64_t> events, const BandGroups* groups)
{
    if (!groups || !groups->keptBlocks)
        return liveSpans(index, events);
    std::vector<LiveSpan> spans;
    visitBandSpans(
        index, *groups, events, [&spans](const LiveSpan& span, GroupRank) { spans.push_back(span); });
    return spans;
}

/// All bands of several moments in stacking order, and which of them begin or end at each moment.
struct BandChanges
{
    BandChanges(const LiveIndex& index, std::span<const std::int64_t> events, const BandGroups* groups)
        : begin(events.size() + 2, 0)
    {
        GroupOrder<LiveSpan> order(groups);
        const std::vector<LiveSpan> inTableOrder = spansOf(index, events, groups);
        const std::vector<LiveSpan>& spans = order.ordered(inTableOrder,
            [&](const LiveSpan& span) { return groups->rankAt(span.allocation, events[span.first]); });
        for (const LiveSpan& span : spans) {
            ++begin[span.first + std::size_t{1}];
            ++begin[span.last + std::size_t{1}];
        }
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
        allocations.resize(spans.size());
        places.resize(begin.back());
        for (std::uint32_t place = 0; place < spans.size(); ++place) {
            allocations[place] = spans[place].allocation;
            places[next[spans[place].first]++] = place;
            places[next[spans[place].last]++] = place;
        }
    }

    std::span<const std::uint32_t> at(std::size_t moment) const
    {
        return std::span(places).subspan(begin[moment], begin[moment + 1] - begin[moment]);
    }

    std::vector<AllocationIndex> allocations; ///< By place in the stack
    std::vector<std::size_t> begin; ///< By moment, and one more entry for bands that outlive all moments
    std::vector<std::uint32_t> places; ///< Ascending within each moment
};

/// Paints moment by moment: at first each band individually. From the first moment at which it is estimated
/// to be faster, a tree that merges thin bands paints all the rest.
class RasterJob
{
public:
    RasterJob(const LiveIndex& index, const ByteScale& scale, const BandGroups* groups,
        const std::vector<bool>* emphasis, const BandRaster* known, BandRaster& raster)
        : m_index(index)
        , m_groups(groups)
        , m_emphasis(emphasis)
        , m_known(known)
        , m_raster(raster)
        , m_painter(scale, raster.height, emphasis)
        , m_nextEstimateAt(kBandsPerRow * static_cast<std::size_t>(raster.height))
    {
    }

    void paint()
    {
        const std::vector<std::int64_t> shown = shownEvents(m_raster.columns);
        const std::vector<std::size_t> columnOf = columnsOf(shown, m_raster.columns);
        const std::vector<std::size_t> knownOf
            = m_known ? columnsOf(shown, m_known->columns) : std::vector<std::size_t>(shown.size(), kNone);
        for (std::size_t i = 0; i < shown.size(); ++i)
            if (knownOf[i] != kNone) {
                copyColumn(*m_known, knownOf[i], columnOf[i]);
            } else {
                m_events.push_back(shown[i]);
                m_columnOf.push_back(columnOf[i]);
            }
        if (!m_events.empty())
            paintFromTree(paintBandByBand());
        for (std::size_t x = 0; x < m_raster.columns.size(); ++x)
            if (const std::size_t moment = indexOf(shown, m_raster.columns[x].event);
                moment != kNone && columnOf[moment] != x)
                copyColumn(m_raster, columnOf[moment], x);
        m_raster.pieces = m_painter.pieces();
    }

private:
    // The cost of the tree, measured in bands painted individually.
    static constexpr std::size_t kBandsPerRow = 16;
    static constexpr std::size_t kBandsPerChange = 16;
    static constexpr std::size_t kBandsPerPlace = 16; ///< To build the tree, once for all columns
    static constexpr std::size_t kSample = 16; ///< Number of moments

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// Returns kNone if the event is not among these.
    static std::size_t indexOf(const std::vector<std::int64_t>& events, std::int64_t event)
    {
        const auto found = std::ranges::lower_bound(events, event);
        return found != events.end() && *found == event ? static_cast<std::size_t>(found - events.begin())
                                                        : kNone;
    }
    /// Returns for each event the first column that shows it, or kNone.
    static std::vector<std::size_t> columnsOf(
        const std::vector<std::int64_t>& events, const std::vector<PixelColumn>& columns)
    {
        std::vector<std::size_t> found(events.size(), kNone);
        for (std::size_t x = columns.size(); x-- > 0;)
            if (const std::size_t index = indexOf(events, columns[x].event); index != kNone)
                found[index] = x;
        return found;
    }
    AllocationIndex* pixelsOf(std::size_t x) const
    {
        return m_raster.pixels.data() + x * static_cast<std::size_t>(m_raster.height);
    }
    /// Copies a column of a raster, which may be the painted one, to column `x`.
    void copyColumn(const BandRaster& source, std::size_t column, std::size_t x) const
    {
        const auto height = static_cast<std::size_t>(m_raster.height);
        std::copy_n(source.pixels.data() + column * height, height, pixelsOf(x));
    }
    std::span<const std::int64_t> momentsFrom(std::size_t first) const
    {
        return std::span(m_events).subspan(first);
    }

    /// Paints moments until the tree is estimated to be faster; returns the number of moments painted.
    std::size_t paintBandByBand()
    {
        GroupOrder<AllocationIndex> order(m_groups);
        std::vector<AllocationIndex> live;
        for (std::size_t moment = 0; moment < m_events.size(); ++moment) {
            if (moment == 0)
                m_index.liveAt(m_events[moment], live);
            else
                m_index.advance(m_events[moment - 1], m_events[moment], live);
            if (live.size() > m_nextEstimateAt) {
                if (isTreeFaster(moment))
                    return moment;
                m_nextEstimateAt = 2 * live.size();
            }
            m_painter.begin(pixelsOf(m_columnOf[moment]));
            const auto rankOf = [&](AllocationIndex i) { return m_groups->rankAt(i, m_events[moment]); };
            for (const AllocationIndex i : order.ordered(live, rankOf)) {
                m_painter.add(i, m_index.allocations().bytes(i));
                if (m_painter.isFull())
                    break;
            }
            m_painter.finish();
        }
        return m_events.size();
    }

    /// Estimates from the next few moments whether the tree is faster.
    bool isTreeFaster(std::size_t moment) const
    {
        const std::span<const std::int64_t> remaining = momentsFrom(moment);
        const std::span<const std::int64_t> sample = remaining.first(std::min(kSample, remaining.size()));
        const std::vector<LiveSpan> spans = liveSpans(m_index, sample);
        std::size_t bands = 0;
        std::size_t changes = 0;
        for (const LiveSpan& span : spans) {
            bands += span.last - span.first;
            changes += (span.first > 0 ? 1u : 0u) + (span.last < sample.size() ? 1u : 0u);
        }
        const std::size_t rows = sample.size() * static_cast<std::size_t>(m_raster.height);
        return bands > rows * kBandsPerRow + changes * kBandsPerChange
            + spans.size() * kBandsPerPlace * sample.size() / remaining.size();
    }

    void paintFromTree(std::size_t first)
    {
        const std::span<const std::int64_t> remaining = momentsFrom(first);
        const BandChanges changes(m_index, remaining, m_groups);
        BandTree tree(m_index.allocations(), changes.allocations, m_emphasis);
        for (std::size_t moment = 0; moment < remaining.size(); ++moment) {
            tree.toggle(changes.at(moment));
            m_painter.begin(pixelsOf(m_columnOf[first + moment]));
            tree.paint(m_painter);
        }
    }

    const LiveIndex& m_index;
    const BandGroups* m_groups;
    const std::vector<bool>* m_emphasis;
    const BandRaster* m_known;
    BandRaster& m_raster;
    ColumnPainter m_painter;
    std::vector<std::int64_t> m_events; ///< The moments that are not in `m_known`, ascending
    std::vector<std::size_t> m_columnOf; ///< The first column that shows each of these moments
    std::size_t m_nextEstimateAt; ///< Estimate again when more bands than this are live
};

} // namespace

BandRaster rasterizeBands(const LiveIndex& index, std::vector<PixelColumn> columns, const ByteScale& scale,
    int height, const BandGroups* groups, const std::vector<bool>* emphasis, const BandRaster* known)
{
    BandRaster raster;
    raster.width = static_cast<int>(columns.size());
    raster.height = std::max(height, 0);
    raster.columns = std::move(columns);
    raster.pixels.assign(
        static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height), BandRaster::kEmpty);
    RasterJob(index, scale, groups, emphasis, known, raster).paint();
    return raster;
}

void visitBands(const LiveIndex& index, std::int64_t event, const BandGroups* groups,
    const std::function<void(const Band&)>& visit)
{
    std::vector<AllocationIndex> live;
    index.liveAt(event, live);
    GroupOrder<AllocationIndex> order(groups);
    Bytes offset = 0;
    for (const AllocationIndex i :
        order.ordered(live, [&](AllocationIndex i) { return groups->rankAt(i, event); })) {
        const Bytes bytes = index.allocations().bytes(i);
        visit({i, offset, bytes});
        offset += bytes;
    }
}

} // namespace highwater
