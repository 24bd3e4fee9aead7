#include "core/analysis/categories/persistent_parameters.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/hash.h"
#include "core/base/interruption.h"

// Judges the blocks that are still unknown and stay. Input: the sizes of the trained parameters
// (`ParameterSizes`, from gradients or optimizer state), and the table that the rules for single lifetimes
// have filled. Idea: whole sets of blocks with the parameters' sizes are counted. The first set is the
// parameters, unless these are known already. If gradients persist because backward adds to them, the next
// set is the gradients. Up to two more are the optimizer's state, if the run trains (a backward suffices) and
// no state was seen. Without sizes, only the number of blocks and their stacks help.
//
// Example: blocks a, b and c of 4096 bytes and d of 700 were allocated before the recording began. A
// backward makes a gradient of 4096 bytes, which `zero_grad` frees; the optimizer steps, but makes no state
// that it keeps. So the parameters are one block of 4096 bytes, and a, b and c are three sets: a is the
// parameter, b and c are optimizer state, all with grade C because any of the three may be the parameter. d
// fits no size, and one block is too few to be frozen weights: it stays unknown here.
namespace highwater {

namespace {

/// At least this many blocks that are not trained parameters are probably frozen weights, because a model has
/// only a few buffers.
constexpr std::size_t kManyBlocks = 16;
/// A stack that makes at least this many sizes and blocks makes a model's weights rather than data.
constexpr std::size_t kSizesOfWeights = 3;
constexpr std::size_t kBlocksOfWeights = 6;
/// A set may lack sizes with up to one part in this many of the parameters' bytes.
constexpr int kPartsPerLack = 10;
/// Frozen weights have at least one part in this many of the parameters' bytes.
constexpr int kPartsPerFrozen = 10;
/// Weights count as gone if at most one part in this many of their bytes is left.
constexpr int kPartsPerRemainder = 10;
constexpr int kPartsPerPadding = 50; ///< one part in this many may pad a flat buffer

using Blocks = std::vector<AllocationIndex>;

/// Returns the blocks of unknown category that stay. If other allocations of a stack are freed, only its
/// blocks older than the trace count, because the newer ones would have been freed later.
Blocks persistentBlocks(const CategoryEvidence& evidence, const CategoryTable& table)
{
    Blocks blocks;
    NumberSet<StackId> temporaryStacks;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        interruption.round();
        if (evidence.isFreed(i) && !evidence.diesAtOnce(i) && !evidence.outlivesSetUp(i)
            && !evidence.isOlder(i) && evidence.hasBirthStack(i) && evidence.birthPhase(i) == Phase::Unknown)
            temporaryStacks.insert(evidence.allocations().stack(i));
    }
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        interruption.round();
        const Phase phase = evidence.birthPhase(i);
        if (table.of(i) == Category::Unknown && (!evidence.isFreed(i) || evidence.outlivesSetUp(i))
            && (phase == Phase::Unknown || phase == Phase::Data)
            && (evidence.isOlder(i) || !temporaryStacks.contains(evidence.allocations().stack(i))))
            blocks.push_back(i);
    }
    return blocks;
}

/// Returns how many whole sets of parameters there are. Sets are compared by bytes: a size that occurs
/// more often by chance adds none, and a set may lack sizes with up to a tenth of the bytes.
std::uint32_t wholeSetsIn(const SizeCounts& counts, const ParameterSizes& sizes)
{
    const Bytes total = bytesOf(sizes.counts);
    for (std::uint32_t sets = 1;; ++sets) {
        Bytes present = 0;
        for (const auto& [size, count] : sizes.counts) {
            const auto found = counts.find(size);
            if (found != counts.end() && found->second >= count * sets)
                present += size * count;
        }
        if (present * kPartsPerLack < total * (kPartsPerLack - 1) || total == 0)
            return sets - 1;
    }
}

