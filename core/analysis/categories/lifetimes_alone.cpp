#include "core/analysis/categories/lifetimes_alone.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/base/interruption.h"

// Guesses what blocks are in a recording without stacks. Input: births, deaths and sizes. Idea: autograd
// frees what the forward saved in reverse order. Blocks in a long chain, each allocated after the one before
// it and freed before it, are activations. The moment between the last birth and the first death of a chain
// is a turn from forward to backward. At least six blocks that stay and were allocated before the first chain
// are weights; without any chain, before the first block that is freed, but not at once. Up to three further
// sets of blocks with the weights' sizes that stay are gradients and optimizer state, and those that come and
// go are gradients.
//
// Example: w is allocated and stays; a, b and c follow and are freed as c, b, a. With a longest chain of
// three (the real limit is `kLeastChain`), a, b and c are activations, the turn is between the birth of c and
// its death, and w is a weight. A block of w's size that is allocated after the turn and freed in the next
// step is a gradient. A block that is live for a few events around the turn may be an activation or
// temporary, so it is unknown.

namespace highwater {

namespace {

/// The shortest chain of blocks freed in reverse order that shows a backward; a call of a function nests a
/// few.
constexpr std::int32_t kLeastChain = 8;
/// Fewer blocks that stay are no model.
constexpr std::size_t kLeastWeights = 6;
constexpr std::uint32_t kMaxSets = 3; ///< sets like the weights: one of gradients, and two of optimizer state

/// Returns the length of the longest falling subsequence that ends at each element. O(n log n).
std::vector<std::int32_t> fallingLengths(const std::vector<std::int64_t>& values)
{
    std::vector<std::int32_t> lengths;
    std::vector<std::int64_t> negatedEnds; // by length: the smallest negated end of a subsequence
    InterruptionCounter interruption;
    for (const std::int64_t value : values) {
        interruption.round();
        const auto place = std::ranges::lower_bound(negatedEnds, -value);
        lengths.push_back(static_cast<std::int32_t>(place - negatedEnds.begin()) + 1);
        if (place == negatedEnds.end())
            negatedEnds.push_back(-value);
        else
            *place = -value;
    }
    return lengths;
}

class LifetimeGuesses
{
public:
    LifetimeGuesses(const CategoryEvidence& evidence, CategoryTable& table)
        : m_evidence(evidence)
        , m_allocations(evidence.allocations())
        , m_table(table)
    {
    }

    void judge()
    {
        findChains();
        findTurns(true);
        const std::vector<AllocationIndex> later = judgeWeights();
        findTurns(false);
        findGradients();
        findTurns(true);
        judgeSets(later);
        for (auto i = static_cast<AllocationIndex>(m_allocations.olderCount()); i < m_table.size(); ++i)
            if (m_evidence.isFreed(i) && m_table.of(i) != Category::Workspace)
                judgeFreed(i);
    }

private:
    struct Change
    {
        std::int64_t event;
        bool isBirth;
    };

    void guess(AllocationIndex i, Category category, CategoryReason reason)
    {
        m_table.set(i, category, Grade::C, reason);
    }

    /// Finds the blocks in chains. Blocks that only one operator used are left out.
    void findChains()
    {
        std::vector<AllocationIndex> passing; // by birth
        std::vector<std::int64_t> deaths;
        m_isActivation.resize(m_table.size(), false);
        for (auto i = static_cast<AllocationIndex>(m_allocations.olderCount()); i < m_table.size(); ++i)
            if (m_evidence.isFreed(i) && !m_evidence.diesAtOnce(i) && m_table.of(i) != Category::Workspace) {
                passing.push_back(i);
                deaths.push_back(m_allocations.death(i));
            }
        if (!passing.empty())
            m_firstPassing = m_allocations.birth(passing.front());
        const std::vector<std::int32_t> outerLengths = fallingLengths(deaths);
        std::ranges::reverse(deaths);
        for (std::int64_t& death : deaths)
            death = -death;
        std::vector<std::int32_t> innerLengths = fallingLengths(deaths);
        std::ranges::reverse(innerLengths);
        for (std::size_t k = 0; k < passing.size(); ++k)
            m_isActivation[passing[k]] = outerLengths[k] + innerLengths[k] > kLeastChain;
    }

    /// Finds the turns of the activations; those with the size of a weight are left out if `withWeightSizes`
    /// is false.
    void findTurns(bool withWeightSizes)
    {
        m_changes.clear();
        m_turns.clear();
        for (AllocationIndex i = 0; i < m_table.size(); ++i)
            if (m_isActivation[i] && (withWeightSizes || !m_weights.contains(m_evidence.size(i)))) {
                m_changes.push_back({m_allocations.birth(i), true});
                m_changes.push_back({m_allocations.death(i), false});
            }
        std::ranges::sort(m_changes, {}, &Change::event);
        for (std::size_t k = 0; k + 1 < m_changes.size(); ++k)
            if (m_changes[k].isBirth && !m_changes[k + 1].isBirth)
                m_turns.push_back({m_changes[k].event, m_changes[k + 1].event});
    }

    /// True if a backward made the block: the birth or death of an activation before it is a death; or the
    /// next one is a death, and the block outlives `kLeastChain` more of these events, which an activation
    /// born last would not.
    bool isBornAfterTurn(AllocationIndex i) const
    {
        const auto next = std::ranges::lower_bound(m_changes, m_allocations.birth(i), {}, &Change::event);
        if (next == m_changes.begin() || !std::prev(next)->isBirth)
            return next != m_changes.begin();
        return m_changes.end() - next > kLeastChain && !next->isBirth
            && next[kLeastChain].event < m_allocations.death(i);
    }

