#include "core/analysis/usage/pool_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/analysis/usage/recorded_labels.h"
#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

struct Purpose
{
    std::string_view name;
    std::array<std::string_view, 2> words; ///< parts of function or file names; empty entries are unused
};

/// The purposes that stacks reveal. If a stack matches several purposes, the first one counts.
constexpr std::array<Purpose, 4> kPurposes = {{
    {"CUDA graph trees", {"cudagraph_trees", "cudagraphify"}},
    {"symmetric memory", {"_symmetric_memory", "SymmetricMemory"}},
    {"NCCL", {"ncclMemAlloc", "ProcessGroupNCCL"}},
    {"CUDA graph", {"torch/cuda/graphs.py", "torch\\cuda\\graphs.py"}},
}};

std::uint8_t purposesOf(const Trace& trace, const Frame& frame)
{
    std::uint8_t bits = 0;
    for (std::size_t i = 0; i < kPurposes.size(); ++i)
        if (containsAny(trace.text(frame.function), kPurposes[i].words)
            || containsAny(trace.text(frame.file), kPurposes[i].words))
            bits = static_cast<std::uint8_t>(bits | (1u << i));
    return bits;
}

/// Returns the purpose that the key of a private pool shows.
std::string_view nameOfKey(const PoolKey& key)
{
    return key.first != 0 ? "CUDA graph" : "MemPool";
}

/// The bytes for each name of a private pool, from recorded names and from stacks.
struct Votes
{
    std::map<std::string, Bytes> recorded;
    std::map<std::string, Bytes> stacks;
};

std::string nameWithMostBytes(const std::map<std::string, Bytes>& votes)
{
    return std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
}

std::map<PoolId, Votes> votesOf(const AllocationTable& allocations)
{
    const Trace& trace = allocations.trace();
    const RecordedLabels labels(allocations);
    const std::vector<std::uint8_t> purposes
        = stackBitsByFunction(trace.stacks, [&](const Frame& frame) { return purposesOf(trace, frame); });
    std::map<PoolId, Votes> votes;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        const PoolId pool = allocations.pool(i);
        if (!trace.isPrivate(pool))
            continue;
        Votes& poolVotes = votes[pool];
        if (const LabelId label = labels.of(i); !label.isNone() && !labels.pool(label).empty())
            poolVotes.recorded[std::string(labels.pool(label))] += allocations.bytes(i);
        const StackId stack = allocations.stack(i);
        const std::uint8_t bits = stack.isNone() ? std::uint8_t{0} : purposes[stack.index()];
        for (std::size_t purpose = 0; purpose < kPurposes.size(); ++purpose)
            if ((bits & (1u << purpose)) != 0) {
                poolVotes.stacks[std::string(kPurposes[purpose].name)] += allocations.bytes(i);
                break;
            }
    }
    return votes;
}

} // namespace

PoolNames::PoolNames(const AllocationTable& allocations)
    : m_trace(allocations.trace())
    , m_names(m_trace.pools.size())
{
    if (std::ranges::all_of(m_trace.pools, &PoolKey::isDefault))
        return;
    for (std::size_t pool = 0; pool < m_names.size(); ++pool)
        if (!m_trace.pools[pool].isDefault())
            m_names[pool] = nameOfKey(m_trace.pools[pool]);
    for (const auto& [pool, votes] : votesOf(allocations))
        if (!votes.recorded.empty())
            m_names[pool.index()] = nameWithMostBytes(votes.recorded);
        else if (!votes.stacks.empty())
            m_names[pool.index()] = nameWithMostBytes(votes.stacks);
}

const std::string& PoolNames::name(PoolId pool) const
{
    static const std::string noName;
    return pool.isNone() ? noName : m_names[pool.index()];
}

std::string PoolNames::label(PoolId pool) const
{
    const std::string& purpose = name(pool);
    return purpose.empty() ? m_trace.poolLabel(pool) : m_trace.poolLabel(pool) + ": " + purpose;
}

} // namespace highwater
