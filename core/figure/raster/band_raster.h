#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/figure/raster/byte_scale.h"

namespace highwater {

/// The stacked picture as numbers: for every pixel the allocation that is painted there. Colours, hovering
/// and dimming follow from it without another layout.
///
/// In a column the live allocations lie on each other in stacking order, without gaps, at their exact
/// offsets. A pixel that several of them overlap belongs to the one of them that has the most bytes (the
/// lowest of equals): bands thinner than a pixel merge into their neighbours and the total stays. A row is
/// filled when the total reaches its middle; the lowest row of a column with any byte is always filled.
///
/// Where some allocations are emphasised, a pixel goes first either to those or to the others, and then to
/// the largest band of that side. From the bottom up, emphasised bytes that do not show are carried on, and
/// a pixel with any of them is theirs as soon as they come to half a pixel (or it holds nothing else). So
/// as many pixels of a column are theirs as their bytes fill, to half a pixel (at the top edge: to one),
/// however thin the bands are; which pixels are filled stays the same. Bytes above the topmost filled pixel
/// count for it.
struct BandRaster
{
    static constexpr AllocationIndex kEmpty = AllocationTable::kNoAllocation;

    int width = 0;
    int height = 0;
    std::vector<PixelColumn> columns; ///< what each column shows
    std::vector<AllocationIndex> pixels; ///< column-major: pixels[x * height + row], row 0 the lowest
    std::size_t pieces = 0; ///< bands, and bands painted as one, that were laid down for it: its cost

    AllocationIndex at(int x, int row) const
    {
        return pixels[static_cast<std::size_t>(x) * static_cast<std::size_t>(height)
            + static_cast<std::size_t>(row)];
    }
};

/// O(columns × height × log live), or O(Σ over columns of live allocations) where that is less, and O(changes
/// × log live) for what begins or ends between the first column and the last. With `groups` the groups lie on
/// each other as wholes; with `emphasis`, by allocation, the true ones show.
BandRaster rasterizeBands(const LiveIndex& index, std::vector<PixelColumn> columns, const ByteScale& scale,
    int height, const BandGroups* groups = nullptr, const std::vector<bool>* emphasis = nullptr);

/// A band of one column with its exact place.
struct Band
{
    AllocationIndex allocation;
    Bytes offset;
    Bytes bytes;
};

/// The bands of one moment from the bottom up: what the timeline draws before thin ones merge.
std::vector<Band> bandsAt(const LiveIndex& index, std::int64_t event, const BandGroups* groups = nullptr);

} // namespace highwater
