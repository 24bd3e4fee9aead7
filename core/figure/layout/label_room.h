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

/// Finds every place where a rectangle of this size fits inside a band. `spans` belong to one band, at
/// most one per column, ordered by column. The places are ordered by column, too. One pass with two monotone
/// queues: O(spans).
std::vector<LabelRoom> labelRooms(std::span<const BandSpan> spans, int width, int height);

} // namespace highwater
