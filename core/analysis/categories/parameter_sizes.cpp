#include "core/analysis/categories/parameter_sizes.h"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/interruption.h"

namespace highwater {

namespace {

/// Sizes of blocks, grouped by the phase range in which the blocks were allocated or freed. The queries sort
/// the blocks: O(blocks × log blocks).
class SizeGroups
{
public:
    static constexpr std::int64_t kOlder = -1; ///< the group of allocations older than the trace

    void add(std::int64_t group, Bytes size) { m_blocks.push_back({group, size}); }

    /// Returns the counts of the group with the most bytes, the first of equal ones. The largest is the most
    /// complete: accumulation, or a trace that begins within a step, leaves groups without some sizes.
    SizeCounts largestGroup()
    {
        std::span<const Block> largest;
        Bytes mostBytes = 0;
        forEachGroup([&](std::span<const Block> group) {
            const Bytes bytes = std::accumulate(group.begin(), group.end(), Bytes{0},
                [](Bytes sum, const Block& block) { return sum + block.size; });
            if (bytes > mostBytes)
                largest = group;
            mostBytes = std::max(mostBytes, bytes);
        });
        SizeCounts counts;
        for (const Block& block : largest)
            ++counts[block.size];
        return counts;
    }

    /// Returns the largest count of each size in any group. With several optimizers, each group shows the
    /// sizes of one model.
    SizeCounts largestCounts()
    {
        SizeCounts counts;
        forEachGroup([&](std::span<const Block> group) {
            for (auto first = group.begin(); first != group.end();) {
                const auto last = std::find_if(
                    first, group.end(), [&](const Block& block) { return block.size != first->size; });
                std::uint32_t& count = counts[first->size];
                count = std::max(count, static_cast<std::uint32_t>(last - first));
                first = last;
            }
        });
        return counts;
    }

private:
    struct Block
    {
        std::int64_t group;
        Bytes size;
        auto operator<=>(const Block&) const = default;
    };

    /// Visits the groups in order, with the blocks of each sorted by size.
    template <typename Visit>
    void forEachGroup(Visit visit)
    {
        std::ranges::sort(m_blocks);
        const std::span<const Block> blocks(m_blocks);
        for (auto first = blocks.begin(); first != blocks.end();) {
            const auto last = std::find_if(
                first, blocks.end(), [&](const Block& block) { return block.group != first->group; });
            visit(std::span(first, last));
            first = last;
        }
    }

