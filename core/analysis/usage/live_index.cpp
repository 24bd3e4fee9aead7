#include "core/analysis/usage/live_index.h"

#include <algorithm>

namespace highwater {

namespace {

/// With few live allocations, more frequent checkpoints would not save time: scanning a few thousand births
/// is fast enough.
constexpr std::size_t kFewestBirthsBetweenCheckpoints = 4096;

} // namespace

LiveIndex::LiveIndex(const AllocationTable& allocations)
    : m_allocations(allocations)
{
    std::vector<AllocationIndex> live;
    std::int64_t event = AllocationTable::kBeforeTrace;
    std::size_t next = allocations.olderCount();
    appendLive(0, event, live);
    for (;;) {
        const std::size_t begin = m_live.size();
        m_live.insert(m_live.end(), live.begin(), live.end());
        m_checkpoints.push_back({static_cast<AllocationIndex>(next), begin, m_live.size()});
        const std::size_t births = std::max(live.size(), kFewestBirthsBetweenCheckpoints);
        if (allocations.size() - next <= births)
            break;
        next += births;
        const std::int64_t last = allocations.birth(static_cast<AllocationIndex>(next - 1));
        advance(event, last, live);
        event = last;
    }
    m_live.shrink_to_fit();
}

AllocationIndex LiveIndex::firstBornAfter(std::int64_t event) const
{
    const Column<std::int32_t>& births = m_allocations.births();
    return static_cast<AllocationIndex>(std::ranges::upper_bound(births, event) - births.begin());
}

void LiveIndex::appendLive(
    AllocationIndex first, std::int64_t event, std::vector<AllocationIndex>& live) const
{
    const std::int32_t* deaths = m_allocations.deaths().data();
    const AllocationIndex last = firstBornAfter(event);
    const auto after = std::ranges::upper_bound(m_checkpoints, last, {}, &Checkpoint::next);
    if (after != m_checkpoints.begin() && (after - 1)->next > first) {
        const auto begin = m_live.begin() + static_cast<std::ptrdiff_t>((after - 1)->begin);
        const auto end = m_live.begin() + static_cast<std::ptrdiff_t>((after - 1)->end);
        if (live.empty()) // reserves the maximum, because growing the vector would need twice the memory
            live.reserve((after - 1)->end - (after - 1)->begin + (last - (after - 1)->next));
        std::copy_if(std::lower_bound(begin, end, first), end, std::back_inserter(live),
            [deaths, event](AllocationIndex i) { return deaths[i] > event; });
        first = (after - 1)->next;
    }
    for (AllocationIndex i = first; i < last; ++i)
        if (deaths[i] > event)
            live.push_back(i);
}

void LiveIndex::liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const
{
    live.clear();
    appendLive(0, event, live);
}

void LiveIndex::advance(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const
{
    const std::int32_t* deaths = m_allocations.deaths().data();
    std::erase_if(live, [deaths, to](AllocationIndex i) { return deaths[i] <= to; });
    appendBornSince(from, to, live);
}

void LiveIndex::appendBornSince(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const
{
    appendLive(firstBornAfter(from), to, live);
}

} // namespace highwater
