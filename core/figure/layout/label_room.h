#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace highwater {

/// The rows [from, to) that a band fills in one column, row 0 the lowest.
struct BandRun
{
    std::uint32_t band = 0;
    int column = 0;
    int from = 0;
    int to = 0;

    int height() const { return to - from; }
    bool operator==(const BandRun&) const = default;
};

/// A place for a label: columns [column, column + width) all of which the band fills from row `from` to `to`.
struct LabelRoom
{
    int column = 0;
    int from = 0;
    int to = 0;

    int height() const { return to - from; }
    bool operator==(const LabelRoom&) const = default;
};

/// Every place where a rectangle of that size lies wholly inside a band. `runs` are those of one band, at
/// most one a column, by column. The rooms are by column. One pass with two monotone queues: O(columns).
std::vector<LabelRoom> labelRooms(std::span<const BandRun> runs, int width, int height);

} // namespace highwater
