#include "core/figure/layout/address_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace highwater {

namespace {

struct OrderedSegment
{
    std::uint32_t index;
    std::uint32_t list; ///< The same number for all segments under one heading
};

Bytes largestRange(const SegmentState& state)
{
    Bytes largest = 0;
    for (std::size_t i = 0; i < state.segments.size(); ++i)
        largest = std::max(largest, state.segments.rangeBytes(i));
    return largest;
}

/// Returns the segments in the given order. Fills `lists` with the free lists, to which
/// `OrderedSegment::list` is an index.
std::vector<OrderedSegment> orderedSegments(
    const SegmentState& state, SegmentOrder order, std::vector<FreeListKey>& lists)
{
    std::vector<OrderedSegment> segments;
    std::vector<Bytes> reserved; // by list
    std::map<FreeListKey, std::uint32_t> listNumbers;
    auto lastList = listNumbers.end(); // adjacent segments mostly belong to the same list
    segments.reserve(state.segments.size());
    for (std::uint32_t i = 0; i < state.segments.size(); ++i) {
        const MappedRange range = state.segments.range(i);
        const FreeListKey key{range.pool, range.stream, range.type};
        if (lastList == listNumbers.end() || !(lastList->first == key)) {
            const auto [entry, isNew]
                = listNumbers.try_emplace(key, static_cast<std::uint32_t>(lists.size()));
            lastList = entry;
            if (isNew) {
                lists.push_back(key);
                reserved.push_back(0);
            }
        }
        segments.push_back({i, lastList->second});
        reserved[lastList->second] += range.size;
    }
    const auto sortBy = [&segments](auto&& rank) {
        std::stable_sort(segments.begin(), segments.end(),
            [&](const OrderedSegment& a, const OrderedSegment& b) { return rank(a) < rank(b); });
    };
    switch (order) {
    case SegmentOrder::ByFreeList:
        if (lists.size() < 2)
            break;
        sortBy(
            [&](const OrderedSegment& segment) { return std::pair(-reserved[segment.list], segment.list); });
        break;
    case SegmentOrder::BySize:
        sortBy([&](const OrderedSegment& segment) { return -state.segments.rangeBytes(segment.index); });
        break;
    case SegmentOrder::ByFreeBytes:
        sortBy([&](const OrderedSegment& segment) { return -state.segments.freeBytes(segment.index); });
        break;
    case SegmentOrder::ByAddress: break;
    }
    return segments;
}

/// Returns the width of a segment of this size, in pixels.
int pixelsOf(Bytes size, const AddressMapOptions& options)
{
    constexpr double maxPixels = 1 << 24;
    const double pixels = std::round(static_cast<double>(size) / options.bytesPerPixel);
    return std::max({1, options.narrowest, static_cast<int>(std::min(pixels, maxPixels))});
}

/// Finds the position of the next segment.
class RowFlow
{
public:
    explicit RowFlow(const AddressMapOptions& options)
        : m_options(options)
    {
    }

    /// Calls `place(x, y, begin, end)` for each row with the pixels [begin, end) of the segment in that row.
    template <typename Place>
    void addSegment(int pixels, Place&& place)
    {
        if (m_x > 0 && (m_options.hasRowPerSegment || m_x + pixels > m_options.width))
            nextRow();
        for (int begin = 0; begin < pixels;) {
            const int end = std::min(pixels, begin + std::max(1, m_options.width - m_x));
            place(m_x, m_y, begin, end);
            m_x += end - begin;
            if (end < pixels)
                nextRow();
            begin = end;
        }
        m_x += m_options.segmentGap;
        m_hasSegments = true;
    }

    /// Ends the row and returns the y of a heading.
    int addHeading()
    {
        if (m_hasSegments)
            nextRow();
        m_hasSegments = false;
        const int y = m_y;
        m_y += m_options.headingHeight;
        return y;
    }

    int height() const { return m_hasSegments ? m_y + m_options.rowHeight : m_y; }

private:
    void nextRow()
    {
        m_x = 0;
        m_y += m_options.rowHeight + m_options.rowGap;
    }

