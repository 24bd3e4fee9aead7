#include "core/analysis/categories/categories.h"

#include <algorithm>
#include <array>

#include "core/analysis/categories/category_evidence.h"
#include "core/analysis/categories/category_rule_matcher.h"
#include "core/analysis/categories/lifetimes_alone.h"
#include "core/analysis/categories/model_copies.h"
#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/categories/persistent_parameters.h"
#include "core/analysis/categories/recorded_categories.h"
#include "core/analysis/categories/replaced_blocks.h"
#include "core/base/hash.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

struct Verdict
{
    Category category = Category::Unknown;
    Grade grade = Grade::C;
    CategoryReason reason = CategoryReason::Nothing;
};

constexpr Verdict kUnknown;

/// A block that lives through more events is not an operator's scratch memory.
constexpr std::int32_t kEventsOfALayer = 2048;

/// Judges one allocation by its own life alone. Blocks that outlive the trace and have no known origin are
/// left to `findPersistentParameters`.
class LifetimeRules
{
public:
    LifetimeRules(const CategoryEvidence& evidence, const ParameterSizes& sizes)
        : m_evidence(evidence)
        , m_sizes(sizes)
        , m_trains(!sizes.counts.empty() || evidence.occurs(Phase::Backward))
    {
        for (AllocationIndex i = 0; i < evidence.allocations().size(); ++i)
            if (evidence.has(i, StackTrait::ModelLoading))
                m_loadedSizes.insert(evidence.size(i));
    }

    Verdict judge(AllocationIndex i) const
    {
        if (m_evidence.has(i, StackTrait::Workspace))
            return {Category::Workspace, Grade::B, CategoryReason::WorkspaceStack};
        if (m_evidence.size(i) == kCublasWorkspace && (!m_evidence.isFreed(i) || m_evidence.diesAtOnce(i)))
            return {Category::Workspace, Grade::B, CategoryReason::WorkspaceSize};
        if (m_evidence.has(i, StackTrait::ShardedParameter))
            return {Category::Parameter, Grade::B, CategoryReason::ShardedParameterStack};
        if (m_evidence.has(i, StackTrait::GradientBuffer) && !m_evidence.diesInItsPhase(i))
            return {Category::Gradient, Grade::B, CategoryReason::GradientBufferStack};
        if (m_evidence.has(i, StackTrait::KvCache) && !m_evidence.diesInItsPhase(i))
            return {Category::KvCache, Grade::B, CategoryReason::KvCacheStack};
        return m_evidence.isOlder(i) ? judgeOlder(i) : judgeBorn(i);
    }

private:
    /// Judges a block whose stack relates it to parameters; the grade is A if its size confirms that.
    Verdict gradedBySize(AllocationIndex i, Category category, CategoryReason reason) const
    {
        const bool fits = m_sizes.isConfirmed && m_sizes.contain(m_evidence.size(i));
        return {category, fits ? Grade::A : Grade::B, reason};
    }

    bool hasParameterSize(AllocationIndex i) const { return m_sizes.contain(m_evidence.size(i)); }

    Verdict judgeOlder(AllocationIndex i) const
    {
        if (isOptimizerState(m_evidence, i))
            return gradedBySize(i, Category::OptimizerState,
                m_evidence.birthRole(i).phase == Phase::Optimizer ? CategoryReason::OptimizerKeeps
                                                                  : CategoryReason::OptimizerFrees);
        if (m_evidence.deathRole(i).zeroGrad)
            return gradedBySize(i, Category::Gradient, CategoryReason::ZeroGradFrees);
        if (isLeftByBackward(m_evidence, i) && hasParameterSize(i))
            return {Category::Gradient, Grade::B, CategoryReason::BackwardLeft};
        if (m_evidence.has(i, StackTrait::ModelLoading))
            return {Category::Parameter, Grade::B, CategoryReason::ModelStack};
        if (m_evidence.birthRole(i).phase == Phase::Data)
            return {Category::Input, Grade::B, CategoryReason::DataStack};
        return m_evidence.deathPhase(i) == Phase::Backward
            ? Verdict{Category::Activation, Grade::B, CategoryReason::BackwardFrees}
            : kUnknown;
    }