/// Assigns the blocks of parameter size, set by set in the order of the table.
class SetAssignment
{
public:
    SetAssignment(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
        : m_evidence(evidence)
        , m_sizes(sizes)
        , m_table(table)
    {
    }

    void assign(const Blocks& blocks)
    {
        SizeCounts counts;
        for (const AllocationIndex i : blocks)
            ++counts[m_evidence.size(i)];
        m_setCount = wholeSetsIn(counts, m_sizes);
        m_loadedSetCount = wholeSetsIn(loadedCounts(1), m_sizes);
        if (m_loadedSetCount == 0)
            m_areMasters = wholeSetsIn(loadedCounts(2), m_sizes) > 0;
        m_gradientSetCount
            = m_sizes.gradientsPersist && m_setCount >= 1 && m_loadedSetCount + m_setCount >= 2 ? 1 : 0;
        m_stateSetCount = stateSets();
        Blocks remaining;
        for (const AllocationIndex i : blocks)
            if (!assignToSet(i))
                remaining.push_back(i);
        judgeRest(remaining);
    }

private:
    /// Counts the blocks that are known to be parameters and stay, by their sizes times a factor.
    SizeCounts loadedCounts(Bytes factor) const
    {
        SizeCounts counts;
        for (AllocationIndex i = 0; i < m_table.size(); ++i)
            if (m_table.of(i) == Category::Parameter && !m_evidence.isFreed(i))
                ++counts[m_evidence.size(i) * factor];
        return counts;
    }

    /// Returns how many of the whole sets are optimizer state. Parameters and persistent gradients come
    /// first; then at most two sets are state, if the run trains and no state was seen.
    std::uint32_t stateSets() const
    {
        const bool hasSeenState = 2 * m_sizes.stateBytes >= bytesOf(m_sizes.counts);
        const std::uint32_t sets = m_loadedSetCount + m_setCount;
        const bool trains = m_evidence.occurs(Phase::Optimizer) || m_evidence.occurs(Phase::Backward);
        if (hasSeenState || sets < 2 || !(trains || m_gradientSetCount > 0))
            return 0;
        return std::min({sets - 1 - m_gradientSetCount, m_setCount, 2u});
    }

    /// Next to known 16-bit weights, all sets are state. Otherwise set 0 is the parameters; gradients follow,
    /// then state, and any further sets are guessed to be parameters.
    Category categoryOf(std::uint32_t set) const
    {
        if (m_areMasters)
            return Category::OptimizerState;
        if (set == 0 || set > m_gradientSetCount + m_stateSetCount)
            return Category::Parameter;
        return set <= m_gradientSetCount ? Category::Gradient : Category::OptimizerState;
    }

    CategoryReason reasonOf(std::uint32_t set) const
    {
        if (m_areMasters)
            return CategoryReason::MasterWeights;
        if (m_setCount == 0)
            return CategoryReason::ParameterSize;
        switch (categoryOf(set)) {
        case Category::Gradient: return CategoryReason::SetOfGradients;
        case Category::OptimizerState: return CategoryReason::SetOfState;
        default: return CategoryReason::SetOfParameters;
        }
    }

    /// Assigns a block to the first set that lacks one of its size; false if there is none.
    bool assignToSet(AllocationIndex i)
    {
        const Bytes size = m_evidence.size(i);
        const auto found = m_sizes.counts.find(size);
        if (found == m_sizes.counts.end())
            return false;
        const std::uint32_t set = m_assignedCounts[size]++ / found->second;
        if (set >= std::max(m_setCount, 1u))
            return false;
        if (m_evidence.hasBirthStack(i))
            m_stacks.insert(m_evidence.allocations().stack(i));
        // If the parameters were known before, the first of these sets is number 1. If some sets are
        // gradients or state, the sums are right, but which block is in which set is not known.
        m_table.set(i, categoryOf(m_loadedSetCount > 0 ? set + 1 : set),
            m_areMasters || m_gradientSetCount + m_stateSetCount > 0 || m_setCount == 0 ? Grade::C : Grade::B,
            reasonOf(m_loadedSetCount > 0 ? set + 1 : set));
        return true;
    }

    /// Judges frozen weights and buffers: other allocations of stacks that made parameters, and blocks that
    /// are too many for buffers.
    void judgeRest(const Blocks& remaining)
    {
        Bytes bytesWithoutStack = 0;
        std::size_t blockCount = 0;
        for (const AllocationIndex i : remaining) {
            if (m_evidence.isFreed(i))
                continue;
            if (m_evidence.hasBirthStack(i)) {
                if (m_stacks.contains(m_evidence.allocations().stack(i)))
                    m_table.set(i, Category::Parameter, Grade::C, CategoryReason::SameStackAsParameters);
                continue;
            }
            bytesWithoutStack += m_evidence.size(i);
            ++blockCount;
        }
        if (blockCount < kManyBlocks || bytesWithoutStack * kPartsPerFrozen < bytesOf(m_sizes.counts))
            return;
        for (const AllocationIndex i : remaining)
            if (!m_evidence.hasBirthStack(i) && !m_evidence.isFreed(i))
                m_table.set(i, Category::Parameter, Grade::C, CategoryReason::TooManyForBuffers);
    }

    const CategoryEvidence& m_evidence;
    const ParameterSizes& m_sizes;
    CategoryTable& m_table;
    std::uint32_t m_loadedSetCount = 0; ///< whole sets known to be parameters before
    bool m_areMasters = false; ///< the sets are fp32 copies, and state, of known 16-bit weights
    std::uint32_t m_setCount = 0; ///< whole sets of blocks with the parameters' sizes
    std::uint32_t m_gradientSetCount = 0; ///< sets of gradients that live through the trace
    std::uint32_t m_stateSetCount = 0; ///< sets of optimizer state
    SizeCounts m_assignedCounts;
    NumberSet<StackId> m_stacks; ///< stacks that made parameters
};

/// True if the trace runs a model but shows neither a backward nor an optimizer.
bool runsModelOnly(const CategoryEvidence& evidence)
{
    return !evidence.occurs(Phase::Backward) && !evidence.occurs(Phase::Optimizer)
        && (evidence.occurs(Phase::Forward) || evidence.occurs(Phase::Generation)
            || evidence.occurs(Phase::Evaluation) || evidence.occurs(Phase::Scoring));
}

/// Judges blocks of a trace that only runs the model. Blocks older than the trace without a stack are
/// weights; so are those of a stack with many blocks, because few results and inputs stay.
void judgeWithoutTraining(const CategoryEvidence& evidence, const Blocks& blocks, CategoryTable& table)
{
    NumberMap<StackId, std::size_t> countOf;
    for (const AllocationIndex i : blocks)
        if (evidence.hasBirthStack(i))
            ++countOf[evidence.allocations().stack(i)];
    for (const AllocationIndex i : blocks) {
        if (evidence.isOlder(i) && !evidence.hasBirthStack(i))
            table.set(i, Category::Parameter, Grade::B, CategoryReason::ModelOnlyRuns);
        else if (evidence.hasBirthStack(i) && countOf[evidence.allocations().stack(i)] >= kManyBlocks)
            table.set(i, Category::Parameter, Grade::C, CategoryReason::ModelOnlyRuns);
    }
}

/// Judges frozen weights. The caller has found no gradients although a backward ran.
void judgeFrozen(const CategoryEvidence& evidence, const Blocks& blocks, CategoryTable& table)
{
    const auto isOldWithoutStack
        = [&](AllocationIndex i) { return evidence.isOlder(i) && !evidence.hasBirthStack(i); };
    if (static_cast<std::size_t>(std::ranges::count_if(blocks, isOldWithoutStack)) < kManyBlocks)
        return;
    for (const AllocationIndex i : blocks)
        if (isOldWithoutStack(i))
            table.set(i, Category::Parameter, Grade::C, CategoryReason::TooManyForBuffers);
}

/// True if a block of this size, apart from padding, can contain all parameters, gradients or state of a
/// model, in the model's type or in one of twice or half the width.
bool mayHoldAll(Bytes size, Bytes parameters)
{
    return std::ranges::any_of(std::array{parameters / 2, parameters, 2 * parameters},
        [size](Bytes whole) { return size >= whole && size <= whole + whole / kPartsPerPadding; });
}

/// Returns the blocks that the user's own code allocated outside a model and keeps. Leaves out stacks with as
/// many blocks and sizes as a model's weights have.
Blocks blocksKeptByUser(const CategoryEvidence& evidence, const CategoryTable& table)
{
    Blocks candidates;
    struct StackBlocks
    {
        NumberSet<Bytes> sizes;
        std::size_t blockCount = 0;
    };
    NumberMap<StackId, StackBlocks> stacks;
    for (AllocationIndex i = 0; i < table.size(); ++i)
        if (table.of(i) == Category::Unknown && !evidence.isFreed(i) && evidence.hasBirthStack(i)
            && evidence.birthRole(i).hasPython && evidence.birthPhase(i) == Phase::Unknown
            && !evidence.has(i, StackTrait::ModuleCall)) {
            candidates.push_back(i);
            StackBlocks& stack = stacks[evidence.allocations().stack(i)];
            stack.sizes.insert(evidence.size(i));
            ++stack.blockCount;
        }
    std::erase_if(candidates, [&](AllocationIndex i) {
        const StackBlocks& stack = stacks[evidence.allocations().stack(i)];
        return stack.sizes.size() >= kSizesOfWeights && stack.blockCount >= kBlocksOfWeights;
    });
    return candidates;
}

/// Judges flat buffers: one with all weights, others with all gradients and state. The first buffer that is
/// at most 2% larger than the weights (padding), whose own blocks were freed, holds them. If the table has no
/// gradient, the next buffer is taken for the gradients: the sums are right, but it may be another one. A
/// single buffer is not judged.
void judgeFlatBuffers(
    const CategoryEvidence& evidence, const Blocks& flat, Bytes weights, CategoryTable& table)
{
    const auto first = std::ranges::find_if(
        flat, [&](AllocationIndex i) { return evidence.size(i) <= weights + weights / kPartsPerPadding; });
    if (first == flat.end() || flat.size() < 2)
        return;
    bool hasGradient = false;
    for (AllocationIndex i = 0; i < table.size() && !hasGradient; ++i)
        hasGradient = table.of(i) == Category::Gradient;
    for (const AllocationIndex i : flat) {
        const bool isGradient = i != *first && !hasGradient;
        hasGradient = hasGradient || isGradient;
        table.set(i,
            i == *first      ? Category::Parameter
                : isGradient ? Category::Gradient
                             : Category::OptimizerState,
            Grade::C, CategoryReason::FlatBuffer);
    }
}

/// Bytes of parameters at the births of some blocks: the largest amount at any birth, and the amount at the
/// last birth.
struct Weights
{
    Bytes largest = 0;
    Bytes last = 0;

