#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/figure/raster/byte_scale.h"

namespace highwater {

/// The stacked picture as numbers: for every pixel the allocation painted there. Colours, hovering and
/// dimming are derived from it without a new layout.
///
/// In a column the live allocations are stacked in order, without gaps, at their exact offsets. If several
/// allocations overlap a pixel, it belongs to the one with the most bytes (the lowest of equals): bands
/// thinner than a pixel merge into their neighbours, and the total stays the same. A row is filled if the
/// total reaches its middle; the lowest row of a column with any bytes is always filled.
///
/// If some allocations are emphasised, each pixel belongs either to them or to the others, and then to the
/// largest band among these. Emphasised bytes that are not visible are carried to the pixel above
/// (`ColumnPainter`), so that the emphasised allocations get as many pixels of a column as their bytes fill,
/// within half a pixel (one at the top edge). Emphasis does not change which pixels are filled.
struct BandRaster
{
    static constexpr AllocationIndex kEmpty = AllocationTable::kNoAllocation;

    int width = 0;
    int height = 0;
    std::vector<PixelColumn> columns; ///< The moment that each column shows
    std::vector<AllocationIndex> pixels; ///< Column-major: pixels[x * height + row], row 0 is the lowest
    std::size_t pieces = 0; ///< Number of bands processed (merged bands count once): the cost

    AllocationIndex at(int x, int row) const
    {
        return pixels[static_cast<std::size_t>(x) * static_cast<std::size_t>(height)
            + static_cast<std::size_t>(row)];
    }
};

/// Paints the raster. O(columns × height × log live), or O(Σ over columns of live allocations) if that is
/// less, plus O(changes × log live) for allocations that begin or end between the first and the last column.
/// With `groups`, whole groups are stacked. With `emphasis`, a flag for each allocation, those whose flag is
/// true are emphasised. `known` is a raster that differs only in its columns: columns of the same moments are
/// copied from it.
BandRaster rasterizeBands(const LiveIndex& index, std::vector<PixelColumn> columns, const ByteScale& scale,
    int height, const BandGroups* groups = nullptr, const std::vector<bool>* emphasis = nullptr,
    const BandRaster* known = nullptr);

/// A band of one column and its exact position.
struct Band
{
    AllocationIndex allocation;
    Bytes offset;
    Bytes bytes;
};

/// Calls `visit` for each band of the timeline at one moment, from the bottom up; thin bands are not merged.
/// Takes 4 to 8 bytes of memory per band.
void visitBands(const LiveIndex& index, std::int64_t event, const BandGroups* groups,
    const std::function<void(const Band&)>& visit);

} // namespace highwater
