#pragma once

#include <vector>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Rows [from, to) of an allocation in adjacent columns [first, last).
struct BandPiece
{
    int first;
    int last;
    int from;
    int to;
};

/// Returns the pixels of one allocation; adjacent columns with the same rows are joined.
std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation);

/// Range of bytes of an allocation in adjacent columns [first, last).
struct BandStretch
{
    int first = 0;
    int last = 0;
    Bytes bottom = 0;
    Bytes top = 0;
};

/// Returns the exact position of one allocation in each column in which it is live, however thin it is.
/// O(columns it lives in × live).
std::vector<BandStretch> stretchesOf(const BandImage& image, AllocationIndex allocation);

} // namespace highwater::gui
