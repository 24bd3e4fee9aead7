#include <array>

#include <fmt/format.h>

#include "core/analysis/modules/module_names.h"
#include "core/analysis/modules/module_table.h"

/// The texts of `ModuleTable`: names and paths of modules.
namespace highwater {

std::string ModuleTable::baseName(ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    if (node.call.isNone())
        return m_labels[node.label];
    return m_calls.isNamed(node.call) ? instanceName(m_calls.name(node.call)).first : m_calls.name(node.call);
}

/// Adds the number of a layer as the program writes it, "layers.3", or as this analysis counts calls.
std::string ModuleTable::numbered(std::string text, ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    if (node.number < 0)
        return text;
    return node.call.isNone() ? fmt::format("{}.{}", text, node.number)
                              : fmt::format("{} [{}]", text, node.number);
}

std::string ModuleTable::name(ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    return numbered(node.call.isNone() ? m_labels[node.label] : m_calls.name(node.call), id);
}

std::string ModuleTable::title(ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    return numbered(node.call.isNone() ? m_labels[node.label] : m_calls.title(node.call), id);
}

std::string ModuleTable::kindTitle(ModuleId id) const
{
    const std::string known = className(id);
    return !known.empty()                      ? known
        : naming(id) == ModuleNaming::Function ? m_calls.title(m_nodes[id.index()].call)
                                               : baseName(id);
}

std::int32_t ModuleTable::number(ModuleId id) const
{
    const ModuleNode& node = m_nodes[id.index()];
    const bool isInstance = !node.call.isNone() && m_calls.isNamed(node.call);
    return isInstance ? instanceName(m_calls.name(node.call)).second : node.number;
}

ModuleNaming ModuleTable::naming(ModuleId id) const
{
    const ModuleCallId call = m_nodes[id.index()].call;
    return call.isNone()        ? ModuleNaming::Label
        : m_calls.isNamed(call) ? ModuleNaming::Instance
                                : ModuleNaming::Function;
}

std::string ModuleTable::className(ModuleId id) const
{
    const ModuleCallId call = m_nodes[id.index()].call;
    return call.isNone() ? std::string() : m_calls.className(call);
}

/// Returns "block.py:62–70 [3]", or "Linear (block.py:64)" where only the caller is code of the user.
std::string ModuleTable::shortTitle(ModuleId id) const
{
    constexpr std::string_view kUsual = "forward (";
    const std::string known = naming(id) == ModuleNaming::Function ? className(id) : std::string();
    if (!known.empty())
        return numbered(fmt::format("{} ({})", known, calledAt(id)), id);
    std::string own = title(id);
    if (own.starts_with(kUsual)) {
        own.erase(0, kUsual.size());
        own.erase(own.find(')'), 1);
    }
    return own;
}

std::string ModuleTable::shortPath(ModuleId id, bool isPlaced) const
{
    const ModuleId caller = m_nodes[id.index()].caller;
    if (!caller.isNone())
        return fmt::format("{} / {}", shortPath(caller, isPlaced), shortTitle(id));
    const std::string place = isPlaced ? calledAt(id) : std::string();
    return place.empty() ? shortTitle(id) : fmt::format("{} from {}", shortTitle(id), place);
}

std::string ModuleTable::kind(ModuleId id) const
{
    return fmt::format("{} ({})", baseName(id), calledAt(id));
}

std::string ModuleTable::family(ModuleId id) const
{
    const ModuleId caller = m_nodes[id.index()].caller;
    return fmt::format("{} / {}", caller.isNone() ? std::string() : path(caller), kind(id));
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
    static constexpr std::array<std::string_view, kNoModuleReasons> titles = {"(outside of modules)",
        "(backward, module unknown)", "(no Python frames)", "(recomputed for backward, module unknown)"};
    return titles[static_cast<std::size_t>(reason)];
}

std::string_view toText(ModuleSource source)
{
    static constexpr std::array<std::string_view, kModuleSourceCount> texts = {"label", "frames", "backward"};
    return texts[static_cast<std::size_t>(source)];
}

} // namespace highwater