    Verdict judgeBorn(AllocationIndex i) const
    {
        if (hasParameterSize(i) && m_evidence.deathRole(i).zeroGrad)
            return gradedBySize(i, Category::Gradient, CategoryReason::ZeroGradFrees);
        if (m_evidence.has(i, StackTrait::ModelLoading) && !m_evidence.diesAtOnce(i)
            && m_evidence.deathPhase(i) != Phase::Backward)
            return {Category::Parameter, Grade::B, CategoryReason::ModelStack};
        switch (m_evidence.birthPhase(i)) {
        case Phase::Forward: return judgeForward(i);
        case Phase::Backward: return judgeBackward(i);
        case Phase::Optimizer: return judgeOptimizer(i);
        case Phase::Data:
            return m_evidence.diesInItsPhase(i)
                ? Verdict{Category::Temporary, Grade::A, CategoryReason::DiesInItsPhase}
                : Verdict{Category::Input, Grade::B, CategoryReason::DataStack};
        case Phase::Generation:
        case Phase::Scoring:
        case Phase::Evaluation: return m_trains ? judgeModelPhase(i, Grade::C) : judgeWithoutBackward(i);
        case Phase::Unknown: break;
        }
        return judgeOutside(i);
    }

    Verdict judgeForward(AllocationIndex i) const
    {
        if (m_evidence.birthRole(i).phase == Phase::Data && !m_evidence.diesInItsPhase(i))
            return {Category::Input, Grade::B, CategoryReason::DataStack};
        return judgeModelPhase(i, m_trains ? Grade::B : Grade::C);
    }

    /// Judges a block allocated in a phase that runs the model. A block that outlives the phase is an
    /// activation, with grade `gradeIfKept` if no backward frees it.
    Verdict judgeModelPhase(AllocationIndex i, Grade gradeIfKept) const
    {
        if (m_evidence.diesInItsPhase(i))
            return judgeFreedInPhase(i);
        if (m_evidence.deathPhase(i) == Phase::Backward)
            return {Category::Activation, m_evidence.diesInItsStep(i) ? Grade::A : Grade::B,
                CategoryReason::BackwardFrees};
        return {Category::Activation, gradeIfKept, CategoryReason::OutlivesItsPhase};
    }

    /// Judges a block freed in the phase that allocated it: scratch memory, or a graph that no backward
    /// consumed.
    Verdict judgeFreedInPhase(AllocationIndex i) const
    {
        const AllocationTable& allocations = m_evidence.allocations();
        if (allocations.death(i) - allocations.birth(i) > kEventsOfALayer || m_evidence.outlivesItsModule(i))
            return {Category::Activation, Grade::B, CategoryReason::OutlivesItsModule};
        return {Category::Temporary, Grade::A, CategoryReason::DiesInItsPhase};
    }

    /// Judges a block of a run without backward: a block that outlives its phase is a result, so its category
    /// stays unknown.
    Verdict judgeWithoutBackward(AllocationIndex i) const
    {
        if (m_evidence.diesInItsPhase(i))
            return judgeFreedInPhase(i);
        return m_evidence.isCutOff(i) ? Verdict{Category::Activation, Grade::C, CategoryReason::CutOff}
                                      : kUnknown;
    }

    Verdict judgeBackward(AllocationIndex i) const
    {
        if (m_evidence.isReducedGradient(i))
            return {Category::Gradient, Grade::B, CategoryReason::Reduced};
        if (m_evidence.diesInItsPhase(i))
            return m_evidence.has(i, StackTrait::Recomputation)
                ? Verdict{Category::Activation, Grade::B, CategoryReason::Recomputed}
                : Verdict{Category::Temporary, Grade::A, CategoryReason::DiesInItsPhase};
        if (hasParameterSize(i) && isLeftByBackward(m_evidence, i))
            return gradedBySize(i, Category::Gradient, CategoryReason::BackwardLeft);
        if (m_evidence.isConsumedByBackward(i))
            return {Category::Activation, Grade::B, CategoryReason::BackwardFrees};
        if (m_evidence.diesInItsStep(i) && m_evidence.birthRole(i).hasPython)
            return {Category::Temporary, Grade::B, CategoryReason::DiesInItsStep};
        if (m_evidence.isCutOff(i) && !m_sizes.counts.empty())
            return {Category::Temporary, Grade::B, CategoryReason::CutOff};
        if (m_evidence.isCutOff(i) && !m_loadedSizes.empty() && !m_loadedSizes.contains(m_evidence.size(i)))
            return {Category::Temporary, Grade::C, CategoryReason::CutOff};
        // Memory that autograd.grad left belongs to a graph if it cannot be a gradient.
        const bool isResult
            = m_sizes.isConfirmed && !hasParameterSize(i) && !m_evidence.birthRole(i).hasPython;
        return isResult ? Verdict{Category::Activation, Grade::C, CategoryReason::ResultOfBackward}
                        : kUnknown;
    }

