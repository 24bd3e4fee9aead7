#include "app/timeline/bands/allocation_outline.h"

#include <algorithm>
#include <utility>

namespace highwater::gui {

namespace {

/// Returns the first row of a column for which `isBelow` is false; rows for which it is true come first. The
/// search starts at `guess` and doubles its steps, so that a good guess needs few steps.
template <typename IsBelow>
int firstNotBelow(const AllocationIndex* column, int height, int guess, const IsBelow& isBelow)
{
    int from = std::clamp(guess, 0, height);
    int to = from;
    for (int step = 1; from > 0 && !isBelow(column[from - 1]); step *= 2)
        to = std::exchange(from, std::max(0, from - step));
    for (int step = 1; to < height && isBelow(column[to]); step *= 2)
        from = std::exchange(to, std::min(height, to + step));
    return static_cast<int>(std::partition_point(column + from, column + to, isBelow) - column);
}

} // namespace

std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation)
{
    const BandRaster& raster = image.raster;
    const AllocationTable& table = image.request.analysis->allocations;
    const BandGroups* groups = image.request.stacking.get();
    const auto rankOf = [&](AllocationIndex i, std::int64_t event) {
        return groups ? groups->rankAt(i, event) : GroupRank{0};
    };
    std::vector<BandPiece> pieces;
    int rowBegin = 0;
    for (int x = 0; x < raster.width; ++x) {
        const std::int64_t event = raster.columns[static_cast<std::size_t>(x)].event;
        if (!table.isLiveAt(allocation, event))
            continue;
        const GroupRank rank = rankOf(allocation, event);
        const auto isBelow = [&](AllocationIndex other) {
            if (other == allocation || other == BandRaster::kEmpty)
                return false;
            const GroupRank otherRank = rankOf(other, event);
            return otherRank < rank || (otherRank == rank && other < allocation);
        };
        const AllocationIndex* column
            = raster.pixels.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(raster.height);
        rowBegin = firstNotBelow(column, raster.height, rowBegin, isBelow);
        int rowEnd = rowBegin;
        while (rowEnd < raster.height && column[rowEnd] == allocation)
            ++rowEnd;
        const bool isOutOfView
            = rowBegin == raster.height || (rowBegin == 0 && image.request.yBottom > 0 && rowEnd == 0);
        if (rowBegin == rowEnd && isOutOfView)
            continue;
        if (!pieces.empty() && pieces.back().endColumn == x && pieces.back().firstRow == rowBegin
            && pieces.back().endRow == rowEnd)
            pieces.back().endColumn = x + 1;
        else
            pieces.push_back({x, x + 1, rowBegin, rowEnd});
    }
    return pieces;
}

std::vector<BandByteRange> byteRangesOf(const BandImage& image, AllocationIndex allocation)
{
    const LiveIndex& live = image.request.analysis->live;
    const AllocationTable& table = live.allocations();
    const BandGroups* groups = image.request.stacking.get();
    const auto rankOf = [&](AllocationIndex i, std::int64_t event) {
        return groups ? groups->rankAt(i, event) : GroupRank{0};
    };
    std::vector<BandByteRange> ranges;
    std::vector<AllocationIndex> alive;
    std::int64_t lastEvent = kNoState;
    for (int x = 0; x < image.raster.width; ++x) {
        const std::int64_t event = image.raster.columns[static_cast<std::size_t>(x)].event;
        if (event == kNoState || !table.isLiveAt(allocation, event))
            continue;
        if (event == lastEvent) {
            ranges.back().last = x + 1;
            continue;
        }
        if (lastEvent == kNoState || event < lastEvent)
            live.liveAt(event, alive);
        else
            live.advance(lastEvent, event, alive);
        lastEvent = event;
        const GroupRank rank = rankOf(allocation, event);
        Bytes bytesBelow = 0;
        for (const AllocationIndex i : alive)
            if (const GroupRank otherRank = rankOf(i, event);
                otherRank < rank || (otherRank == rank && i < allocation))
                bytesBelow += table.bytes(i);
        const Bytes top = bytesBelow + table.bytes(allocation);
        if (!ranges.empty() && ranges.back().last == x && ranges.back().bottom == bytesBelow)
            ranges.back().last = x + 1;
        else
            ranges.push_back({x, x + 1, bytesBelow, top});
    }
    return ranges;
}

} // namespace highwater::gui
