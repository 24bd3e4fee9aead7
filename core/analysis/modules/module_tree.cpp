#include "core/analysis/modules/module_tree.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/hash.h"

namespace highwater {

namespace {

/// Adds all but the passes, which may be the same ones.
void addAll(ModuleBytes& sum, const ModuleBytes& part)
{
    sum.bytes += part.bytes;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        sum.byCategory[i] += part.byCategory[i];
    for (std::size_t i = 0; i < kModuleSourceCount; ++i)
        sum.bySource[i] += part.bySource[i];
    sum.allocations += part.allocations;
}

/// Appends the rows from `first` to `end`, of like modules only the largest.
void appendBrief(
    std::vector<ModuleRow>& result, const std::vector<ModuleRow>& rows, std::size_t first, std::size_t end)
{
    for (std::size_t row = first; row < end; row = endOfRow(rows, row)) {
        result.push_back(rows[row]);
        const std::size_t endOfThis = endOfRow(rows, row);
        if (rows[row].likeCount == 1) {
            appendBrief(result, rows, row + 1, endOfThis);
            continue;
        }
        std::size_t largest = row + 1;
        for (std::size_t like = row + 1; like < endOfThis; like = endOfRow(rows, like))
            if (rows[like].all.bytes > rows[largest].all.bytes)
                largest = like;
        appendBrief(result, rows, largest, endOfRow(rows, largest));
    }
}

/// Adds up allocations by module and builds the tree of the modules that occur.
class Tree
{
public:
    Tree(const ModuleTable& modules, const AllocationTable& allocations, const CategoryTable& categories)
        : m_modules(modules)
        , m_allocations(allocations)
        , m_categories(categories)
    {
    }

    void add(AllocationIndex i)
    {
        const ModuleId module = m_modules.of(i);
        if (module.isNone()) {
            const auto reason = static_cast<std::size_t>(m_modules.reason(i));
            m_withoutModule[reason].own += m_allocations.bytes(i);
            addTo(m_withoutModule[reason].all, i);
            return;
        }
        for (ModuleId ancestor = module; !ancestor.isNone(); ancestor = m_modules.node(ancestor).caller) {
            ModuleRow& row = rowOf(ancestor);
            addTo(row.all, i);
            if (ancestor == module)
                row.own += m_allocations.bytes(i);
            m_passes.emplace_back(ancestor.value(), m_modules.pass(i));
        }
    }

    std::vector<ModuleRow> makeRows()
    {
        countPasses();
        std::vector<ModuleRow> result;
        appendCalled(result, ModuleId(), 0);
        for (std::size_t reason = 0; reason < kNoModuleReasons; ++reason)
            if (m_withoutModule[reason].all.allocations > 0) {
                m_withoutModule[reason].reason = static_cast<NoModule>(reason);
                result.push_back(m_withoutModule[reason]);
            }
        return result;
    }

private:
    void addTo(ModuleBytes& sum, AllocationIndex i) const
    {
        const Bytes bytes = m_allocations.bytes(i);
        sum.bytes += bytes;
        sum.byCategory[static_cast<std::size_t>(m_categories.of(i))] += bytes;
        if (!m_modules.of(i).isNone())
            sum.bySource[static_cast<std::size_t>(m_modules.source(i))] += bytes;
        ++sum.allocations;
    }

    ModuleRow& rowOf(ModuleId module)
    {
        const auto [found, isNew] = m_slots.try_emplace(module.value(), m_rows.size());
        if (isNew) {
            m_rows.push_back({.module = module});
            const auto next = static_cast<std::uint32_t>(m_kindNumbers.size());
            m_kinds.push_back(m_kindNumbers.try_emplace(m_modules.kind(module), next).first->second);
            m_called[m_modules.node(module).caller.value()].push_back(module);
        }
        return m_rows[found->second];
    }

    /// Counts each call of the outermost module once per module.
    void countPasses()
    {
        std::ranges::sort(m_passes);
        m_passes.erase(std::unique(m_passes.begin(), m_passes.end()), m_passes.end());
        for (const auto& [module, pass] : m_passes)
            ++m_rows[m_slots.at(module)].all.passes;
    }

    /// Sorts modules by bytes. Modules of one kind stay together, in their order, and are ranked by their
    /// sum.
    void sortCalled(std::vector<ModuleId>& called)
    {
        NumberMap<std::uint32_t, Bytes> bytesOfKind;
        for (const ModuleId module : called)
            bytesOfKind[kindOf(module)] += m_rows[m_slots.at(module.value())].all.bytes;
        std::ranges::sort(called, {}, [&](ModuleId module) {
            const std::uint32_t kind = kindOf(module);
            return std::tuple(-bytesOfKind.at(kind), kind, m_modules.number(module), module.value());
        });
    }

    std::uint32_t kindOf(ModuleId module) const { return m_kinds[m_slots.at(module.value())]; }

    /// Returns the number of like modules from `first` on.
    std::size_t likeModules(const std::vector<ModuleId>& called, std::size_t first) const
    {
        std::size_t end = first;
        if (m_modules.number(called[first]) >= 0)
            while (end < called.size() && kindOf(called[end]) == kindOf(called[first]))
                ++end;
        return end - first >= kFewestLike ? end - first : 1;
    }