    std::vector<Block> m_blocks;
};

/// Returns the number of blocks of this size; 0 if there are none.
std::uint32_t countOf(const SizeCounts& counts, Bytes size)
{
    const auto found = counts.find(size);
    return found == counts.end() ? 0 : found->second;
}

/// Bytes of state per bytes of gradient, because state may have another element type than the gradient.
struct TypeRatio
{
    Bytes state = 1;
    Bytes gradient = 1;
};
constexpr std::array<TypeRatio, 4> kTypeRatios = {{{1, 1}, {2, 1}, {1, 2}, {1, 4}}};

/// True if nearly all sizes, by bytes, have as many blocks of state as gradients, or twice as many.
bool areParallel(const SizeCounts& gradients, const SizeCounts& state, TypeRatio ratio)
{
    Bytes matched = 0;
    for (const auto& [size, count] : gradients)
        if (const std::uint32_t states = countOf(state, size * ratio.state / ratio.gradient);
            states == count || states == 2 * count)
            matched += size * count;
    const Bytes total = bytesOf(gradients);
    return total > 0 && matched >= total - total / 100;
}

bool areParallel(const SizeCounts& gradients, const SizeCounts& state)
{
    return std::ranges::any_of(
        kTypeRatios, [&](TypeRatio ratio) { return areParallel(gradients, state, ratio); });
}

/// Returns the counts of those gradients for which there is state, if they explain nearly all of the state.
SizeCounts sizesWithState(const SizeCounts& gradients, const SizeCounts& state)
{
    for (const TypeRatio ratio : kTypeRatios) {
        SizeCounts matching;
        Bytes explained = 0;
        for (const auto& [size, count] : gradients) {
            const Bytes stateSize = size * ratio.state / ratio.gradient;
            const std::uint32_t states = countOf(state, stateSize);
            if (states != count && states != 2 * count)
                continue;
            matching[size] = count;
            explained += stateSize * states;
        }
        if (explained > 0 && explained * 10 >= bytesOf(state) * 9)
            return matching;
    }
    return {};
}

/// Derives the counts of parameters from the counts of optimizer state. Adam keeps two blocks per parameter,
/// momentum one. Two are assumed if all counts are even and fewer parameters persist than there are blocks of
/// state; then the counts are halved.
SizeCounts dividedByMultiplicity(const SizeCounts& state, const SizeCounts& persistent)
{
    std::uint32_t divisor = 0;
    bool asManyParameters = true;
    for (const auto& [size, count] : state) {
        divisor = std::gcd(divisor, count);
        asManyParameters = asManyParameters && countOf(persistent, size) >= count;
    }
    if (divisor % 2 != 0 || asManyParameters)
        return state;
    SizeCounts halved;
    for (const auto& [size, count] : state)
        halved[size] = count / 2;
    return halved;
}

/// Returns the entries of `counts` whose sizes occur in `otherCounts`.
SizeCounts commonTo(const SizeCounts& counts, const SizeCounts& otherCounts)
{
    SizeCounts common;
    for (const auto& [size, count] : counts)
        if (otherCounts.contains(size))
            common[size] = count;
    return common;
}

/// Finds the parameters if each backward adds to persistent gradients. Parameters, gradients and perhaps
/// state are then sets of persistent blocks with equal counts of each size, and a backward allocates and
/// frees one block per parameter. Uses the smallest number of sets that fits, at most four (two of them
/// state).
SizeCounts accumulatedParameters(const SizeCounts& persistent, const SizeCounts& passing)
{
    for (const std::uint32_t sets : {2u, 3u, 4u}) {
        SizeCounts perSet;
        for (const auto& [size, count] : persistent)
            if (count % sets == 0)
                perSet[size] = count / sets;
        if (bytesOf(perSet) * sets * 10 >= bytesOf(persistent) * 9 && isAmong(perSet, passing))
            return perSet;
    }
    return {};
}

/// The blocks that reveal parameters, by kind of evidence.
struct Sightings
{
    SizeGroups zeroed; ///< freed by zero_grad
    SizeGroups leftByBackward;
    SizeCounts cutOff; ///< made by the backward that the trace ends in, and still live
    SizeGroups state;
    SizeGroups update; ///< kept by an optimizer of the user's own
    SizeGroups passing; ///< made and freed by one backward
    SizeCounts persistent; ///< older than the trace and never freed, or made before training begins
};

Sightings collectSightings(const CategoryEvidence& evidence)
{
    Sightings sightings;
    const AllocationTable& allocations = evidence.allocations();
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        interruption.round();
        const Bytes size = evidence.size(i);
        const bool isOlder = evidence.isOlder(i);
        const std::int64_t bornIn = isOlder ? SizeGroups::kOlder : evidence.rangeOf(allocations.birth(i));
        if (evidence.deathRole(i).zeroGrad)
            sightings.zeroed.add(evidence.rangeOf(allocations.death(i)), size);
        if (isOptimizerState(evidence, i))
            sightings.state.add(bornIn, size);
        else if (isKeptByUpdate(evidence, i))
            sightings.update.add(bornIn, size);
        else if (evidence.birthPhase(i) == Phase::Backward && evidence.diesInItsPhase(i))
            sightings.passing.add(bornIn, size);
        else if (isLeftByBackward(evidence, i) && evidence.isCutOff(i))
            ++sightings.cutOff[size];
        else if (isLeftByBackward(evidence, i))
            sightings.leftByBackward.add(bornIn, size);
        else if (!evidence.isFreed(i) && (isOlder || evidence.birthPhase(i) == Phase::Unknown))
            ++sightings.persistent[size];
    }
    return sightings;
}

} // namespace

