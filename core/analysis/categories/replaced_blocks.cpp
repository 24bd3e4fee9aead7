#include "core/analysis/categories/replaced_blocks.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/interruption.h"

/// Judges blocks of the user's own code by the blocks that replace them. Input: the sizes of the trained
/// parameters, and the table that all earlier rules have filled. Candidates have a parameter's size and a
/// known Python stack, were made during the recording, and are activations, unknown, inputs, or state kept by
/// an update that is no known optimizer. Three rules follow each other: state of such an update that is
/// dropped, or made next to renewed state; blocks in at least three sizes that one stack makes again and
/// again; and gradients beyond the set that `zero_grad` frees.
///
/// Example: the parameters have 1, 2 and 4 MiB. After step 1, in no known phase, one stack makes a, b and c
/// of 1, 2 and 4 MiB; after step 2 it makes a', b' and c', and a, b and c are freed. The earlier rules call
/// a, b and c inputs, because the model ran while they were live. Three sizes are enough for a model, so a, b
/// and c become parameters (grade C, `Renewed`). With a and b alone they would stay inputs. a', b' and c' are
/// never freed: they are no candidates and stay inputs (`KeptByUser`).
namespace highwater {

namespace {

/// A stack that makes blocks of at least this many sizes makes a model's weights rather than data.
constexpr std::size_t kFewestSizesOfWeights = 3;

/// Births and deaths of the blocks of one size, both ascending.
struct Lives
{
    void add(std::int64_t birth, std::int64_t death)
    {
        births.push_back(birth);
        deaths.push_back(death);
    }

    /// Returns the number of blocks that are live right after the last birth between the two events; 0 if
    /// there is no birth. O(log blocks).
    std::size_t aliveWithin(std::int64_t begin, std::int64_t end) const
    {
        const auto next = std::ranges::lower_bound(births, end);
        if (next == births.begin() || *(next - 1) <= begin)
            return 0;
        const auto nextDeath = std::ranges::upper_bound(deaths, *(next - 1));
        return static_cast<std::size_t>((next - births.begin()) - (nextDeath - deaths.begin()));
    }

