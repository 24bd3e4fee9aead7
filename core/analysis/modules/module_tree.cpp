#include "core/analysis/modules/module_tree.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/hash.h"

namespace highwater {

namespace {

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
        for (std::size_t reason = 0; reason < kNoModules; ++reason)
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
        const auto [found, fresh] = m_slots.try_emplace(module.value(), m_rows.size());
        if (fresh) {
            m_rows.push_back({.module = module});
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

    /// Sorts modules by bytes. Layers called from one place stay together, in their order, and are ranked by
    /// their sum.
    void sortCalled(std::vector<ModuleId>& called)
    {
        const auto place = [&](ModuleId module) {
            const ModuleNode& node = m_modules.node(module);
            return std::pair(node.call.value(), node.label);
        };
        NumberMap<std::pair<std::uint32_t, std::uint32_t>, Bytes> bytesOfPlace;
        for (const ModuleId module : called)
            bytesOfPlace[place(module)] += m_rows[m_slots.at(module.value())].all.bytes;
        std::ranges::sort(called, {}, [&](ModuleId module) {
            return std::tuple(-bytesOfPlace.at(place(module)), place(module), m_modules.node(module).number);
        });
    }

    void appendCalled(std::vector<ModuleRow>& result, ModuleId caller, int depth)
    {
        const auto found = m_called.find(caller.value());
        if (found == m_called.end())
            return;
        sortCalled(found.value());
        for (const ModuleId module : std::vector<ModuleId>(found->second)) {
            result.push_back(m_rows[m_slots.at(module.value())]);
            result.back().depth = depth;
            appendCalled(result, module, depth + 1); // ends, because the depth of modules is limited
        }
    }

    const ModuleTable& m_modules;
    const AllocationTable& m_allocations;
    const CategoryTable& m_categories;
    std::vector<ModuleRow> m_rows;
    NumberMap<std::uint32_t, std::size_t> m_slots; ///< by module
    NumberMap<std::uint32_t, std::vector<ModuleId>> m_called; ///< by caller
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_passes; ///< module, pass
    std::array<ModuleRow, kNoModules> m_withoutModule;
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

std::vector<ModuleRow> largestRows(const std::vector<ModuleRow>& rows, std::size_t count)
{
    if (count == 0 || count >= rows.size())
        return rows;
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The sort is stable, so among rows with equal bytes a module comes before the modules that it calls.
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return rows[i].all.bytes; });
    std::vector<bool> isKept(rows.size());
    for (std::size_t nth = 0; nth < order.size(); ++nth)
        isKept[order[nth]] = nth < count || rows[order[nth]].depth == 0;
    std::vector<ModuleRow> result;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (isKept[i])
            result.push_back(rows[i]);
    return result;
}

} // namespace highwater
