#include "core/analysis/composition/composition.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "core/analysis/modules/module_table.h"
#include "core/analysis/usage/pool_names.h"
#include "core/base/hash.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::string_view kVariantPrefix = "\n(other C++ frames, variant ";

constexpr std::array<std::string_view, 10> kKeyNames
    = {"stack", "site", "function", "file", "size", "stream", "pool", "allocation", "module", "category"};

/// Adds allocations to groups. Groups are keyed by a number, because making their texts is slow.
class GroupAccumulator
{
public:
    /// Returns the index of the group.
    std::uint32_t add(std::uint64_t id, AllocationIndex allocation, Bytes bytes)
    {
        const auto [found, isNew] = m_groupOfId.try_emplace(id, static_cast<std::uint32_t>(m_groups.size()));
        if (isNew) {
            m_groups.push_back({});
            m_largestBlock.push_back(-1);
        }
        CompositionGroup& group = m_groups[found->second];
        group.bytes += bytes;
        ++group.count;
        if (bytes > m_largestBlock[found->second]) {
            m_largestBlock[found->second] = bytes;
            group.example = allocation;
        }
        return found->second;
    }
    std::vector<CompositionGroup>& groups() { return m_groups; }

private:
    NumberMap<std::uint64_t, std::uint32_t> m_groupOfId;
    std::vector<CompositionGroup> m_groups;
    std::vector<Bytes> m_largestBlock;
};

/// Makes the texts of many stacks; the line of each frame is made only once.
class StackTexts
{
public:
    /// `textOfName` formats a name of the trace for its line.
    StackTexts(const Trace& trace, std::string (*textOfName)(std::string_view))
        : m_trace(trace)
        , m_textOfName(textOfName)
    {
    }

    std::string textOf(StackId stack)
    {
        const std::string python = linesOf(stack, FrameKind::Python);
        return python.empty() ? linesOf(stack, FrameKind::Native) : python;
    }

private:
    std::string linesOf(StackId stack, FrameKind kind)
    {
        std::string lines;
        for (StackId node = stack; m_trace.stacks.hasFrames(node); node = m_trace.stacks.caller(node)) {
            const FrameId frame = m_trace.stacks.innermost(node);
            if (m_trace.stacks.kindOf(frame) == kind)
                (lines += lines.empty() ? "" : "\n") += lineOf(frame);
        }
        return lines;
    }

    const std::string& lineOf(FrameId id)
    {
        const auto [found, isNew] = m_lines.try_emplace(id);
        if (isNew) {
            const Frame& frame = m_trace.stacks.frame(id);
            std::string& line = found.value();
            line = m_textOfName(m_trace.text(frame.function));
            if (frame.kind == FrameKind::Python)
                line += fmt::format(" ({}{})", m_textOfName(m_trace.text(frame.file)),
                    frame.line > 0 ? fmt::format(":{}", frame.line) : std::string());
        }
        return found->second;
    }

    const Trace& m_trace;
    std::string (*m_textOfName)(std::string_view);
    NumberMap<FrameId, std::string> m_lines;
};

class Grouper
{
public:
    Grouper(const Trace& trace, const AllocationTable& allocations, const CallSites& sites, GroupKey key,
        const CategoryTable* categories)
        : m_trace(trace)
        , m_allocations(allocations)
        , m_sites(sites)
        , m_key(key)
        , m_categories(categories)
        , m_stackTexts(trace, nameText)
    {
        if (key == GroupKey::Module)
            m_modules.emplace(trace, allocations, sites);
        if (key == GroupKey::Pool)
            m_pools.emplace(allocations);
    }

    std::uint64_t idOf(AllocationIndex i)
    {
        switch (m_key) {
        case GroupKey::Stack:
            return hasFrames(i) ? m_allocations.stack(i).value() | (isFreed(i) ? kFreedBit : 0)
                                : kNoStackBit | m_sites.of(i).value();
        case GroupKey::Site: return m_sites.of(i).value();
        case GroupKey::Function:
        case GroupKey::File: return textIdOf(i);
        case GroupKey::Module: return moduleIdOf(i);
        case GroupKey::Size: return static_cast<std::uint64_t>(m_allocations.bytes(i));
        case GroupKey::Stream: return m_allocations.stream(i).value();
        case GroupKey::Pool: return m_allocations.pool(i).value();
        case GroupKey::Allocation: return i;
        case GroupKey::Category: return static_cast<std::uint64_t>(categoryOf(i));
        }
        return 0;
    }

