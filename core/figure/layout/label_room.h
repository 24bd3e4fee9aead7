#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace highwater {

/// The rows [from, to) that a band fills in one column; row 0 is the lowest.
struct BandSpan
{
    std::uint32_t band = 0;
    int column = 0;
    int from = 0;
    int to = 0;

    int height() const { return to - from; }
    bool operator==(const BandSpan&) const = default;
};

/// A place for a label: the band fills the rows [from, to) of all columns [column, column + width).
struct LabelRoom
{
    int column = 0;
    int from = 0;
    int to = 0;

    int height() const { return to - from; }
    bool operator==(const LabelRoom&) const = default;
};

/// Finds every place where a rectangle of this size fits inside a band. `runs` are those of one band, at most
/// one per column, ordered by column. The places are ordered by column. One pass with two monotone queues:
/// O(columns).
std::vector<LabelRoom> labelRooms(std::span<const BandSpan> runs, int width, int height);

} // namespace highwater