    /// True if the block stays and nothing else, such as a stack, has given it a category.
    bool isKept(AllocationIndex i) const
    {
        return !m_evidence.isOlder(i) && !m_evidence.isFreed(i) && m_table.of(i) == Category::Unknown;
    }

    /// Judges blocks that stay. Those from before the first forward are weights, if they are many. Returns
    /// the others, if a turn shows that the run trains.
    std::vector<AllocationIndex> judgeWeights()
    {
        std::vector<AllocationIndex> weights;
        std::vector<AllocationIndex> later;
        const std::int64_t firstForward = m_changes.empty() ? m_firstPassing : m_changes.front().event;
        for (AllocationIndex i = 0; i < m_table.size(); ++i)
            if (isKept(i))
                (m_allocations.birth(i) < firstForward ? weights : later).push_back(i);
        if (weights.size() < kLeastWeights)
            return {};
        for (const AllocationIndex i : weights) {
            ++m_weights[m_evidence.size(i)];
            guess(i, Category::Parameter, CategoryReason::KeptFromSetUp);
        }
        if (m_turns.empty()) // nothing shows that the weights are trained
            later.clear();
        return later;
    }

    /// Takes gradients out of the chains: `zero_grad` frees them in the reverse order of the backward, too.
    /// They have the size of a weight and are allocated after a turn, at most two for each weight: an
    /// optimizer may need one more for its update.
    void findGradients()
    {
        SizeCounts counts;
        const auto mayBeGradient = [&](AllocationIndex i) {
            return !m_evidence.isOlder(i) && m_evidence.isFreed(i) && !m_evidence.diesAtOnce(i)
                && m_weights.contains(m_evidence.size(i)) && isBornAfterTurn(i);
        };
        for (AllocationIndex i = 0; i < m_table.size(); ++i)
            if (mayBeGradient(i))
                ++counts[m_evidence.size(i)];
        m_isGradient.resize(m_table.size(), false);
        for (AllocationIndex i = 0; i < m_table.size(); ++i) {
            const Bytes size = m_evidence.size(i);
            if (!mayBeGradient(i) || counts[size] > 2 * m_weights[size] * m_turns.size())
                continue;
            m_isGradient[i] = true;
            m_isActivation[i] = false;
            ++m_passingGradientCount;
        }
    }

    /// Judges blocks that stay and have the sizes of the weights, set by set in the order of their births. If
    /// gradients come and go, there are at most two sets of state, and one more is the gradients of the
    /// backward in which the recording ends; else the first set is the gradients.
    void judgeSets(const std::vector<AllocationIndex>& later)
    {
        SizeCounts counts;
        for (const AllocationIndex i : later)
            if (m_weights.contains(m_evidence.size(i)))
                ++counts[m_evidence.size(i)];
        const std::uint32_t gradientSet = m_passingGradientCount >= kLeastWeights ? kMaxSets - 1 : 0;
        SizeCounts seen;
        for (const AllocationIndex i : later) {
            const Bytes size = m_evidence.size(i);
            const auto weights = m_weights.find(size);
            if (weights == m_weights.end())
                continue;
            const std::uint32_t sets = std::min(counts[size] / weights->second, kMaxSets);
            const std::uint32_t set = seen[size]++ / weights->second;
            if (set < sets)
                guess(i, set == gradientSet ? Category::Gradient : Category::OptimizerState,
                    CategoryReason::SetLikeKept);
        }
    }

    void judgeFreed(AllocationIndex i)
    {
        if (m_evidence.diesAtOnce(i)) {
            if (isAtTurn(i))
                guess(i, Category::Unknown, CategoryReason::Nothing);
        } else if (m_isGradient[i]) {
            guess(i, Category::Gradient, CategoryReason::SizeOfKept);
        } else if (m_isActivation[i]) {
            guess(i, Category::Activation, CategoryReason::FreedInReverse);
        } else {
            guess(i, Category::Unknown, CategoryReason::Nothing);
        }
    }

    /// True if the block is live so close to a turn that the turn may be within its life.
    bool isAtTurn(AllocationIndex i) const
    {
        const auto turn = std::ranges::lower_bound(
            m_turns, m_allocations.birth(i) - kEventsOfAnOperator, {}, &EventRange::last);
        return turn != m_turns.end() && turn->first <= m_allocations.death(i) + kEventsOfAnOperator;
    }

    const CategoryEvidence& m_evidence;
    const AllocationTable& m_allocations;
    CategoryTable& m_table;
    std::vector<bool> m_isActivation; ///< in a chain, by allocation
    std::vector<bool> m_isGradient; ///< by allocation
    std::int64_t m_firstPassing = 0; ///< birth of the first block that is freed, but not at once
    std::vector<Change> m_changes; ///< births and deaths of activations; ascending
    std::vector<EventRange> m_turns; ///< from the last birth to the first death; ascending
    SizeCounts m_weights; ///< sizes of the blocks taken for weights
    std::size_t m_passingGradientCount = 0; ///< number of gradients that are freed
};

} // namespace

bool showsLifetimesAlone(const CategoryEvidence& evidence)
{
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Data,
             Phase::Generation, Phase::Scoring, Phase::Evaluation})
        if (evidence.occurs(phase))
            return false;
    for (AllocationIndex i = 0; i < evidence.allocations().size(); ++i)
        if (evidence.isFreed(i) && evidence.hasBirthStack(i))
            return false;
    return true;
}

void judgeByLifetimesAlone(const CategoryEvidence& evidence, CategoryTable& table)
{
    LifetimeGuesses(evidence, table).judge();
}

} // namespace highwater
