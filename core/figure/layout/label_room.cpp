#include "core/figure/layout/label_room.h"

#include <deque>

namespace highwater {

namespace {

/// Adds an index to a monotone queue of the window [first, index]. Its front is the index of the window's
/// extreme; the others can become the extreme when the window moves on. `beats(a, b)` is true if a is at
/// least as extreme as b.
template <typename Beats>
void pushMonotone(std::deque<std::size_t>& queue, std::size_t index, std::size_t first, Beats beats)
{
    while (!queue.empty() && beats(index, queue.back()))
        queue.pop_back();
    queue.push_back(index);
    while (queue.front() < first)
        queue.pop_front();
}

} // namespace

std::vector<LabelRoom> labelRooms(std::span<const BandSpan> spans, int width, int height)
{
    std::vector<LabelRoom> rooms;
    std::deque<std::size_t> highestBottom;
    std::deque<std::size_t> lowestTop;
    std::size_t begin = 0; // where the adjacent columns that end with this column begin
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (i > 0 && spans[i].column != spans[i - 1].column + 1)
            begin = i;
        const auto windowWidth = static_cast<std::size_t>(width);
        const std::size_t first = i + 1 >= begin + windowWidth ? i + 1 - windowWidth : begin;
        pushMonotone(highestBottom, i, first,
            [&](std::size_t a, std::size_t b) { return spans[a].from >= spans[b].from; });
        pushMonotone(
            lowestTop, i, first, [&](std::size_t a, std::size_t b) { return spans[a].to <= spans[b].to; });
        const int from = spans[highestBottom.front()].from;
        const int to = spans[lowestTop.front()].to;
        if (i + 1 >= begin + windowWidth && to - from >= height)
            rooms.push_back({spans[first].column, from, to});
    }
    return rooms;
}

} // namespace highwater
