#include "core/analysis/categories/model_copies.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

/// Blocks of at least this many sizes are a model's weights rather than data.
constexpr std::size_t kSizesOfModel = 3;
/// A copy of the weights, tensor by tensor, has at least this many blocks.
constexpr std::size_t kBlocksOfCopy = 8;

/// True if fp32 copies of 16-bit weights are master weights: the optimizer's state has their size, or nothing
/// shows that they are a second model. State of the size of the 16-bit weights shows that, and so do copies
/// that were read from a file.
bool areMasters(const CategoryEvidence& evidence, const SizeCounts& copies, AllocationIndex example,
    const SizeCounts& state)
{
    Bytes wideBytes = 0;
    Bytes narrowBytes = 0;
    for (const auto& [size, count] : copies) {
        wideBytes += state.contains(size) ? size * count : 0;
        narrowBytes += state.contains(size / 2) ? size * count : 0;
    }
    return wideBytes * 2 >= bytesOf(copies)
        || (narrowBytes * 2 < bytesOf(copies) && !evidence.has(example, StackTrait::ReadFromFile));
}

/// Counts the blocks of optimizer state by size.
SizeCounts countState(const CategoryEvidence& evidence, const CategoryTable& table)
{
    SizeCounts counts;
    for (AllocationIndex i = 0; i < table.size(); ++i)
        if (table.of(i) == Category::OptimizerState)
            ++counts[evidence.size(i)];
    return counts;
}

/// Sizes of whole models, to recognise a single block with all weights: a moving average, or the tensor of an
/// optimizer that works on flat tensors.
class FlatModels
{
public:
    FlatModels(const CategoryEvidence& evidence, const CategoryTable& table)
        : m_evidence(evidence)
    {
        std::map<std::uint32_t, SizeCounts> stateOf; ///< by the phase range of the optimizer
        SizeCounts parameters;
        for (AllocationIndex i = 0; i < table.size(); ++i) {
            if (table.of(i) == Category::Parameter && !evidence.isFreed(i))
                ++parameters[evidence.size(i)];
            if (table.of(i) != Category::OptimizerState || evidence.isOlder(i))
                continue;
            ++stateOf[evidence.rangeOf(evidence.allocations().birth(i))][evidence.size(i)];
            m_firstState = std::min<std::int64_t>(m_firstState, evidence.allocations().birth(i));
        }
        add(parameters);
        for (const auto& [range, state] : stateOf)
            add(state);
    }

    /// True if a block of this size, at least 64 KiB, can contain all weights of a model, in the same type or
    /// in one of twice or half the width.
    bool fits(Bytes size) const
    {
        return size >= kSmallestFlatBlock && std::ranges::any_of(m_models, [&](const ModelBytes& model) {
            return model.equals(size) || model.equals(2 * size) || (size % 2 == 0 && model.equals(size / 2));
        });
    }

    /// Returns Gradient for a block made after the first backward that is freed again or was made before the
    /// optimizer has state, else Parameter.
    Category categoryOf(AllocationIndex i) const
    {
        const std::int64_t birth = m_evidence.isOlder(i) ? -1 : m_evidence.allocations().birth(i);
        const bool isGradient = birth >= 0 && (m_evidence.isFreed(i) || birth < m_firstState)
            && m_evidence.isAfterFirstBackward(birth);
        return isGradient ? Category::Gradient : Category::Parameter;
    }

private:
    static constexpr Bytes kSmallestFlatBlock = 64 * kKiB;
    static constexpr std::size_t kFewestSizes = 2;
    /// Buffers may have one part in this many of a model's bytes.
    static constexpr std::int64_t kPartsPerBuffers = 1000;

    struct ModelBytes
    {
        Bytes bytes = 0;
        Bytes slack = 0; ///< bytes of buffers, which a copy of the weights lacks

        bool equals(Bytes size) const { return size >= bytes - slack && size <= bytes + slack; }
    };

    /// Adds the total bytes of a set as a model. A set of one size is ignored, because unrelated tensors may
    /// have the same total. With two sizes, a match must be exact to the byte. If all counts are even, the
    /// set may be Adam's state with two blocks per parameter, so half of the total is a model, too.
    void add(const SizeCounts& counts)
    {
        if (counts.size() < kFewestSizes)
            return;
        const bool isInPairs
            = std::ranges::all_of(counts, [](const auto& entry) { return entry.second % 2 == 0; });
        const Bytes bytes = isInPairs ? bytesOf(counts) / 2 : bytesOf(counts);
        m_models.push_back({bytes, counts.size() < kSizesOfModel ? 0 : bytes / kPartsPerBuffers});
        // The set may also be parameters that happen to have an even number of blocks of each size.
        if (isInPairs)
            m_models.push_back({bytesOf(counts), m_models.back().slack});
    }

    const CategoryEvidence& m_evidence;
    std::vector<ModelBytes> m_models;
    std::int64_t m_firstState = std::numeric_limits<std::int64_t>::max();
};

