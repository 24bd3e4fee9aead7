#include "core/analysis/steps/phase_lifetimes.h"

#include <algorithm>
#include <optional>

#include "core/base/hash.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

/// So many blocks are more than a coincidence.
constexpr std::size_t kFewestBlocks = 4;
/// A gap of so many events between two allocations of one graph is none; longer ones may be as long as the
/// part behind them.
constexpr std::int64_t kSmallGap = 256;

bool isToldByFunction(const PhaseRange& range)
{
    return range.grade != Grade::A
        && (range.phase == Phase::Scoring || range.phase == Phase::Evaluation
            || range.phase == Phase::Generation);
}

/// What an allocation of the range tells about it.
struct RangeFacts
{
    std::vector<std::int64_t> consumed; ///< births of what a later backward frees, ascending
    NumberSet<Bytes> left; ///< of a backward: sizes of what outlives it
    std::size_t updated = 0; ///< blocks of sizes that the backward before it left, born or freed in it
};

/// What lives and dies tells of each range.
class LifetimeFacts
{
public:
    LifetimeFacts(const std::vector<PhaseRange>& ranges, const AllocationTable& allocations)
        : m_ranges(ranges)
        , m_allocations(allocations)
        , m_facts(ranges.size())
    {
        const auto last
            = std::ranges::find(ranges.rbegin(), ranges.rend(), Phase::Backward, &PhaseRange::phase);
        m_behindLastBackward = static_cast<std::size_t>(ranges.rend() - last);
        addBorn();
        for (std::size_t range = 1; range < ranges.size(); ++range)
            m_mayUpdate = m_mayUpdate || isBehindBackward(range);
        if (m_mayUpdate)
            addUpdates();
    }

    const RangeFacts& of(std::size_t range) const { return m_facts[range]; }

private:
    void addBorn()
    {
        std::size_t range = 0;
        InterruptionCounter interruption;
        for (auto i = static_cast<AllocationIndex>(m_allocations.olderCount()); i < m_allocations.size();
             ++i) {
            interruption.round();
            while (m_ranges[range].end <= m_allocations.birth(i))
                ++range;
            if (m_allocations.death(i) < m_ranges[range].end)
                continue;
            if (m_ranges[range].phase == Phase::Backward)
                m_facts[range].left.insert(m_allocations.recordedBytes(i));
            else if (mayHoldForward(range) && (diesInBackward(i) || waitsForBackward(range, i)))
                addConsumed(range, i);
        }
    }

    void addConsumed(std::size_t range, AllocationIndex i)
    {
        m_facts[range].consumed.push_back(m_allocations.birth(i));
        m_consumedStacks.insert(static_cast<std::uint32_t>(m_allocations.stack(i).index()));
    }

    /// Of a forward that memory ran out in, or the end of the recording: what was freed by every backward
    /// before it.
    bool waitsForBackward(std::size_t range, AllocationIndex i) const
    {
        return range >= m_behindLastBackward && m_allocations.death(i) == AllocationTable::kNeverFreed
            && m_consumedStacks.contains(static_cast<std::uint32_t>(m_allocations.stack(i).index()));
    }

    /// Told by a function's name, or not at all.
    bool mayHoldForward(std::size_t range) const
    {
        return isToldByFunction(m_ranges[range])
            || (m_ranges[range].phase == Phase::Unknown && range + 1 < m_ranges.size()
                && m_ranges[range + 1].phase == Phase::Backward);
    }

    bool diesInBackward(AllocationIndex i) const
    {
        const std::optional<std::size_t> range = rangeOf(m_allocations.death(i));
        return range && m_ranges[*range].phase == Phase::Backward;
    }

    std::optional<std::size_t> rangeOf(std::int64_t event) const
    {
        const auto range = std::ranges::upper_bound(m_ranges, event, {}, &PhaseRange::end);
        if (event < 0 || range == m_ranges.end())
            return std::nullopt;
        return static_cast<std::size_t>(range - m_ranges.begin());
    }

    bool isBehindBackward(std::size_t range) const
    {
        return range > 0 && m_ranges[range].phase == Phase::Unknown && !m_facts[range - 1].left.empty();
    }

    void addUpdates()
    {
        InterruptionCounter interruption;
        for (AllocationIndex i = 0; i < m_allocations.size(); ++i) {
            interruption.round();
            const std::optional<std::size_t> birth = rangeOf(m_allocations.birth(i));
            const std::optional<std::size_t> death = rangeOf(m_allocations.death(i));
            addUpdate(birth, i);
            if (death != birth)
                addUpdate(death, i);
        }
    }

    void addUpdate(std::optional<std::size_t> range, AllocationIndex i)
    {
        if (range && isBehindBackward(*range)
            && m_facts[*range - 1].left.contains(m_allocations.recordedBytes(i)))
            ++m_facts[*range].updated;
    }

    const std::vector<PhaseRange>& m_ranges;
    const AllocationTable& m_allocations;
    std::vector<RangeFacts> m_facts;
    NumberSet<std::uint32_t> m_consumedStacks; ///< of what backwards free
    std::size_t m_behindLastBackward = 0; ///< the first range without a backward behind it
    bool m_mayUpdate = false;
};

/// Where the graph begins: the last allocations without a long gap between them.
std::int64_t beginOfGraph(const std::vector<std::int64_t>& births)
{
    std::int64_t begin = births.back();
    for (auto birth = births.rbegin() + 1; birth != births.rend(); ++birth) {
        if (begin - *birth > std::max(kSmallGap, births.back() - begin))
            break;
        begin = *birth;
    }
    return begin;
}

/// A hook that autograd calls, where nothing shows that it is more.
bool liesWithinBackward(const std::vector<PhaseRange>& ranges, std::size_t i)
{
    return ranges[i].phase == Phase::Unknown && i > 0 && ranges[i - 1].phase == Phase::Backward
        && i + 1 < ranges.size() && ranges[i + 1].phase == Phase::Backward;
}

/// Between a forward and its backward.
bool isLoss(const std::vector<PhaseRange>& ranges, std::size_t i)
{
    return i > 0 && ranges[i - 1].phase == Phase::Forward && i + 1 < ranges.size()
        && ranges[i + 1].phase == Phase::Backward;
}

/// Appends a range, joined with the one before it where they have the same phase.
void append(std::vector<PhaseRange>& ranges, const PhaseRange& range)
{
    if (range.begin == range.end)
        return;
    if (!ranges.empty() && ranges.back().phase == range.phase)
        ranges.back().end = range.end;
    else
        ranges.push_back(range);
}

} // namespace

std::vector<PhaseRange> correctedByLifetimes(
    std::vector<PhaseRange> ranges, const AllocationTable& allocations)
{
    const LifetimeFacts facts(ranges, allocations);
    std::vector<PhaseRange> corrected;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const PhaseRange& range = ranges[i];
        const bool runsModel = facts.of(i).consumed.size() >= (isLoss(ranges, i) ? 1 : kFewestBlocks);
        const std::int64_t begin = runsModel ? beginOfGraph(facts.of(i).consumed) : range.end;
        if (!runsModel && liesWithinBackward(ranges, i))
            append(corrected, {range.begin, range.end, Phase::Backward, Grade::C});
        else if (facts.of(i).updated >= kFewestBlocks)
            append(corrected, {range.begin, begin, Phase::Optimizer, Grade::C});
        else
            append(corrected, {range.begin, begin, range.phase, range.grade});
        append(corrected, {begin, range.end, Phase::Forward, Grade::B});
    }
    return corrected;
}

} // namespace highwater
