#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

enum class SegmentOrder : std::uint8_t
{
    ByFreeList, ///< Under one heading per pool, stream and size class, most bytes first
    ByAddress,
    BySize, ///< Largest first
    ByFreeBytes, ///< Most free bytes first
};

/// Layout options; lengths are in pixels.
struct AddressMapOptions
{
    int width = 1000;
    int rowHeight = 14;
    int rowGap = 4; ///< Between rows
    int segmentGap = 3; ///< Between the segments of a row
    int headingHeight = 22;
    int narrowest = 2; ///< Smallest width of a segment
    SegmentOrder order = SegmentOrder::ByFreeList;
    bool hasRowPerSegment = false; ///< Each segment begins a new row
    double bytesPerPixel = 0; ///< One scale for all segments; must be above 0
};

/// One block of a segment, or several that share a pixel.
struct MapCell
{
    std::uint32_t segment = 0; ///< Index into SegmentState::segments
    RowRange blocks; ///< Rows of SegmentState::blocks
    std::uint32_t main = 0; ///< The largest of these blocks
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;

    Bytes bytes() const { return activeBytes + pendingBytes + freeBytes; }
};

/// The position of a cell or part of it; a cell that continues in the next row has several boxes.
struct MapBox
{
    int x = 0;
    int y = 0;
    int width = 0;
    std::uint32_t cell = 0;
};

/// The position of a segment or part of it.
struct MapStrip
{
    int x = 0;
    int y = 0;
    int width = 0;
    std::uint32_t segment = 0;
    bool begins = true; ///< True if the segment begins in this strip
    bool ends = true;
};

/// The position of a heading above the segments of a free list.
struct MapHeading
{
    int y = 0;
    FreeListKey key;
};

/// The segments of a state, laid out like text: from left to right, all at the same scale, wrapped at the
/// width; a segment longer than a row continues in the next rows. Boxes and strips are sorted by row, then
/// from left to right.
struct AddressMap
{
    int width = 0;
    int height = 0;
    double bytesPerPixel = 0;
    std::vector<MapHeading> headings;
    std::vector<MapStrip> strips;
    std::vector<MapBox> boxes;
    std::vector<MapCell> cells; ///< Their bytes add up exactly to the reserved bytes

    /// Returns an index into `boxes`; −1 if there is no box at this point. O(log boxes).
    int boxAt(int x, int y, int rowHeight) const;
};

/// Lays out the map. Blocks that end in the pixel in which they begin are merged with the following ones
/// until a pixel is full; the cell counts the bytes of all its blocks. O(blocks + segments × log segments).
AddressMap addressMap(const SegmentState& state, const AddressMapOptions& options);

/// Returns the parts of the map that show the addresses [begin, begin + size), by row, at least a pixel wide;
/// empty if `begin` is in no segment, or `size` is not positive. The part beyond the end of the segment
/// is left out. O(segments + strips).
std::vector<MapStrip> findStrips(const SegmentState& state, const AddressMap& map, Address begin, Bytes size);

/// The address at the left end of a row.
struct RowAddress
{
    int y = 0;
    Address address = 0;
};

/// Returns the address at which each row begins. O(segments + strips).
std::vector<RowAddress> rowAddresses(const SegmentState& state, const AddressMap& map);

/// Returns the finest scale (bytes per pixel) at which the longest segment, and a request of `request` bytes,
/// leave `captionRoom` pixels of the width free (at most half of it). O(segments).
double rowPerSegmentScale(const SegmentState& state, Bytes request, int width, int captionRoom);

/// True if a sheet of this height has room for a row of its own (several for long segments) for each segment,
/// at the scale of the options. O(segments × log segments).
bool hasRowForEach(const SegmentState& state, AddressMapOptions options, int height);

/// Returns about the finest scale (bytes per pixel, at least 64) at which the map is at most `height` high;
/// if headings and narrow segments alone are higher, the scale at which all segments have their smallest
/// width. O(segments × log segments).
double scaleToFit(const SegmentState& state, AddressMapOptions options, int height);

} // namespace highwater
