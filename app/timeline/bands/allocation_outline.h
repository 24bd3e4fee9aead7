#pragma once

#include <vector>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// A rectangle of a picture that shows only one allocation: columns [firstColumn, endColumn) and rows
/// [firstRow, endRow), counted from the bottom.
struct BandPiece
{
    int firstColumn;
    int endColumn;
    int firstRow;
    int endRow;
};

/// Returns the pixels of one allocation from left to right; adjacent columns with the same rows are joined.
/// Where the allocation is live and in view but too thin for a pixel, a piece has no rows (`firstRow` is
/// `endRow`). O(columns × log rows + pixels of the allocation).
std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation);

/// The bytes [bottom, top) that an allocation covers in the stack, in columns [first, last).
struct BandByteRange
{
    int first = 0;
    int last = 0;
    Bytes bottom = 0;
    Bytes top = 0;
};

/// Returns the exact position of one allocation in each column in which it is live, also outside the bytes in
/// view. Adjacent columns with the same position are joined. O(columns + columns in which it is live × live
/// allocations).
std::vector<BandByteRange> byteRangesOf(const BandImage& image, AllocationIndex allocation);

} // namespace highwater::gui
