#include "core/analysis/modules/module_names.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/analysis/modules/module_calls.h"

namespace highwater {

std::vector<std::string> moduleNames(std::string_view label)
{
    if (label.find_first_of(" /") != std::string_view::npos)
        return {std::string(label)};
    const auto isNumber = [](std::string_view name) {
        return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    };
    std::vector<std::string> names;
    while (!label.empty()) {
        const bool isLast = names.size() + 1 == std::size_t{ModuleCalls::kDeepest};
        const std::size_t dot = isLast ? std::string_view::npos : label.find('.');
        const std::string_view name = label.substr(0, dot);
        label.remove_prefix(dot == std::string_view::npos ? label.size() : dot + 1);
        if (isNumber(name) && !names.empty())
            names.back() += fmt::format(".{}", name);
        else if (!name.empty())
            names.emplace_back(name);
    }
    return names;
}

std::pair<std::string_view, std::int32_t> numberedName(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    std::int32_t number = -1;
    if (dot == std::string_view::npos)
        return {name, -1};
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, number);
    const bool isNumber = error == std::errc() && rest == end && number >= 0;
    return isNumber ? std::pair(name.substr(0, dot), number) : std::pair(name, std::int32_t{-1});
}

} // namespace highwater
