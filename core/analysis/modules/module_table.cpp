#include "core/analysis/modules/module_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/analysis/modules/module_names.h"
#include "core/analysis/usage/recorded_labels.h"
#include "core/base/hash.h"

// Finds the module of each allocation. Input: the allocations in the order of their birth, with the chain of
// module calls in each stack (`ModuleCalls`), and labels if the program recorded any. Idea: the chain of open
// calls is kept from one allocation to the next. A call that is in the next chain, too, is still open. But if
// its first allocation is repeated after others, the same place has called the module again: the next layer
// of a loop.
//
// Example: `gpt` calls `block` in a loop; each `block` makes two allocations in a norm and one in a linear,
// and `gpt` makes one in its head: norm, norm, linear, norm, norm, linear, head (all of 10 bytes). The second
// norm repeats the first allocation, but follows it directly, so it belongs to the same call. The third norm
// repeats it after a linear, so block [1] begins. Result: gpt / block [0] / normalization twice, gpt / block
// [0] / linear, the same three for block [1], and gpt for the head.
namespace highwater {

/// Reads the allocations in the order of their birth.
class ModuleTable::Builder
{
public:
    explicit Builder(ModuleTable& table)
        : m_table(table)
        , m_labels(table.m_allocations)
    {
    }

    void read(AllocationIndex i)
    {
        readFrames(i);
        readLabels(i);
    }

    /// Reads an allocation older than the trace: the order is unknown, so it gets no layer of a loop.
    void readOlder(AllocationIndex i)
    {
        const ModuleCallId innermost = m_table.m_calls.callOf(m_table.m_allocations.stack(i));
        if (m_table.m_allocations.stackOrigin(i) == StackOrigin::Free || innermost.isNone()
            || m_table.m_calls.call(innermost).isRecomputed)
            return;
        for (const ModuleCallId call : chainOf(innermost))
            m_table.m_moduleOf[i] = unnumbered(m_table.m_moduleOf[i], call);
    }

    /// Removes the number of a module that its place calls only once.
    void dropLoneNumbers()
    {
        NumberMap<std::uint64_t, std::int32_t> largestNumber;
        const auto keyOf = [](const ModuleNode& node) {
            return std::uint64_t{node.caller.value()} << 32 | node.call.value();
        };
        for (const ModuleNode& node : m_table.m_nodes) {
            auto [entry, isNew] = largestNumber.try_emplace(keyOf(node), node.number);
            entry.value() = std::max(entry->second, node.number);
        }
        for (ModuleNode& node : m_table.m_nodes)
            if (!node.call.isNone() && (node.caller.isNone() || largestNumber.at(keyOf(node)) == 0))
                node.number = -1;
    }

private:
    /// A module call that has not ended.
    struct OpenCall
    {
        ModuleId node;
        ModuleCallId call;
        StackId first; ///< stack of its first allocation
        Bytes firstBytes = 0;
        bool sawOtherStack = false; ///< an allocation with another stack followed
        std::vector<std::pair<ModuleCallId, std::int32_t>> numbers; ///< last number of each called module

        std::int32_t nextNumber(ModuleCallId id)
        {
            const auto found = std::ranges::find(numbers, id, &std::pair<ModuleCallId, std::int32_t>::first);
            if (found != numbers.end())
                return ++found->second;
            numbers.emplace_back(id, 0);
            return 0;
        }
    };

    void readFrames(AllocationIndex i)
    {
        const StackId stack = m_table.m_allocations.stack(i);
        const ModuleCallId innermost = m_table.m_calls.callOf(stack);
        if (m_table.m_allocations.stackOrigin(i) == StackOrigin::Free)
            return;
        if (innermost.isNone()) {
            // While the script itself or its backward allocates, no module runs.
            if (m_table.reason(i) != NoModule::NoFrames)
                m_open.clear();
            return;
        }
        if (m_table.m_calls.call(innermost).isRecomputed)
            return;
        updateOpenCalls(chainOf(innermost), stack, m_table.m_allocations.bytes(i));
        m_table.m_moduleOf[i] = m_open.back().node;
        m_table.m_pass[i] = m_passes[m_open.front().call.index()] - 1;
    }

    void readLabels(AllocationIndex i)
    {
        if (m_labels.empty())
            return;
        const ModuleId enclosing = labelledNode(ModuleId(), m_labels.of(i));
        const ModuleId node = labelledNode(enclosing, m_labels.attachedTo(i));
        if (node.isNone())
            return;
        m_table.m_moduleOf[i] = node;
        m_table.m_source[i] = ModuleSource::Label;
    }

    ModuleId labelledNode(ModuleId enclosing, LabelId label)
    {
        if (label.isNone() || m_labels.text(label).empty())
            return enclosing;
        const auto key = std::pair(enclosing.value(), label.value());
        if (const auto found = m_labelled.find(key); found != m_labelled.end())
            return found->second;
        ModuleId node = enclosing;
        for (const std::string& name : moduleNames(m_labels.text(label)))
            node = namedNode(node, name);
        m_labelled.try_emplace(key, node);
        return node;
    }

