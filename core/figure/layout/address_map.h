#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// The order of the segments.
enum class SegmentOrder : std::uint8_t
{
    ByFreeList, ///< under a heading for each pool, stream and size class, most bytes first
    ByAddress,
    BySize, ///< largest first
    ByFreeBytes, ///< most free bytes first
};

/// Options; lengths in pixels.
struct AddressMapOptions
{
    int width = 1000;
    int rowHeight = 14;
    int rowGap = 4; ///< between rows
    int segmentGap = 3; ///< between segments of a row
    int headingHeight = 22; ///< height of a heading
    int narrowest = 2; ///< least width of a segment
    SegmentOrder order = SegmentOrder::ByFreeList;
    bool rowEach = false; ///< each segment begins a row
    double bytesPerPixel = 0; ///< one scale for all segments; must be above 0
};

/// The content of one stretch of a segment: one block, or several that share a pixel.
struct MapCell
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    RowRange blocks; ///< rows of SegmentState::blocks
    std::uint32_t main = 0; ///< the largest of them
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;

    Bytes bytes() const { return activeBytes + pendingBytes + freeBytes; }
};

/// The position of a cell or a part of it; a cell that continues in the next row has several boxes.
struct MapBox
{
    int x = 0;
    int y = 0;
    int width = 0;
    std::uint32_t cell = 0;
};

/// The position of a segment or a part of it.
struct MapStrip
{
    int x = 0;
    int y = 0;
    int width = 0;
    std::uint32_t segment = 0;
    bool begins = true; ///< the segment begins here
    bool ends = true;
};

struct MapHeading
{
    int y = 0;
    FreeListKey key;
};

/// The segments of a state, laid out like lines of text: from left to right, all at the same scale, wrapped
/// at the width; a segment longer than a row continues in the next ones. Boxes and strips are sorted by row,
/// then from left to right.
struct AddressMap
{
    int width = 0;
    int height = 0;
    double bytesPerPixel = 0;
    std::vector<MapHeading> headings;
    std::vector<MapStrip> strips;
    std::vector<MapBox> boxes;
    std::vector<MapCell> cells; ///< their bytes sum to the reserved bytes, exactly

    /// Index into `boxes`; −1: there is no box. O(log boxes).
    int boxAt(int x, int y, int rowHeight) const;
};

/// Blocks that end in the pixel where they begin are merged with the following ones until a pixel is full;
/// the cell keeps the bytes of all its blocks. O(blocks).
AddressMap addressMap(const SegmentState& state, const AddressMapOptions& options);

/// The smallest scale at which the longest segment, and a request of so many bytes, leave so many pixels of
/// the width. O(segments).
double rowEachScale(const SegmentState& state, Bytes request, int width, int captionRoom);

/// Whether a sheet of this height has room for a row (or more, of long ones) for each segment at the scale of
/// the options. O(segments).
bool hasRowForEach(const SegmentState& state, AddressMapOptions options, int height);

/// The smallest scale at which the map is no higher than `height`; if headings and narrow segments alone are
/// higher, the scale at which all segments have their least width. O(segments).
double scaleToFit(const SegmentState& state, AddressMapOptions options, int height);

} // namespace highwater
