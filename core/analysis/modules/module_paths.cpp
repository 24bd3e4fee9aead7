#include <array>

#include <fmt/format.h>

#include "core/analysis/modules/module_table.h"

/// The texts of `ModuleTable`: names and paths of modules.
namespace highwater {

std::string ModuleTable::baseName(ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    return node.call.isNone() ? m_labels[node.label] : m_calls.name(node.call);
}

std::string ModuleTable::name(ModuleId id) const
{
    const std::int32_t number = m_nodes[id.index()].number;
    return number < 0 ? baseName(id) : fmt::format("{}[{}]", baseName(id), number);
}

std::string ModuleTable::shortPath(ModuleId id, bool isPlaced) const
{
    const ModuleId caller = m_nodes[id.index()].caller;
    if (!caller.isNone())
        return fmt::format("{} / {}", shortPath(caller, isPlaced), name(id));
    const std::string place = isPlaced ? calledAt(id) : std::string();
    return place.empty() ? name(id) : fmt::format("{} {}", name(id), place);
}

std::string ModuleTable::family(ModuleId id) const
{
    const ModuleId caller = m_nodes[id.index()].caller;
    return fmt::format(
        "{} / {} ({})", caller.isNone() ? std::string() : path(caller), baseName(id), calledAt(id));
}

std::string ModuleTable::calledAt(ModuleId id) const
{
    const ModuleCallId call = m_nodes[id.index()].call;
    return call.isNone() ? std::string() : m_calls.calledAt(call);
}

std::string ModuleTable::path(ModuleId id) const
{
    std::string path;
    for (; !id.isNone(); id = m_nodes[id.index()].caller) {
        const std::string place = calledAt(id);
        const std::string part = place.empty() ? name(id) : fmt::format("{} ({})", name(id), place);
        path = path.empty() ? part : part + " / " + path;
    }
    return path;
}

std::string_view titleOf(NoModule reason)
{
    static constexpr std::array<std::string_view, kNoModules> titles = {"(outside of modules)",
        "(backward, module unknown)", "(no Python frames)", "(recomputed for backward, module unknown)"};
    return titles[static_cast<std::size_t>(reason)];
}

std::string_view toText(ModuleSource source)
{
    static constexpr std::array<std::string_view, kModuleSources> texts = {"label", "frames", "backward"};
    return texts[static_cast<std::size_t>(source)];
}

} // namespace highwater