    ModuleRow sumOf(std::span<const ModuleId> like, int depth) const
    {
        ModuleRow sum{.module = like.front(), .depth = depth};
        sum.likeCount = static_cast<std::int32_t>(like.size());
        sum.lastNumber = m_modules.number(like.back());
        std::vector<std::uint32_t> passes;
        for (const ModuleId module : like) {
            const ModuleRow& row = m_rows[m_slots.at(module.value())];
            addAll(sum.all, row.all);
            sum.own += row.own;
            const auto first = std::ranges::lower_bound(m_passes, std::pair(module.value(), 0u));
            for (auto at = first; at != m_passes.end() && at->first == module.value(); ++at)
                passes.push_back(at->second);
        }
        std::ranges::sort(passes);
        passes.erase(std::unique(passes.begin(), passes.end()), passes.end());
        sum.all.passes = static_cast<std::int64_t>(passes.size());
        return sum;
    }

    void appendCalled(std::vector<ModuleRow>& result, ModuleId caller, int depth)
    {
        const auto found = m_called.find(caller.value());
        if (found == m_called.end())
            return;
        std::vector<ModuleId> called = found->second;
        sortCalled(called);
        for (std::size_t first = 0; first < called.size();) {
            const std::size_t count = likeModules(called, first);
            const std::span<const ModuleId> like(called.data() + first, count);
            if (count > 1)
                result.push_back(sumOf(like, depth));
            for (const ModuleId module : like)
                appendModule(result, module, count > 1 ? depth + 1 : depth);
            first += count;
        }
    }

    void appendModule(std::vector<ModuleRow>& result, ModuleId module, int depth)
    {
        result.push_back(m_rows[m_slots.at(module.value())]);
        result.back().depth = depth;
        appendCalled(result, module, depth + 1); // ends, because the depth of modules is limited
    }

    const ModuleTable& m_modules;
    const AllocationTable& m_allocations;
    const CategoryTable& m_categories;
    std::vector<ModuleRow> m_rows;
    std::vector<std::uint32_t> m_kinds; ///< by row: index of its kind
    std::unordered_map<std::string, std::uint32_t> m_kindNumbers;
    NumberMap<std::uint32_t, std::size_t> m_slots; ///< by module
    NumberMap<std::uint32_t, std::vector<ModuleId>> m_called; ///< by caller
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_passes; ///< module, pass
    std::array<ModuleRow, kNoModuleReasons> m_withoutModule;
};

} // namespace

std::vector<ModuleRow> moduleTree(const ModuleTable& modules, const AllocationTable& allocations,
    const CategoryTable& categories, std::span<const AllocationIndex> given)
{
    Tree tree(modules, allocations, categories);
    for (const AllocationIndex i : given)
        tree.add(i);
    return tree.makeRows();
}

std::size_t endOfRow(const std::vector<ModuleRow>& rows, std::size_t row)
{
    std::size_t end = row + 1;
    while (end < rows.size() && rows[end].depth > rows[row].depth)
        ++end;
    return end;
}

std::vector<ModuleRow> largestRows(const std::vector<ModuleRow>& rows, std::size_t count)
{
    if (count == 0)
        return rows;
    std::vector<ModuleRow> brief;
    appendBrief(brief, rows, 0, rows.size());
    std::vector<std::size_t> order(brief.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The sort is stable, so among rows with equal bytes a module comes before the modules that it calls.
    std::ranges::stable_sort(
        order, std::ranges::greater(), [&](std::size_t i) { return brief[i].all.bytes; });
    std::vector<bool> isKept(brief.size());
    for (std::size_t nth = 0; nth < order.size(); ++nth)
        isKept[order[nth]] = nth < count || brief[order[nth]].depth == 0;
    std::vector<ModuleRow> result;
    for (std::size_t i = 0; i < brief.size(); ++i)
        if (isKept[i])
            result.push_back(brief[i]);
    return result;
}

std::string titleOf(const ModuleTable& modules, const ModuleRow& row)
{
    if (row.module.isNone())
        return std::string(titleOf(row.reason));
    if (row.likeCount == 1)
        return modules.title(row.module);
    const std::string kind = modules.kindTitle(row.module);
    const std::int32_t first = modules.number(row.module);
    switch (modules.naming(row.module)) {
    case ModuleNaming::Label:
        return fmt::format("{}.{}–{} ({} modules)", kind, first, row.lastNumber, row.likeCount);
    case ModuleNaming::Instance:
        return fmt::format("{}_{}–{} ({} × {})", kind, first, row.lastNumber, row.likeCount, kind);
    case ModuleNaming::Function: break;
    }
    return fmt::format("{} × {}", row.likeCount, kind);
}

std::string shortPathOf(const ModuleTable& modules, const ModuleRow& row)
{
    if (row.module.isNone() || row.likeCount == 1)
        return row.module.isNone() ? titleOf(modules, row) : modules.shortPath(row.module, true);
    const ModuleId caller = modules.node(row.module).caller;
    const std::string own = titleOf(modules, row);
    return caller.isNone() ? own : fmt::format("{} / {}", modules.shortPath(caller, true), own);
}

} // namespace highwater