    const AddressMapOptions& m_options;
    int m_x = 0;
    int m_y = 0;
    bool m_hasSegments = false;
};

/// A cell and its pixels [begin, end) in its segment.
struct CellPixels
{
    MapCell cell;
    int begin = 0;
    int end = 0;
};

/// Adds a row of SegmentState::blocks to a cell.
void addBlock(MapCell& cell, const SegmentState& state, std::uint32_t row)
{
    const BlockAt& block = state.blocks[row];
    if (cell.blocks.isEmpty() || block.size > state.blocks[cell.main].size)
        cell.main = row;
    if (cell.blocks.isEmpty())
        cell.blocks.first = row;
    cell.blocks.last = row + 1;
    (block.state == BlockState::Active            ? cell.activeBytes
            : block.state == BlockState::Inactive ? cell.freeBytes
                                                  : cell.pendingBytes)
        += block.size;
}

/// Divides a segment that is `pixels` wide into cells of at least one pixel.
void findCells(const SegmentState& state, std::uint32_t index, int pixels, std::vector<CellPixels>& cells)
{
    const SegmentAt& segment = state.segments[index];
    cells.clear();
    CellPixels current;
    current.cell.segment = index;
    const CellPixels emptyCell = current;
    for (std::uint32_t row = segment.blocks.first; row < segment.blocks.last; ++row) {
        const Address offset = state.blocks[row].end() - segment.range.begin;
        const double share = static_cast<double>(offset) / static_cast<double>(segment.range.size);
        current.end = static_cast<int>(share * pixels);
        if (row + 1 == segment.blocks.last)
            current.end = pixels;
        if (current.end == current.begin && current.begin == pixels) {
            addBlock(cells.back().cell, state, row); // blocks at the very end without a pixel of their own
            continue;
        }
        addBlock(current.cell, state, row);
        if (current.end == current.begin)
            continue;
        cells.push_back(current);
        const int next = current.end;
        current = emptyCell;
        current.begin = next;
    }
}

class MapBuilder
{
public:
    MapBuilder(const SegmentState& state, const AddressMapOptions& options)
        : m_state(state)
        , m_options(options)
        , m_flow(options)
    {
    }

    AddressMap build()
    {
        std::vector<FreeListKey> lists;
        const std::vector<OrderedSegment> segments = orderedSegments(m_state, m_options.order, lists);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const bool isNewList = i == 0 || segments[i].list != segments[i - 1].list;
            if (m_options.order == SegmentOrder::ByFreeList && isNewList)
                m_map.headings.push_back({m_flow.addHeading(), lists[segments[i].list]});
            addSegment(segments[i].index);
        }
        m_map.width = m_options.width;
        m_map.height = m_flow.height();
        m_map.bytesPerPixel = m_options.bytesPerPixel;
        return std::move(m_map);
    }

private:
    void addSegment(std::uint32_t index)
    {
        const int pixels = pixelsOf(m_state.segments.rangeBytes(index), m_options);
        std::vector<CellPixels>& cells = m_cells;
        findCells(m_state, index, pixels, cells);
        const auto firstCell = static_cast<std::uint32_t>(m_map.cells.size());
        for (const CellPixels& found : cells)
            m_map.cells.push_back(found.cell);
        m_flow.addSegment(pixels, [&](int x, int y, int begin, int end) {
            m_map.strips.push_back({x, y, end - begin, index, begin == 0, end == pixels});
            auto cell = std::partition_point(cells.begin(), cells.end(),
                [begin](const CellPixels& candidate) { return candidate.end <= begin; });
            for (; cell != cells.end() && cell->begin < end; ++cell) {
                const int boxBegin = std::max(begin, cell->begin);
                const int boxEnd = std::min(end, cell->end);
                m_map.boxes.push_back({x + boxBegin - begin, y, boxEnd - boxBegin,
                    firstCell + static_cast<std::uint32_t>(cell - cells.begin())});
            }
        });
    }

    const SegmentState& m_state;
    const AddressMapOptions& m_options;
    RowFlow m_flow;
    AddressMap m_map;
    std::vector<CellPixels> m_cells; ///< Cells of one segment; reused as scratch space
};

/// True if the map is at most `height` high. Stops at the first segment that does not fit: O(segments that
/// fit).
bool isWithin(int height, const SegmentState& state, const std::vector<OrderedSegment>& segments,
    const AddressMapOptions& options)
{
    RowFlow flow(options);
    for (std::size_t i = 0; i < segments.size() && flow.height() <= height; ++i) {
        if (options.order == SegmentOrder::ByFreeList && (i == 0 || segments[i].list != segments[i - 1].list))
            flow.addHeading();
        flow.addSegment(
            pixelsOf(state.segments.rangeBytes(segments[i].index), options), [](int, int, int, int) {});
    }
    return flow.height() <= height;
}

} // namespace