    Verdict judgeOptimizer(AllocationIndex i) const
    {
        if (m_evidence.diesInItsPhase(i))
            return {Category::Temporary, Grade::A, CategoryReason::DiesInItsPhase};
        if (m_evidence.isConsumedByBackward(i))
            return {Category::Activation, Grade::B, CategoryReason::BackwardFrees};
        if (m_evidence.diesInItsStep(i))
            return {Category::Temporary, Grade::B, CategoryReason::DiesInItsStep};
        if (isOptimizerState(m_evidence, i))
            return gradedBySize(i, Category::OptimizerState, CategoryReason::OptimizerKeeps);
        return hasParameterSize(i) && isKeptByUpdate(m_evidence, i) ? Verdict{Category::OptimizerState,
                   m_sizes.isConfirmed ? Grade::B : Grade::C, CategoryReason::UpdateKeeps}
                                                                    : kUnknown;
    }

    /// Judges a block allocated before training, between steps, or where phases are not known.
    Verdict judgeOutside(AllocationIndex i) const
    {
        const AllocationTable& allocations = m_evidence.allocations();
        if (m_evidence.deathPhase(i) == Phase::Backward)
            return {Category::Activation, Grade::B, CategoryReason::BackwardFrees};
        if (m_evidence.diesAtOnce(i))
            return {Category::Temporary, Grade::B, CategoryReason::DiesAtOnce};
        if (m_evidence.birthRole(i).phase == Phase::Data)
            return {Category::Input, Grade::B, CategoryReason::DataStack};
        if (m_evidence.isUsedByModelCall(i))
            return {Category::Input, Grade::B, CategoryReason::UsedByModelCall};
        const bool isShort
            = m_evidence.isFreed(i) && allocations.death(i) - allocations.birth(i) <= kEventsOfALayer;
        if (isShort && m_evidence.diesInItsPhase(i) && m_evidence.birthRole(i).hasPython
            && m_evidence.occurs(Phase::Backward))
            return {Category::Temporary, Grade::C, CategoryReason::DiesInItsPhase};
        return isShort && !m_trains ? Verdict{Category::Temporary, Grade::C, CategoryReason::DiesYoung}
                                    : kUnknown;
    }

    const CategoryEvidence& m_evidence;
    const ParameterSizes& m_sizes;
    bool m_trains;
    NumberSet<Bytes> m_loadedSizes; ///< sizes of blocks made while a model is loaded
};

/// Judges blocks that a backward leaves, that nothing frees, and that have the sizes of weights that no
/// optimizer works on. They are the gradients of these weights, if there is at most one for each weight. More
/// are results of `autograd.grad`.
void judgeUntrainedGradients(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
{
    SizeCounts untrained;
    std::vector<AllocationIndex> candidates;
    SizeCounts candidateCounts;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        if (table.of(i) == Category::Parameter && !evidence.isFreed(i)) {
            ++untrained[evidence.size(i)];
        } else if (!evidence.isOlder(i) && !evidence.isFreed(i) && !sizes.contain(evidence.size(i))
            && evidence.birthPhase(i) == Phase::Backward && isLeftByBackward(evidence, i)
            && !evidence.isCutOff(i)) {
            candidates.push_back(i);
            ++candidateCounts[evidence.size(i)];
        }
    }
    for (const AllocationIndex i : candidates)
        if (const auto found = untrained.find(evidence.size(i));
            found != untrained.end() && candidateCounts[evidence.size(i)] <= found->second)
            table.set(i, Category::Gradient, Grade::B, CategoryReason::GradientOfUntrained);
}

/// Categories of one stack's allocations that were freed.
struct FreedOfStack
{
    std::array<std::uint32_t, kCategoryCount> counts{};
    std::int64_t longestTemporary = 0; ///< longest life, in events
};

/// Judges blocks that the running program has not freed by the commonest category of the freed allocations of
/// their stack, if they are activations, inputs or temporary. They are temporary only if they have not lived
/// longer than the freed temporary blocks of the stack.
void judgeByStack(const CategoryEvidence& evidence, CategoryTable& table)
{
    const AllocationTable& allocations = evidence.allocations();
    std::vector<AllocationIndex> undecided;
    NumberMap<StackId, FreedOfStack> freedOfStack;
    InterruptionCounter interruption;
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount()); i < table.size(); ++i) {
        interruption.round();
        const Category category = table.of(i);
        if (evidence.isFreed(i) || !evidence.hasBirthStack(i)
            || !(category == Category::Unknown || (category == Category::Activation && evidence.isCutOff(i))))
            continue;
        undecided.push_back(i);
        freedOfStack.try_emplace(allocations.stack(i));
    }
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount());
         !undecided.empty() && i < table.size(); ++i) {
        interruption.round();
        const auto freed = freedOfStack.find(allocations.stack(i));
        if (freed == freedOfStack.end() || !evidence.isFreed(i))
            continue;
        ++freed.value().counts[static_cast<std::size_t>(table.of(i))];
        if (table.of(i) == Category::Temporary)
            freed.value().longestTemporary = std::max<std::int64_t>(
                freed.value().longestTemporary, allocations.death(i) - allocations.birth(i));
    }
    for (const AllocationIndex i : undecided) {
        const FreedOfStack& freed = freedOfStack.find(allocations.stack(i))->second;
        const auto commonest = std::ranges::max_element(freed.counts);
        const auto category = static_cast<Category>(commonest - freed.counts.begin());
        const bool fits = category == Category::Activation || category == Category::Input
            || (category == Category::Temporary && evidence.ageWhenCutOff(i) <= freed.longestTemporary);
        if (*commonest > 0 && fits)
            table.set(i, category, Grade::B, CategoryReason::OthersOfItsStack);
    }
}

