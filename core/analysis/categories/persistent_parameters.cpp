#include "core/analysis/categories/persistent_parameters.h"

#include <algorithm>

#include "core/base/hash.h"

#include "core/base/interruption.h"

namespace highwater {

namespace {

/// The number of blocks beyond those of trained parameters from which they are more than a few buffers and
/// probably frozen weights.
constexpr std::size_t kManyBlocks = 16;
constexpr Bytes kMuchOfParameters = 10; ///< one part in ten

using Blocks = std::vector<AllocationIndex>;

Blocks persistentBlocks(const CategoryEvidence& evidence, const CategoryTable& table)
{
    Blocks blocks;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        interruption.round();
        const Phase phase = evidence.birthPhase(i);
        if (table.of(i) == Category::Unknown && !evidence.isFreed(i)
            && (phase == Phase::Unknown || phase == Phase::Data))
            blocks.push_back(i);
    }
    return blocks;
}

/// How many whole sets of parameters there are, by bytes: sizes that occur more often by chance do not count,
/// and one that is missing does not spoil it.
std::uint32_t copiesIn(const SizeCounts& counts, const ParameterSizes& sizes)
{
    const Bytes total = bytesOf(sizes.counts);
    for (std::uint32_t copies = 1;; ++copies) {
        Bytes present = 0;
        for (const auto& [size, count] : sizes.counts) {
            const auto found = counts.find(size);
            if (found != counts.end() && found->second >= count * copies)
                present += size * count;
        }
        if (present * 10 < total * 9 || total == 0)
            return copies - 1;
    }
}

/// Gives the blocks of parameter size out, copy by copy in the order of the table.
class Sharing
{
public:
    Sharing(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
        : m_evidence(evidence)
        , m_sizes(sizes)
        , m_table(table)
    {
    }

    void share(const Blocks& blocks)
    {
        SizeCounts counts;
        for (const AllocationIndex i : blocks)
            ++counts[m_evidence.size(i)];
        const std::uint32_t copies = copiesIn(counts, m_sizes);
        const std::uint32_t states = stateCopies(copies);
        SizeCounts given;
        Blocks left;
        for (const AllocationIndex i : blocks)
            if (!give(i, given, copies, states))
                left.push_back(i);
        judgeRest(left);
    }

private:
    /// Of so many whole sets, those that must be optimizer state: it was not seen, and the optimizer steps.
    std::uint32_t stateCopies(std::uint32_t copies) const
    {
        const bool seen = 2 * m_sizes.stateBytes >= bytesOf(m_sizes.counts);
        if (seen || copies < 2 || !m_evidence.occurs(Phase::Optimizer))
            return 0;
        return std::min(copies - 1, 2u);
    }

    bool give(AllocationIndex i, SizeCounts& given, std::uint32_t copies, std::uint32_t states)
    {
        const Bytes size = m_evidence.size(i);
        const auto found = m_sizes.counts.find(size);
        if (found == m_sizes.counts.end())
            return false;
        const std::uint32_t copy = given[size]++ / found->second;
        if (copy >= std::max(copies, 1u))
            return false;
        if (m_evidence.hasBirthStack(i))
            m_stacks.insert(m_evidence.allocations().stack(i));
        const bool isState = copy >= 1 && copy <= states;
        // With state among them the sums are sound, but which block is which is not known.
        m_table.set(i, isState ? Category::OptimizerState : Category::Parameter,
            states > 0 || copies == 0 ? Grade::C : Grade::B);
        return true;
    }

    /// Frozen weights and buffers: other allocations of stacks that made parameters, and blocks that are too
    /// many for buffers.
    void judgeRest(const Blocks& left)
    {
        Bytes nameless = 0;
        std::size_t blocks = 0;
        for (const AllocationIndex i : left) {
            if (m_evidence.hasBirthStack(i)) {
                if (m_stacks.contains(m_evidence.allocations().stack(i)))
                    m_table.set(i, Category::Parameter, Grade::C);
                continue;
            }
            nameless += m_evidence.size(i);
            ++blocks;
        }
        if (blocks < kManyBlocks || nameless * kMuchOfParameters < bytesOf(m_sizes.counts))
            return;
        for (const AllocationIndex i : left)
            if (!m_evidence.hasBirthStack(i))
                m_table.set(i, Category::Parameter, Grade::C);
    }

    const CategoryEvidence& m_evidence;
    const ParameterSizes& m_sizes;
    CategoryTable& m_table;
    NumberSet<StackId> m_stacks; ///< that made parameters
};

bool onlyRunsTheModel(const CategoryEvidence& evidence)
{
    return !evidence.occurs(Phase::Backward) && !evidence.occurs(Phase::Optimizer)
        && (evidence.occurs(Phase::Forward) || evidence.occurs(Phase::Generation)
            || evidence.occurs(Phase::Evaluation) || evidence.occurs(Phase::Scoring));
}

/// Weights come in numbers; results and inputs that stay do not.
void judgeWithoutTraining(const CategoryEvidence& evidence, const Blocks& blocks, CategoryTable& table)
{
    NumberMap<StackId, std::size_t> countOf;
    for (const AllocationIndex i : blocks)
        if (evidence.hasBirthStack(i))
            ++countOf[evidence.allocations().stack(i)];
    for (const AllocationIndex i : blocks) {
        if (evidence.isOlder(i) && !evidence.hasBirthStack(i))
            table.set(i, Category::Parameter, Grade::B);
        else if (evidence.hasBirthStack(i) && countOf[evidence.allocations().stack(i)] >= kManyBlocks)
            table.set(i, Category::Parameter, Grade::C);
    }
}

/// Whether nearly all bytes are of sizes that occur a multiple of so many times.
bool comesInSetsOf(std::uint32_t sets, const SizeCounts& counts)
{
    Bytes matched = 0;
    for (const auto& [size, count] : counts)
        matched += count % sets == 0 ? size * count : 0;
    return matched > 0 && matched * 10 >= bytesOf(counts) * 9;
}

/// Backward runs, but no gradient is allocated or freed: it accumulates into existing ones. So the persistent
/// allocations are the parameters, their gradients and, if an optimizer steps without allocating state, its
/// state.
std::vector<Category> accumulatingSets(const CategoryEvidence& evidence, const SizeCounts& counts)
{
    const bool steps = evidence.occurs(Phase::Optimizer);
    if (!steps && comesInSetsOf(2, counts))
        return {Category::Parameter, Category::Gradient};
    if (steps && comesInSetsOf(4, counts))
        return {Category::Parameter, Category::Gradient, Category::OptimizerState, Category::OptimizerState};
    if (steps && comesInSetsOf(3, counts))
        return {Category::Parameter, Category::Gradient, Category::OptimizerState};
    return {};
}

/// Sums alone are sound: which block is which is not known.
void judgeAccumulating(const CategoryEvidence& evidence, const Blocks& blocks, CategoryTable& table)
{
    SizeCounts counts;
    for (const AllocationIndex i : blocks)
        if (!evidence.hasBirthStack(i))
            ++counts[evidence.size(i)];
    const std::vector<Category> sets = accumulatingSets(evidence, counts);
    SizeCounts given;
    for (const AllocationIndex i : blocks) {
        const Bytes size = evidence.size(i);
        if (!sets.empty() && !evidence.hasBirthStack(i) && counts[size] % sets.size() == 0)
            table.set(i, sets[given[size]++ % sets.size()], Grade::C);
    }
}

} // namespace

void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table)
{
    const Blocks blocks = persistentBlocks(evidence, table);
    if (!sizes.counts.empty())
        Sharing(evidence, sizes, table).share(blocks);
    else if (onlyRunsTheModel(evidence))
        judgeWithoutTraining(evidence, blocks, table);
    else if (evidence.occurs(Phase::Backward))
        judgeAccumulating(evidence, blocks, table);
}

} // namespace highwater