    bool areGone() const { return last * kPartsPerRemainder <= largest; }
};

/// Returns the bytes of parameters at the births of the blocks. O(parameters log parameters + blocks).
Weights weightsAtBirthsOf(const Blocks& blocks, const CategoryEvidence& evidence, const CategoryTable& table)
{
    const AllocationTable& allocations = evidence.allocations();
    std::map<std::int64_t, Bytes> changes;
    for (AllocationIndex i = 0; i < table.size(); ++i)
        if (table.of(i) == Category::Parameter) {
            changes[allocations.birth(i)] += evidence.size(i);
            changes[allocations.death(i)] -= evidence.size(i);
        }
    Weights weights;
    auto change = changes.begin();
    for (const AllocationIndex block : blocks) { // by birth
        for (; change != changes.end() && change->first <= allocations.birth(block); ++change)
            weights.last += change->second;
        weights.largest = std::max(weights.largest, weights.last);
    }
    return weights;
}

/// Judges blocks that the user's code keeps. If the weights' own blocks are gone, a block that may hold all
/// of them (`mayHoldAll`) is a flat buffer. Any other block is data, such as a data set or a replay buffer.
void judgeKeptByUser(const CategoryEvidence& evidence, CategoryTable& table)
{
    const Blocks blocks = blocksKeptByUser(evidence, table);
    const Weights weights = weightsAtBirthsOf(blocks, evidence, table);
    Blocks flat;
    for (const AllocationIndex i : blocks) {
        if (weights.areGone() && mayHoldAll(evidence.size(i), weights.largest))
            flat.push_back(i);
        else
            table.set(i, Category::Input, Grade::C, CategoryReason::KeptByUser);
    }
    if (evidence.occurs(Phase::Backward))
        judgeFlatBuffers(evidence, flat, weights.largest, table);
}

} // namespace

void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
{
    const Blocks blocks = persistentBlocks(evidence, table);
    if (!sizes.counts.empty())
        SetAssignment(evidence, sizes, table).assign(blocks);
    else if (runsModelOnly(evidence))
        judgeWithoutTraining(evidence, blocks, table);
    else if (evidence.occurs(Phase::Backward))
        judgeFrozen(evidence, blocks, table);
    judgeKeptByUser(evidence, table);
}

} // namespace highwater