    std::string keyText(AllocationIndex i)
    {
        switch (m_key) {
        case GroupKey::Stack:
            return hasFrames(i) ? freedPrefix(i) + m_stackTexts.textOf(m_allocations.stack(i)) : siteKey(i);
        case GroupKey::Site: return siteKey(i);
        case GroupKey::Function: return functionOrFile(i, true);
        case GroupKey::File: return functionOrFile(i, false);
        case GroupKey::Size: return formatExactBytes(m_allocations.bytes(i));
        case GroupKey::Stream: return m_trace.streamLabel(m_allocations.stream(i));
        case GroupKey::Pool: return m_pools->label(m_allocations.pool(i));
        case GroupKey::Module: return moduleKey(i);
        case GroupKey::Category: return std::string(toText(categoryOf(i)));
        case GroupKey::Allocation: break;
        }
        return allocationText(m_allocations, i);
    }

private:
    static constexpr std::uint64_t kNoStackBit = std::uint64_t{1} << 40;
    static constexpr std::uint64_t kFreedBit = std::uint64_t{1} << 41;
    static constexpr std::uint64_t kNoModuleBit = std::uint64_t{1} << 42;

    Category categoryOf(AllocationIndex i) const
    {
        return m_categories ? m_categories->of(i) : Category::Unknown;
    }
    bool hasFrames(AllocationIndex i) const { return m_trace.stacks.hasFrames(m_allocations.stack(i)); }
    bool isFreed(AllocationIndex i) const { return m_sites.isFreed(m_sites.of(i)); }
    std::string freedPrefix(AllocationIndex i) const
    {
        return isFreed(i) ? std::string(kFreedBy) : std::string();
    }

    std::string siteKey(AllocationIndex i) const { return m_sites.site(m_sites.of(i)).key; }

    std::uint64_t moduleIdOf(AllocationIndex i) const
    {
        const ModuleId module = m_modules->of(i);
        return module.isNone() ? kNoModuleBit | static_cast<std::uint64_t>(m_modules->reason(i))
                               : std::uint64_t{module.value()};
    }

    std::string moduleKey(AllocationIndex i) const
    {
        const ModuleId module = m_modules->of(i);
        return module.isNone() ? std::string(titleOf(m_modules->reason(i))) : m_modules->path(module);
    }

    /// Returns the function (with its file, but without the line) or the file of the frame that the call site
    /// names.
    std::string functionOrFile(AllocationIndex i, bool wantsFunction) const
    {
        const FrameId id = m_sites.frame(m_sites.of(i));
        if (id.isNone())
            return siteKey(i);
        const Frame frame = m_trace.stacks.frame(id);
        const std::string file = nameText(m_trace.text(frame.file));
        return freedPrefix(i)
            + (wantsFunction ? fmt::format("{} ({})", nameText(m_trace.text(frame.function)), file) : file);
    }

    /// Returns the ID of the key text. Allocations with the same stack and site have the same text, so it is
    /// made only once.
    std::uint64_t textIdOf(AllocationIndex i)
    {
        const std::uint64_t stack
            = std::uint64_t{m_allocations.stack(i).value()} << 32 | m_sites.of(i).value();
        const auto known = m_textOfStack.find(stack);
        if (known != m_textOfStack.end())
            return known->second;
        return m_textOfStack.emplace(stack, m_texts.intern(keyText(i)).value()).first->second;
    }

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    GroupKey m_key;
    const CategoryTable* m_categories;
    StackTexts m_stackTexts;
    std::optional<ModuleTable> m_modules; ///< only for key Module
    std::optional<PoolNames> m_pools; ///< only for key Pool
    StringPool m_texts;
    NumberMap<std::uint64_t, std::uint32_t> m_textOfStack;
};