/// Judges single blocks, allocated by the user's own code, that contain all weights of a model.
void judgeFlatCopies(const CategoryEvidence& evidence, CategoryTable& table)
{
    const FlatModels models(evidence, table);
    NumberSet<StackId> gradients; ///< stacks of gradients that are freed again
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        const CategoryReason reason = table.reasonOf(i);
        const bool isOpen = table.of(i) == Category::Unknown || reason == CategoryReason::KeptByUser
            || reason == CategoryReason::UsedByModelCall;
        if (!isOpen || !evidence.hasBirthStack(i) || !evidence.birthRole(i).hasPython
            || evidence.has(i, StackTrait::ModuleCall) || !models.fits(evidence.size(i)))
            continue;
        const Category category = models.categoryOf(i);
        if (!evidence.isFreed(i) || (category == Category::Gradient && !evidence.diesInItsPhase(i)))
            table.set(i, category, Grade::C, CategoryReason::FlatCopy);
        if (evidence.isFreed(i) && table.of(i) == Category::Gradient)
            gradients.insert(evidence.allocations().stack(i));
    }
    for (AllocationIndex i = 0; i < table.size(); ++i)
        if (table.reasonOf(i) == CategoryReason::FlatCopy
            && gradients.contains(evidence.allocations().stack(i)))
            table.set(i, Category::Gradient, Grade::C, CategoryReason::FlatCopy);
}

/// Blocks that one stack makes in one phase range, outside a model.
struct BlockSet
{
    std::vector<AllocationIndex> blocks;
    SizeCounts counts;
};

/// True if the set contains nearly all blocks of the model, each `factor` / `divisor` times as large, and
/// hardly anything else.
bool holdsModel(const SizeCounts& set, const SizeCounts& model, Bytes factor, Bytes divisor)
{
    Bytes matched = 0;
    for (const auto& [size, count] : model)
        if (const auto found = set.find(size * factor / divisor); found != set.end())
            matched += size * std::min(count, found->second);
    return matched * 10 >= bytesOf(model) * 9 && matched * factor / divisor * 10 >= bytesOf(set) * 9;
}

/// True if the block may be part of a copy of the weights although it has a category. Its lifetime alone
/// decided the category, and a copy of the weights can live as long as a result.
bool mayBeCopied(const CategoryEvidence& evidence, const CategoryTable& table, AllocationIndex i)
{
    const CategoryReason reason = table.reasonOf(i);
    return !evidence.isOlder(i) && evidence.hasBirthStack(i) && evidence.birthRole(i).hasPython
        && !evidence.has(i, StackTrait::ModuleCall) && !evidence.diesInItsPhase(i)
        && !evidence.isConsumedByBackward(i)
        && (reason == CategoryReason::Nothing || reason == CategoryReason::OutlivesItsPhase
            || reason == CategoryReason::KeptByUser
            || (reason == CategoryReason::Renewed && table.of(i) == Category::Parameter));
}

/// Finds copies of all weights, tensor by tensor, that code makes during training, such as a copy of the best
/// weights.
void judgeSetsOfCopies(const CategoryEvidence& evidence, CategoryTable& table)
{
    SizeCounts model;
    std::map<std::pair<StackId, std::uint32_t>, BlockSet> sets;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        interruption.round();
        if (table.reasonOf(i) == CategoryReason::ModelStack && !evidence.isFreed(i))
            ++model[evidence.size(i)];
        if (!mayBeCopied(evidence, table, i))
            continue;
        BlockSet& set
            = sets[{evidence.allocations().stack(i), evidence.rangeOf(evidence.allocations().birth(i))}];
        set.blocks.push_back(i);
        ++set.counts[evidence.size(i)];
    }
    if (model.size() < kSizesOfModel)
        return;
    for (const auto& [key, set] : sets) {
        if (set.blocks.size() < kBlocksOfCopy
            || !(holdsModel(set.counts, model, 1, 1) || holdsModel(set.counts, model, 1, 2)
                || holdsModel(set.counts, model, 2, 1)))
            continue;
        for (const AllocationIndex i : set.blocks)
            table.set(i, Category::Parameter, Grade::C, CategoryReason::SetOfCopies);
    }
}

} // namespace

void findWiderCopies(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
{
    struct MasterCounts
    {
        Bytes totalBytes = 0;
        SizeCounts masters;
    };
    NumberMap<StackId, MasterCounts> stacks;
    const auto isOpen = [&](AllocationIndex i) {
        return table.of(i) == Category::Unknown && !evidence.isFreed(i) && evidence.hasBirthStack(i)
            && evidence.birthPhase(i) == Phase::Unknown;
    };
    const auto isMaster = [&](Bytes size) { return size % 2 == 0 && sizes.contain(size / 2); };
    for (AllocationIndex i = 0; i < table.size(); ++i)
        if (isOpen(i)) {
            MasterCounts& stack = stacks[evidence.allocations().stack(i)];
            stack.totalBytes += evidence.size(i);
            if (isMaster(evidence.size(i)))
                ++stack.masters[evidence.size(i)];
        }
    const SizeCounts state = countState(evidence, table);
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        if (!isOpen(i) || !isMaster(evidence.size(i)))
            continue;
        const MasterCounts& stack = stacks[evidence.allocations().stack(i)];
        // The blocks must not be the parameters themselves, whose widths may double from layer to layer.
        if (stack.masters.size() < kSizesOfModel || bytesOf(stack.masters) * 10 < stack.totalBytes * 9
            || isAmong(sizes.counts, stack.masters))
            continue;
        if (areMasters(evidence, stack.masters, i, state))
            table.set(i, Category::OptimizerState, Grade::C, CategoryReason::MasterWeights);
        else
            table.set(i, Category::Parameter, Grade::C, CategoryReason::CopyInOtherType);
    }
}

void findModelCopies(const CategoryEvidence& evidence, CategoryTable& table)
{
    judgeFlatCopies(evidence, table);
    judgeSetsOfCopies(evidence, table);
}

} // namespace highwater