int AddressMap::boxAt(int x, int y, int rowHeight) const
{
    const auto box = std::partition_point(boxes.begin(), boxes.end(), [&](const MapBox& other) {
        return other.y + rowHeight <= y || (other.y <= y && other.x + other.width <= x);
    });
    const bool isHit = box != boxes.end() && box->y <= y && box->x <= x;
    return isHit ? static_cast<int>(box - boxes.begin()) : -1;
}

AddressMap addressMap(const SegmentState& state, const AddressMapOptions& options)
{
    return MapBuilder(state, options).build();
}

std::vector<MapStrip> findStrips(const SegmentState& state, const AddressMap& map, Address begin, Bytes size)
{
    std::uint32_t segment = 0;
    while (segment < state.segments.size() && state.segments.range(segment).end() <= begin)
        ++segment;
    if (segment == state.segments.size() || state.segments.range(segment).begin > begin || size <= 0)
        return {};
    int pixels = 0;
    for (const MapStrip& strip : map.strips)
        pixels += strip.segment == segment ? strip.width : 0;
    const MappedRange range = state.segments.range(segment);
    const auto pixelAt = [&](Address address) {
        const auto offset = static_cast<double>(std::min(address, range.end()) - range.begin);
        return static_cast<int>(offset / static_cast<double>(range.size) * pixels);
    };
    const int firstPixel = std::min(pixelAt(begin), pixels - 1);
    const int endPixel = std::max(firstPixel + 1, pixelAt(begin + static_cast<Address>(size)));
    std::vector<MapStrip> parts;
    int passed = 0; // pixels of the segment in the strips so far
    for (const MapStrip& strip : map.strips) {
        if (strip.segment != segment)
            continue;
        const int left = std::max(firstPixel, passed);
        const int right = std::min(endPixel, passed + strip.width);
        if (left < right)
            parts.push_back({strip.x + left - passed, strip.y, right - left, segment, left == firstPixel,
                right == endPixel});
        passed += strip.width;
    }
    return parts;
}

std::vector<RowAddress> rowAddresses(const SegmentState& state, const AddressMap& map)
{
    std::vector<int> pixels(state.segments.size(), 0);
    for (const MapStrip& strip : map.strips)
        pixels[strip.segment] += strip.width;
    std::vector<int> passed(state.segments.size(), 0); // pixels of each segment in the strips so far
    std::vector<RowAddress> rows;
    for (const MapStrip& strip : map.strips) {
        const MappedRange range = state.segments.range(strip.segment);
        const double share = static_cast<double>(passed[strip.segment]) / pixels[strip.segment];
        if (strip.x == 0)
            rows.push_back(
                {strip.y, range.begin + static_cast<Address>(share * static_cast<double>(range.size))});
        passed[strip.segment] += strip.width;
    }
    return rows;
}

double rowPerSegmentScale(const SegmentState& state, Bytes request, int width, int captionRoom)
{
    const Bytes largest = std::max({Bytes{1}, request, largestRange(state)});
    return std::max(1.0, static_cast<double>(largest) / std::max(width / 2, width - captionRoom));
}

bool hasRowForEach(const SegmentState& state, AddressMapOptions options, int height)
{
    std::vector<FreeListKey> lists;
    const std::vector<OrderedSegment> segments = orderedSegments(state, options.order, lists);
    options.hasRowPerSegment = true;
    return isWithin(height, state, segments, options);
}

double scaleToFit(const SegmentState& state, AddressMapOptions options, int height)
{
    std::vector<FreeListKey> lists;
    const std::vector<OrderedSegment> segments = orderedSegments(state, options.order, lists);
    const Bytes largest = std::max<Bytes>(1, largestRange(state));
    double fineScale = 512.0 / 8; // shows the smallest block on eight pixels, which is always enough
    double coarseScale = std::max(fineScale, static_cast<double>(largest) / options.narrowest);
    const auto fits = [&](double scale) {
        options.bytesPerPixel = scale;
        return isWithin(height, state, segments, options);
    };
    if (fits(fineScale))
        return fineScale;
    constexpr int halvings = 24;
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::sqrt(fineScale * coarseScale);
        (fits(middle) ? coarseScale : fineScale) = middle;
    }
    return coarseScale;
}

} // namespace highwater