/// Moves the groups to `sorted`, largest first (ties: by key). Returns the new index of each group.
std::vector<std::uint32_t> sortGroups(
    std::vector<CompositionGroup>& groups, std::vector<CompositionGroup>& sorted)
{
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return groups[a].bytes != groups[b].bytes ? groups[a].bytes > groups[b].bytes
                                                  : groups[a].key < groups[b].key;
    });
    std::vector<std::uint32_t> place(groups.size());
    sorted.reserve(groups.size());
    for (const std::uint32_t group : order) {
        place[group] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(groups[group]));
    }
    return place;
}

/// Makes keys unique by a number: stacks that differ only in C++ frames have the same text. `groups` must be
/// sorted by bytes, then key.
void numberEqualKeys(std::vector<CompositionGroup>& groups)
{
    tsl::robin_map<std::string_view, int> seen; // refers to keys that are not changed
    for (CompositionGroup& group : groups)
        if (const int times = ++seen[group.key]; times > 1)
            group.key = variantKey(group.key, times);
}

void addGradeAndReason(
    CompositionGroup& group, const CategoryTable& categories, AllocationIndex i, Bytes bytes)
{
    group.gradeBytes[static_cast<std::size_t>(categories.gradeOf(i))] += bytes;
    group.reasonBytes.resize(kCategoryReasonCount);
    group.reasonBytes[static_cast<std::size_t>(categories.reasonOf(i))] += bytes;
}

} // namespace

std::string variantKey(std::string_view text, int number)
{
    return fmt::format("{}{}{})", text, kVariantPrefix, number);
}

std::string_view withoutVariant(std::string_view key)
{
    return key.ends_with(')') ? key.substr(0, key.rfind(kVariantPrefix)) : key;
}

std::string_view toText(GroupKey key)
{
    return kKeyNames[static_cast<std::size_t>(key)];
}

std::optional<GroupKey> groupKeyFromText(std::string_view text)
{
    return valueNamed<GroupKey>(kKeyNames, text);
}

std::vector<std::pair<CategoryReason, Bytes>> CompositionGroup::reasons() const
{
    std::vector<std::pair<CategoryReason, Bytes>> reasons;
    for (std::size_t reason = 0; reason < reasonBytes.size(); ++reason)
        if (reasonBytes[reason] > 0)
            reasons.emplace_back(static_cast<CategoryReason>(reason), reasonBytes[reason]);
    std::ranges::stable_sort(reasons, std::greater(), &std::pair<CategoryReason, Bytes>::second);
    return reasons;
}

Composition compositionAt(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    std::int64_t event, GroupKey key, const CategoryTable* categories)
{
    Composition composition
        = groupAllocations(trace, allocations, sites, allocations.liveAt(event), key, categories).composition;
    composition.event = event;
    return composition;
}

GroupedAllocations groupAllocations(const Trace& trace, const AllocationTable& allocations,
    const CallSites& sites, std::span<const AllocationIndex> given, GroupKey key,
    const CategoryTable* categories)
{
    GroupedAllocations grouped;
    grouped.groupOf.reserve(given.size());
    Composition& composition = grouped.composition;
    GroupAccumulator accumulator;
    Grouper grouper(trace, allocations, sites, key, categories);
    for (const AllocationIndex i : given) {
        composition.bytes += allocations.bytes(i);
        ++composition.count;
        grouped.groupOf.push_back(accumulator.add(grouper.idOf(i), i, allocations.bytes(i)));
        if (key == GroupKey::Category && categories)
            addGradeAndReason(
                accumulator.groups()[grouped.groupOf.back()], *categories, i, allocations.bytes(i));
    }
    for (CompositionGroup& group : accumulator.groups())
        group.key = grouper.keyText(group.example);
    const std::vector<std::uint32_t> place = sortGroups(accumulator.groups(), composition.groups);
    for (std::uint32_t& group : grouped.groupOf)
        group = place[group];
    numberEqualKeys(composition.groups);
    return grouped;
}

std::string allocationText(const AllocationTable& allocations, AllocationIndex i)
{
    const std::int32_t birth = allocations.birth(i);
    const std::string birthText
        = birth < 0 ? "allocated before recording began" : fmt::format("event {}", formatCount(birth));
    return fmt::format("{} at {}", birthText, formatAddress(allocations.address(i)));
}

std::string stackText(const Trace& trace, StackId stack)
{
    return StackTexts(trace, sanitizedText).textOf(stack);
}

} // namespace highwater