bool isAmong(const SizeCounts& few, const SizeCounts& many)
{
    Bytes matched = 0;
    for (const auto& [size, count] : few)
        if (countOf(many, size) >= count)
            matched += size * count;
    const Bytes total = bytesOf(few);
    return total > 0 && matched * 10 >= total * 9;
}

Bytes bytesOf(const SizeCounts& counts)
{
    return std::accumulate(counts.begin(), counts.end(), Bytes{0},
        [](Bytes sum, const auto& entry) { return sum + entry.first * entry.second; });
}

bool isLeftByBackward(const CategoryEvidence& evidence, AllocationIndex i)
{
    if (evidence.size(i) == kCublasWorkspace || evidence.has(i, StackTrait::Workspace)
        || evidence.isConsumedByBackward(i))
        return false;
    return evidence.isOlder(i) ? evidence.birthRole(i).phase == Phase::Backward
                               : evidence.birthPhase(i) == Phase::Backward && !evidence.diesInItsPhase(i)
            && (evidence.birthRole(i).phase == Phase::Backward || !evidence.birthRole(i).hasPython);
}

/// True if the optimizer made the block and keeps it beyond its step. A block freed within the step is
/// working memory, even if a closure's forward and backward come in between.
static bool isKeptByOptimizer(const CategoryEvidence& evidence, AllocationIndex i)
{
    return evidence.birthPhase(i) == Phase::Optimizer && !evidence.diesInItsPhase(i)
        && !evidence.diesInItsStep(i);
}

bool isOptimizerState(const CategoryEvidence& evidence, AllocationIndex i)
{
    if (evidence.has(i, StackTrait::Workspace))
        return false;
    if (!evidence.isOlder(i))
        return isKeptByOptimizer(evidence, i)
            && (evidence.birthRole(i).phase == Phase::Optimizer || !evidence.birthRole(i).hasPython);
    if (evidence.birthRole(i).phase == Phase::Optimizer)
        return true;
    // If a trace begins within an optimizer, its working memory appears as older blocks.
    return evidence.deathPhase(i) == Phase::Optimizer && evidence.deathRole(i).phase == Phase::Optimizer
        && evidence.rangeOf(evidence.allocations().death(i)) > 0;
}

bool isKeptByUpdate(const CategoryEvidence& evidence, AllocationIndex i)
{
    return isKeptByOptimizer(evidence, i) && !evidence.isConsumedByBackward(i)
        && evidence.birthRole(i).phase == Phase::Unknown && evidence.birthRole(i).hasPython;
}

ParameterSizes findParameterSizes(const CategoryEvidence& evidence)
{
    Sightings sightings = collectSightings(evidence);
    const SizeCounts zeroed = sightings.zeroed.largestCounts();
    SizeCounts leftByBackward = sightings.leftByBackward.largestGroup();
    SizeCounts state = sightings.state.largestCounts();
    if (state.empty())
        state = commonTo(sightings.update.largestGroup(), leftByBackward);
    else if (const SizeCounts explained = sizesWithState(leftByBackward, state); !explained.empty())
        leftByBackward = explained;
    ParameterSizes sizes;
    sizes.stateBytes = bytesOf(state);
    sizes.isZeroed = areParallel(zeroed, state);
    sizes.isConfirmed = sizes.isZeroed || areParallel(leftByBackward, state);
    if (sizes.isZeroed || (!sizes.isConfirmed && !zeroed.empty()))
        sizes.counts = zeroed;
    else if (sizes.isConfirmed || !leftByBackward.empty())
        sizes.counts = leftByBackward;
    else if (isAmong(sightings.cutOff, sightings.persistent))
        sizes.counts = sightings.cutOff;
    else
        sizes.counts = accumulatedParameters(sightings.persistent, sightings.passing.largestGroup());
    if (sizes.counts.empty() && !state.empty())
        sizes.counts = dividedByMultiplicity(state, sightings.persistent);
    sizes.gradientsPersist = zeroed.empty() && leftByBackward.empty() && sightings.cutOff.empty()
        && isAmong(sizes.counts, sightings.passing.largestGroup());
    return sizes;
}

} // namespace highwater