    std::vector<std::int64_t> births;
    std::vector<std::int64_t> deaths;
};

class Replacements
{
public:
    Replacements(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
        : m_evidence(evidence)
        , m_allocations(evidence.allocations())
        , m_sizes(sizes)
        , m_table(table)
    {
        InterruptionCounter interruption;
        for (AllocationIndex i = 0; i < table.size(); ++i) {
            interruption.round();
            if (evidence.hasBirthStack(i) && evidence.isConsumedByBackward(i))
                m_consumed.insert(m_allocations.stack(i));
            if (!evidence.isOlder(i) && sizes.contain(evidence.size(i)) && evidence.hasBirthStack(i)
                && evidence.birthRole(i).hasPython && mayBeReplaced(i)) {
                m_candidates.push_back(i);
                m_births[{m_allocations.stack(i), evidence.size(i)}].push_back(m_allocations.birth(i));
            } else if (table.of(i) == Category::OptimizerState && evidence.isFreed(i)) {
                m_stateDeaths.push_back(m_allocations.death(i));
            }
        }
    }

    void judge()
    {
        judgeUpdates();
        judgeRenewed();
        judgeResults();
    }

private:
    bool isOfUpdate(AllocationIndex i) const
    {
        return m_table.of(i) == Category::OptimizerState && isKeptByUpdate(m_evidence, i);
    }

    bool mayBeReplaced(AllocationIndex i) const
    {
        const Phase rolePhase = m_evidence.birthRole(i).phase;
        if (rolePhase != Phase::Unknown && rolePhase != Phase::Forward)
            return false;
        if (m_table.of(i) == Category::Activation)
            return !m_evidence.isConsumedByBackward(i);
        if (rolePhase == Phase::Forward)
            return false;
        return m_table.of(i) == Category::Unknown || isOfUpdate(i)
            || (m_table.of(i) == Category::Input && m_evidence.isUsedByModelCall(i));
    }

    /// True if the same stack allocated another block of the same size before this one was freed, in the
    /// phase range of the free.
    bool hasSuccessor(AllocationIndex i) const
    {
        if (!m_evidence.isFreed(i))
            return false;
        const std::vector<std::int32_t>& births
            = m_births.find({m_allocations.stack(i), m_evidence.size(i)})->second;
        const auto next = std::ranges::lower_bound(births, m_allocations.death(i));
        return next != births.begin() && *(next - 1) > m_allocations.birth(i)
            && m_evidence.rangeOf(*(next - 1)) == m_evidence.rangeOf(m_allocations.death(i));
    }

    /// True if the user's own code made the block while no module ran, and no backward consumes blocks of its
    /// stack.
    bool isKeptAside(AllocationIndex i) const
    {
        return m_table.of(i) == Category::Activation && m_evidence.birthRole(i).phase == Phase::Unknown
            && !m_evidence.has(i, StackTrait::ModuleCall) && !m_consumed.contains(m_allocations.stack(i));
    }

    /// True if state is freed right after the block was made, and before the next block of an update is made.
    bool replacesState(AllocationIndex i) const
    {
        const auto end = std::ranges::upper_bound(m_stateDeaths, m_allocations.birth(i));
        const auto next = std::ranges::upper_bound(m_candidates, i);
        return end != m_stateDeaths.end() && *end - m_allocations.birth(i) <= kEventsOfAnOperator
            && (next == m_candidates.end() || *end < m_allocations.birth(*next));
    }

    /// Judges the blocks that an update keeps, which the earlier rules call state. If the update renews the
    /// optimizer's state, its other blocks are the weights.
    void judgeUpdates()
    {
        std::ranges::sort(m_stateDeaths);
        NumberSet<std::uint32_t> renewsState;
        for (const AllocationIndex i : m_candidates)
            if (isOfUpdate(i) && replacesState(i))
                renewsState.insert(m_evidence.rangeOf(m_allocations.birth(i)));
        for (const AllocationIndex i : m_candidates) {
            if (!isOfUpdate(i))
                continue;
            if (m_evidence.isFreed(i) && !hasSuccessor(i) && m_evidence.deathRole(i).phase == Phase::Unknown)
                m_table.set(i, categoryOfDropped(i), Grade::C, CategoryReason::Dropped);
            else if (renewsState.contains(m_evidence.rangeOf(m_allocations.birth(i))) && !replacesState(i))
                m_table.set(i, Category::Parameter, Grade::C, CategoryReason::Renewed);
        }
    }

    /// Returns the category of a block that other code freed before the next one was allocated: a result
    /// (activation) if a backward consumed other blocks of its stack, a gradient if it is freed before the
    /// model runs again, else a copy of the weights.
    Category categoryOfDropped(AllocationIndex i) const
    {
        if (m_consumed.contains(m_allocations.stack(i)))
            return Category::Activation;
        return m_evidence.isFreedBeforeNextModelCall(i) ? Category::Gradient : Category::Parameter;
    }

    /// Judges copies of weights in many sizes that each step allocates again, or that code outside a module
    /// keeps. In a backward or optimizer phase they are state, else weights.
    void judgeRenewed()
    {
        NumberMap<StackId, SizeCounts> sizesOf;
        const auto isOpen = [&](AllocationIndex i) {
            return m_table.of(i) == Category::Unknown || m_table.of(i) == Category::Input
                || m_table.of(i) == Category::Activation;
        };
        for (const AllocationIndex i : m_candidates)
            if (isOpen(i) && (hasSuccessor(i) || m_table.of(i) == Category::Input || isKeptAside(i)))
                ++sizesOf[m_allocations.stack(i)][m_evidence.size(i)];
        for (const AllocationIndex i : m_candidates) {
            const auto found = sizesOf.find(m_allocations.stack(i));
            if (!isOpen(i) || found == sizesOf.end() || found->second.size() < kFewestSizesOfWeights)
                continue;
            const Phase phase = m_evidence.birthPhase(i);
            const bool isState = phase == Phase::Backward || phase == Phase::Optimizer;
            m_table.set(i, isState ? Category::OptimizerState : Category::Parameter, Grade::C,
                CategoryReason::Renewed);
        }
    }

    /// Judges results of `autograd.grad`. There are only as many gradients as parameters, so a block next to
    /// a whole set of gradients that zero_grad frees is a result.
    void judgeResults()
    {
        if (!m_sizes.isZeroed)
            return;
        std::map<Bytes, Lives> zeroed;
        std::vector<AllocationIndex> droppedGradients;
        for (AllocationIndex i = 0; i < m_table.size(); ++i) {
            if (m_table.of(i) != Category::Gradient || !m_evidence.isFreed(i)
                || !m_sizes.contain(m_evidence.size(i)))
                continue;
            const StackRole end = m_evidence.deathRole(i);
            if (end.zeroGrad)
                zeroed[m_evidence.size(i)].add(m_allocations.birth(i), m_allocations.death(i));
            else if (end.hasPython && end.phase == Phase::Unknown)
                droppedGradients.push_back(i);
        }
        for (auto& [size, lives] : zeroed)
            std::ranges::sort(lives.deaths);
        for (const AllocationIndex i : droppedGradients)
            if (const auto found = zeroed.find(m_evidence.size(i)); found != zeroed.end()
                && found->second.aliveWithin(m_allocations.birth(i), m_allocations.death(i))
                    >= m_sizes.counts.find(m_evidence.size(i))->second)
                m_table.set(i, Category::Activation, Grade::C, CategoryReason::ResultBesideGradients);
    }

    const CategoryEvidence& m_evidence;
    const AllocationTable& m_allocations;
    const ParameterSizes& m_sizes;
    CategoryTable& m_table;
    std::vector<AllocationIndex> m_candidates;
    /// Births of the candidates by stack and size, ascending.
    std::map<std::pair<StackId, Bytes>, std::vector<std::int32_t>> m_births;
    NumberSet<StackId> m_consumed; ///< stacks of blocks that a backward consumed
    std::vector<std::int64_t> m_stateDeaths; ///< events that free state
};

} // namespace

void judgeReplacedBlocks(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
{
    if (!sizes.counts.empty())
        Replacements(evidence, sizes, table).judge();
}

} // namespace highwater
