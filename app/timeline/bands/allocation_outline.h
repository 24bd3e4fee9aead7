#pragma once

#include <vector>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Rows [from, to) that an allocation has in some neighbouring columns [first, last).
struct BandPiece
{
    int first;
    int last;
    int from;
    int to;
};

/// The pixels of one allocation, neighbouring columns with the same rows joined.
std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation);

/// Where an allocation lies in some neighbouring columns [first, last).
struct BandStretch
{
    int first = 0;
    int last = 0;
    Bytes bottom = 0;
    Bytes top = 0;
};

/// The exact place of one allocation in each column in which it is live, however thin it is. O(columns it
/// lives in × live).
std::vector<BandStretch> stretchesOf(const BandImage& image, AllocationIndex allocation);

} // namespace highwater::gui
