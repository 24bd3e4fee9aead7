#include "core/analysis/live_index.h"

#include <algorithm>

namespace highwater {

namespace {
constexpr AllocationIndex kBirthsBetweenCheckpoints = 4096;
}

LiveIndex::LiveIndex(const AllocationTable& allocations)
    : m_allocations(allocations)
{
    const auto older = static_cast<AllocationIndex>(allocations.olderCount());
    const auto count = static_cast<AllocationIndex>(allocations.size());
    std::vector<AllocationIndex> live;
    std::int64_t event = AllocationTable::kBeforeTrace;
    for (AllocationIndex next = older;; next = std::min(count, next + kBirthsBetweenCheckpoints)) {
        if (next == older)
            appendBorn(0, older, event, live);
        else
            advance(event, allocations.birth(next - 1), live);
        event = next == older ? event : allocations.birth(next - 1);
        const std::size_t begin = m_live.size();
        m_live.insert(m_live.end(), live.begin(), live.end());
        m_checkpoints.push_back({next, begin, m_live.size()});
        if (next == count)
            break;
    }
}

AllocationIndex LiveIndex::firstBornAfter(std::int64_t event) const
{
    const Column<std::int32_t>& births = m_allocations.births();
    return static_cast<AllocationIndex>(
        std::upper_bound(births.begin(), births.end(), event) - births.begin());
}

void LiveIndex::appendBorn(
    AllocationIndex first, AllocationIndex last, std::int64_t event, std::vector<AllocationIndex>& live) const
{
    const std::int32_t* deaths = m_allocations.deaths().data();
    for (AllocationIndex i = first; i < last; ++i)
        if (deaths[i] > event)
            live.push_back(i);
}

void LiveIndex::liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const
{
    live.clear();
    const AllocationIndex last = firstBornAfter(event);
    auto after = std::upper_bound(m_checkpoints.begin(), m_checkpoints.end(), last,
        [](AllocationIndex wanted, const Checkpoint& checkpoint) { return wanted < checkpoint.next; });
    if (after == m_checkpoints.begin())
        return; // before the table begins: nothing is older than the trace
    const Checkpoint& checkpoint = *(after - 1);
    const std::int32_t* deaths = m_allocations.deaths().data();
    for (std::size_t i = checkpoint.begin; i < checkpoint.end; ++i)
        if (deaths[m_live[i]] > event)
            live.push_back(m_live[i]);
    appendBorn(checkpoint.next, last, event, live);
}

void LiveIndex::advance(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const
{
    const AllocationIndex first = firstBornAfter(from);
    const AllocationIndex last = firstBornAfter(to);
    if (last - first > kBirthsBetweenCheckpoints && !m_checkpoints.empty()
        && m_checkpoints.back().next >= last)
        return liveAt(to, live);
    const std::int32_t* deaths = m_allocations.deaths().data();
    std::erase_if(live, [deaths, to](AllocationIndex i) { return deaths[i] <= to; });
    appendBorn(first, last, to, live);
}

} // namespace highwater