/// Sets blocks that come straight from the driver to unknown: each is a segment of an allocator and contains
/// many tensors. Only allocations from a pool of the driver are single tensors.
void resetDriverSegments(const Trace& trace, const AllocationTable& allocations, CategoryTable& table)
{
    const bool showsDriverMemory = trace.devices[allocations.device()].quantity == Quantity::DeviceUsed;
    for (AllocationIndex i = 0; showsDriverMemory && i < table.size(); ++i)
        if (allocations.pool(i).isNone())
            table.set(i, Category::Unknown, Grade::C, CategoryReason::Nothing);
}

/// Marks blocks of unknown category as allocated before the recording. A file without history has no such
/// moment.
void markOlder(const Trace& trace, const AllocationTable& allocations, CategoryTable& table)
{
    if (!trace.metadata.hasHistory || allocations.eventCount() == 0)
        return;
    for (AllocationIndex i = 0; i < allocations.olderCount(); ++i)
        if (table.of(i) == Category::Unknown)
            table.set(i, Category::BeforeRecording, Grade::A, CategoryReason::Older);
}

void applyRules(const CategoryRuleMatcher& matcher, CategoryTable& table)
{
    for (AllocationIndex i = 0; !matcher.isEmpty() && i < table.size(); ++i)
        if (const std::optional<Category> category = matcher.match(i))
            table.set(i, *category, Grade::A, CategoryReason::UserRule);
}

} // namespace

CategoryTable categorize(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
    const StepTable& steps, const std::vector<CategoryRule>& rules)
{
    CategoryTable table(allocations.size());
    const CategoryEvidence evidence(trace, allocations, phases, steps);
    const ParameterSizes sizes = findParameterSizes(evidence);
    const LifetimeRules lifetimes(evidence, sizes);
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        interruption.round();
        const Verdict verdict = lifetimes.judge(i);
        table.set(i, verdict.category, verdict.grade, verdict.reason);
    }
    if (showsLifetimesAlone(evidence))
        judgeByLifetimesAlone(evidence, table);
    judgeUntrainedGradients(evidence, sizes, table);
    findWiderCopies(evidence, sizes, table);
    findPersistentParameters(evidence, sizes, table);
    judgeReplacedBlocks(evidence, sizes, table);
    findModelCopies(evidence, table);
    judgeByStack(evidence, table);
    resetDriverSegments(trace, allocations, table);
    markOlder(trace, allocations, table);
    applyRecordedCategories(trace, allocations, table);
    applyRules(CategoryRuleMatcher(trace, allocations, phases, rules), table);
    return table;
}

std::vector<CategoryBytes> categoriesAt(const AllocationTable& allocations, const CategoryTable& categories,
    const std::vector<std::int64_t>& events)
{
    // At first, each row contains the difference from the row before it.
    std::vector<CategoryBytes> rows(events.size() + 1, CategoryBytes{});
    const auto rowFrom = [&](std::int64_t event) {
        return static_cast<std::size_t>(std::ranges::lower_bound(events, event) - events.begin());
    };
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        interruption.round();
        const auto category = static_cast<std::size_t>(categories.of(i));
        rows[rowFrom(allocations.birth(i))][category] += allocations.bytes(i);
        rows[rowFrom(allocations.death(i))][category] -= allocations.bytes(i);
    }
    rows.pop_back();
    for (std::size_t row = 1; row < rows.size(); ++row)
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            rows[row][category] += rows[row - 1][category];
    return rows;
}

std::array<Category, kCategoryCount> stackingOrder(const CategoryBytes& bytes)
{
    std::array<Category, kCategoryCount> order = {Category::Parameter, Category::OptimizerState,
        Category::Gradient, Category::KvCache, Category::BeforeRecording, Category::Activation,
        Category::Input, Category::Workspace, Category::Unknown, Category::Temporary};
    constexpr std::size_t kStaying = 5;
    std::stable_sort(order.begin() + kStaying, order.end() - 1, [&](Category a, Category b) {
        return bytes[static_cast<std::size_t>(a)] > bytes[static_cast<std::size_t>(b)];
    });
    return order;
}

} // namespace highwater