    ModuleId namedNode(ModuleId caller, const std::string& name)
    {
        const auto [key, isNewName] = m_names.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
        const auto [found, isNew] = m_named.try_emplace(std::pair(caller.value(), key->second),
            ModuleId(static_cast<std::uint32_t>(m_table.m_nodes.size())));
        if (isNew) {
            const auto [stem, number] = numberedName(name);
            const auto [text, isNewText]
                = m_stems.try_emplace(std::string(stem), static_cast<std::uint32_t>(m_table.m_labels.size()));
            if (isNewText)
                m_table.m_labels.emplace_back(stem);
            m_table.m_nodes.push_back(
                {.caller = caller, .call = {}, .number = number, .label = text->second});
        }
        return found->second;
    }

    const std::vector<ModuleCallId>& chainOf(ModuleCallId call)
    {
        const auto [found, isNew] = m_chains.try_emplace(call.value());
        if (isNew)
            found.value() = m_table.m_calls.chain(call);
        return found->second;
    }

    /// True if the allocation repeats the first one of the call. The size counts, because a module that calls
    /// the same code twice in one line (`proj(gelu(fc(x)))`) repeats its first stack with another size.
    static bool repeatsFirst(const OpenCall& open, StackId stack, Bytes bytes)
    {
        return open.first == stack && open.firstBytes == bytes;
    }

    void updateOpenCalls(const std::vector<ModuleCallId>& chain, StackId stack, Bytes bytes)
    {
        std::size_t level = 0;
        while (level < m_open.size() && level < chain.size() && m_open[level].call == chain[level])
            ++level;
        // The innermost match counts, because a model may begin with its first layer. Several first
        // allocations in a row belong to one call. The outermost call ends only when something is made
        // outside it, because it may be a series of layers of one kind.
        for (std::size_t common = level; common-- > 1;)
            if (repeatsFirst(m_open[common], stack, bytes)) {
                level = m_open[common].sawOtherStack ? common : level;
                break;
            }
        m_open.resize(level);
        for (OpenCall& open : m_open)
            open.sawOtherStack |= open.first != stack;
        for (; level < chain.size(); ++level)
            openCall(chain[level], stack, bytes);
    }

    void openCall(ModuleCallId call, StackId stack, Bytes bytes)
    {
        std::int32_t number = 0;
        ModuleId caller;
        if (m_open.empty()) {
            m_passes.resize(m_table.m_calls.size());
            m_passes[call.index()] += 1;
        } else {
            number = m_table.m_calls.isNamed(call) ? 0 : m_open.back().nextNumber(call);
            caller = m_open.back().node;
        }
        m_open.push_back({nodeOf({caller, call, number}), call, stack, bytes, false, {}});
    }

    ModuleId nodeOf(const ModuleNode& node)
    {
        const std::uint64_t place = std::uint64_t{node.caller.value()} << 32 | node.call.value();
        auto& byNumber = m_nodesAt[place];
        const auto number = static_cast<std::size_t>(node.number);
        if (byNumber.size() <= number)
            byNumber.resize(number + 1);
        if (byNumber[number].isNone()) {
            byNumber[number] = ModuleId(static_cast<std::uint32_t>(m_table.m_nodes.size()));
            m_table.m_nodes.push_back(node);
        }
        return byNumber[number];
    }

    /// Returns the only module that the place calls, else a node without number for all of them.
    ModuleId unnumbered(ModuleId caller, ModuleCallId call)
    {
        const std::uint64_t place = std::uint64_t{caller.value()} << 32 | call.value();
        if (const auto known = m_nodesAt.find(place); known != m_nodesAt.end() && known->second.size() == 1)
            return known->second.front();
        const auto [found, isNew]
            = m_unnumbered.try_emplace(place, ModuleId(static_cast<std::uint32_t>(m_table.m_nodes.size())));
        if (isNew)
            m_table.m_nodes.push_back({caller, call});
        return found->second;
    }

