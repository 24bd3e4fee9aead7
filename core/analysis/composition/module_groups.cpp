#include "core/analysis/composition/module_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/analysis/modules/module_tree.h"

namespace highwater {

namespace {

/// Gives the groups of a family the name that like modules have in the table of modules.
void nameFamilies(
    const ModuleTable& modules, const std::vector<std::uint32_t>& values, std::vector<BandGroup>& groups)
{
    std::map<std::string, ModuleRow> families;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].isUnnamed)
            continue;
        const ModuleId module(values[i]);
        const auto [family, isNew] = families.try_emplace(groups[i].family, ModuleRow{module});
        ModuleRow& row = family->second;
        row.likeCount += isNew ? 0 : 1;
        row.lastNumber = std::max(row.lastNumber, modules.number(module));
        if (modules.number(module) < modules.number(row.module))
            row.module = module;
    }
    for (BandGroup& group : groups)
        if (const auto found = families.find(group.family); !group.isUnnamed && found != families.end()
            && found->second.likeCount >= static_cast<std::int32_t>(kFewestLike))
            group.familyTitle = titleOf(modules, found->second);
}

} // namespace

void distinguishModules(
    const ModuleTable& modules, const std::vector<std::uint32_t>& values, std::vector<BandGroup>& groups)
{
    for (const bool isPlaced : {true, false}) {
        std::map<std::string, int> uses;
        for (const BandGroup& group : groups)
            ++uses[group.label];
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (!groups[i].isUnnamed && uses[groups[i].label] > 1)
                groups[i].label = isPlaced ? modules.shortPath(ModuleId(values[i]), true) : groups[i].key;
    }
    std::set<ModuleId> callers;
    for (const std::uint32_t value : values)
        if (value < modules.size())
            callers.insert(modules.node(ModuleId(value)).caller);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (callers.contains(ModuleId(values[i])))
            groups[i].label += " itself";
    nameFamilies(modules, values, groups);
}

} // namespace highwater
