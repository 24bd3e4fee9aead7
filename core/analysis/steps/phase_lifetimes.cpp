#include "core/analysis/steps/phase_lifetimes.h"

#include <algorithm>
#include <optional>

#include "core/base/hash.h"
#include "core/base/interruption.h"

// Corrects phases by lifetimes. Input: phase ranges that tile a device's events, and the allocations.
// Idea: a block that outlives its range and is freed in a backward belongs to a graph, so a forward made it.
// Four such blocks (one between a forward and its backward) turn the range into Forward, from the start of
// the graph on. An unknown range between two backwards is a hook of the backward. Another unknown range
// directly after a backward is an optimizer if it allocates or frees four blocks whose sizes the backward
// left behind.
// Example: two steps of a policy whose forward is called `log_probs`, so that its name means Scoring:
//   Scoring: alloc a0 … a3; Backward: free a0 … a3, alloc g; Optimizer: alloc m;
//   Scoring: alloc b0 … b3, then memory runs out.
// The backward frees a0 … a3: four blocks, so the first range becomes Forward. b0 … b3 follow the last
// backward, are never freed and have the stack of a0 … a3, so the last range becomes Forward, too.
// Result: Forward, Backward, Optimizer, Forward; the two corrected ranges have grade B.

namespace highwater {

namespace {

/// The fewest blocks that count as evidence. Fewer may be a coincidence.
constexpr std::size_t kFewestBlocks = 4;
/// The longest gap, in events, between two allocations of one graph. A longer gap is allowed if it is not
/// longer than the part of the graph after it.
constexpr std::int64_t kSmallGap = 256;

/// True for a phase that only the name of a function shows.
bool isNamedByFunction(const PhaseRange& range)
{
    return range.grade != Grade::A
        && (range.phase == Phase::Scoring || range.phase == Phase::Evaluation
            || range.phase == Phase::Generation);
}

/// The evidence from a range's allocations.
struct RangeFacts
{
    std::vector<std::int64_t> consumedBirths; ///< of blocks that a backward frees later, or that wait for one
    NumberSet<Bytes> leftSizes; ///< for a backward: sizes of the blocks that outlive it
    /// Number of blocks allocated or freed in the range with a size that the backward before it left behind.
    std::size_t updateBlocks = 0;
};

/// Collects the evidence from lifetimes for each range.
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
        m_afterLastBackward = static_cast<std::size_t>(ranges.rend() - last);
        addBorn();
        for (std::size_t range = 1; range < ranges.size(); ++range)
            m_mayUpdate = m_mayUpdate || followsBackward(range);
        if (m_mayUpdate)
            addUpdates();
    }

    const RangeFacts& of(std::size_t range) const { return m_facts[range]; }

private:
    /// Collects `consumedBirths` and `leftSizes` from the blocks that outlive their range.
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
                m_facts[range].leftSizes.insert(m_allocations.recordedBytes(i));
            else if (mayContainForward(range) && (diesInBackward(i) || waitsForBackward(range, i)))
                addConsumed(range, i);
        }
    }

    void addConsumed(std::size_t range, AllocationIndex i)
    {
        m_facts[range].consumedBirths.push_back(m_allocations.birth(i));
        m_consumedStacks.insert(static_cast<std::uint32_t>(m_allocations.stack(i).index()));
    }

    /// True for a block after the last backward that is never freed, if earlier backwards freed blocks of the
    /// same stack. Then memory ran out, or the recording ended, before the backward that would free it.
    bool waitsForBackward(std::size_t range, AllocationIndex i) const
    {
        return range >= m_afterLastBackward && m_allocations.death(i) == AllocationTable::kNeverFreed
            && m_consumedStacks.contains(static_cast<std::uint32_t>(m_allocations.stack(i).index()));
    }

    /// True for a phase known only from a function's name, and for an unknown range directly before a
    /// backward.
    bool mayContainForward(std::size_t range) const
    {
        return isNamedByFunction(m_ranges[range])
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

    /// True for an unknown range directly after a backward that left blocks behind.
    bool followsBackward(std::size_t range) const
    {
        return range > 0 && m_ranges[range].phase == Phase::Unknown && !m_facts[range - 1].leftSizes.empty();
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
        if (range && followsBackward(*range)
            && m_facts[*range - 1].leftSizes.contains(m_allocations.recordedBytes(i)))
            ++m_facts[*range].updateBlocks;
    }

    const std::vector<PhaseRange>& m_ranges;
    const AllocationTable& m_allocations;
    std::vector<RangeFacts> m_facts;
    NumberSet<std::uint32_t> m_consumedStacks; ///< stacks of blocks that backwards free
    std::size_t m_afterLastBackward = 0; ///< first range after the last backward
    bool m_mayUpdate = false;
};

/// Returns the event where the graph begins: the first of the last `births` without a long gap between them.
/// `births` must be ascending and not empty.
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

/// True for an unknown range between two backwards. It is a hook called by autograd, unless it ends a
/// backward or lifetimes show that it contains a forward.
bool isWithinBackward(const std::vector<PhaseRange>& ranges, std::size_t i)
{
    return ranges[i].phase == Phase::Unknown && i > 0 && ranges[i - 1].phase == Phase::Backward
        && i + 1 < ranges.size() && ranges[i + 1].phase == Phase::Backward;
}

/// True for a range between a forward and a backward, which probably computes the loss.
bool isLoss(const std::vector<PhaseRange>& ranges, std::size_t i)
{
    return i > 0 && ranges[i - 1].phase == Phase::Forward && i + 1 < ranges.size()
        && ranges[i + 1].phase == Phase::Backward;
}

/// Appends a range, or extends the previous one if both have the same phase.
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
        const bool containsForward
            = facts.of(i).consumedBirths.size() >= (isLoss(ranges, i) ? 1 : kFewestBlocks);
        const std::int64_t begin = containsForward ? beginOfGraph(facts.of(i).consumedBirths) : range.end;
        if (!containsForward && isWithinBackward(ranges, i))
            append(corrected,
                {range.begin, range.end, range.endsBackward ? Phase::Unknown : Phase::Backward, Grade::C});
        else if (facts.of(i).updateBlocks >= kFewestBlocks)
            append(corrected, {range.begin, begin, Phase::Optimizer, Grade::C});
        else
            append(corrected, {range.begin, begin, range.phase, range.grade});
        append(corrected, {begin, range.end, Phase::Forward, Grade::B});
    }
    return corrected;
}

} // namespace highwater