    ModuleTable& m_table;
    RecordedLabels m_labels;
    std::unordered_map<std::string, std::uint32_t> m_names; ///< label names → number
    /// Label names without their numbers → index into m_table.m_labels.
    std::unordered_map<std::string, std::uint32_t> m_stems;
    /// By enclosing module and label.
    NumberMap<std::pair<std::uint32_t, std::uint32_t>, ModuleId> m_labelled;
    NumberMap<std::pair<std::uint32_t, std::uint32_t>, ModuleId> m_named; ///< by caller and name
    std::vector<OpenCall> m_open; ///< outermost first
    NumberMap<std::uint32_t, std::vector<ModuleCallId>> m_chains;
    NumberMap<std::uint64_t, std::vector<ModuleId>> m_nodesAt;
    NumberMap<std::uint64_t, ModuleId> m_unnumbered;
    std::vector<std::uint32_t> m_passes; ///< by call
};

ModuleTable::ModuleTable(const Trace& trace, const AllocationTable& allocations, const CallSites& sites)
    : m_allocations(allocations)
    , m_sites(sites)
    , m_calls(trace)
    , m_moduleOf(allocations.size())
    , m_source(allocations.size(), ModuleSource::Frames)
    , m_pass(allocations.size(), 0)
{
    Builder builder(*this);
    const auto older = static_cast<AllocationIndex>(allocations.olderCount());
    for (AllocationIndex i = older; i < allocations.size(); ++i)
        builder.read(i);
    builder.dropLoneNumbers();
    for (AllocationIndex i = 0; i < older; ++i)
        builder.readOlder(i);
    inferBackward();
}

void ModuleTable::inferBackward()
{
    const auto isPython = [&](AllocationIndex i) {
        const SiteKind kind = m_sites.kind(m_sites.of(i));
        return kind == SiteKind::User || kind == SiteKind::Library;
    };
    // Blocks that Python code allocated, by death. Blocks in no module are included, because memory that is
    // allocated right before one of them is freed is in no module either.
    std::vector<AllocationIndex> freed;
    for (AllocationIndex i = 0; i < m_allocations.size(); ++i)
        if (isPython(i) && m_allocations.death(i) != AllocationTable::kNeverFreed)
            freed.push_back(i);
    std::ranges::sort(freed, {}, [&](AllocationIndex i) { return m_allocations.death(i); });
    // Autograd mostly saves what an operation reads, and a block is mostly read by the next module.
    std::vector<ModuleId> moduleAfter(m_allocations.size());
    ModuleId last;
    ModuleId following; // the next one that differs from `last`
    for (auto i = static_cast<AllocationIndex>(m_allocations.size()); i-- > m_allocations.olderCount();) {
        if (!isPython(i))
            continue;
        if (m_moduleOf[i] != last)
            following = std::exchange(last, m_moduleOf[i]);
        moduleAfter[i] = following;
    }
    std::int32_t pythonBirth = AllocationTable::kNeverFreed; // birth of the next block that Python code makes
    std::size_t nextFreed = freed.size(); // the first block freed after `birth`
    for (auto i = static_cast<AllocationIndex>(m_allocations.size()); i-- > m_allocations.olderCount();) {
        const std::int32_t birth = m_allocations.birth(i);
        while (nextFreed > 0 && m_allocations.death(freed[nextFreed - 1]) > birth)
            --nextFreed;
        if (isPython(i)) {
            pythonBirth = birth;
        } else if (m_moduleOf[i].isNone() && nextFreed < freed.size()
            && m_allocations.death(freed[nextFreed]) < pythonBirth) {
            const ModuleId maker = m_moduleOf[freed[nextFreed]];
            const ModuleId after = moduleAfter[freed[nextFreed]];
            const ModuleId common = commonOf(maker, after);
            // A block made deeper than directly in `common` was read in the child that contains `after`.
            const bool isNear = common.isNone() || depth(maker) - depth(common) <= 1;
            m_moduleOf[i] = layerOf(isNear ? common : outer(after, depth(common) + 1));
            m_pass[i] = m_pass[freed[nextFreed]];
            m_source[i] = ModuleSource::Backward;
        }
    }
}

NoModule ModuleTable::reason(AllocationIndex i) const
{
    const ModuleCallId call = m_calls.callOf(m_allocations.stack(i));
    if (!call.isNone() && m_calls.call(call).isRecomputed)
        return NoModule::Recomputed;
    switch (m_sites.kind(m_sites.of(i))) {
    case SiteKind::User:
    case SiteKind::Library: return NoModule::Outside;
    case SiteKind::Backward: return NoModule::Backward;
    case SiteKind::Native:
    case SiteKind::NoStack: break;
    }
    return NoModule::NoFrames;
}

ModuleId ModuleTable::commonOf(ModuleId a, ModuleId b) const
{
    const int common = std::min(depth(a), depth(b));
    a = outer(a, common);
    b = outer(b, common);
    while (a != b) {
        a = m_nodes[a.index()].caller;
        b = m_nodes[b.index()].caller;
    }
    return a;
}

ModuleId ModuleTable::layerOf(ModuleId id) const
{
    ModuleId layer;
    for (ModuleId at = id; !at.isNone(); at = m_nodes[at.index()].caller)
        if (m_nodes[at.index()].number >= 0)
            layer = at;
    if (!layer.isNone() || id.isNone())
        return layer;
    const ModuleId caller = m_nodes[id.index()].caller;
    return caller.isNone() ? id : caller;
}

int ModuleTable::depth(ModuleId id) const
{
    int depth = 0;
    for (; !id.isNone(); id = m_nodes[id.index()].caller)
        ++depth;
    return depth;
}

ModuleId ModuleTable::outer(ModuleId id, int depth) const
{
    for (int current = this->depth(id); current > depth; --current)
        id = m_nodes[id.index()].caller;
    return id;
}

} // namespace highwater
