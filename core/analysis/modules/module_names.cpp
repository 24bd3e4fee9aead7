#include "core/analysis/modules/module_names.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/analysis/modules/module_calls.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kLoopWords
    = {"step", "epoch", "iter", "iteration", "batch", "microbatch", "micro_batch", "pass"};

bool isNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns the number at the end of a name, after a separator, or −1; it has at most 31 bits.
std::int32_t numberAfter(std::string_view name, std::size_t separator)
{
    std::int32_t number = -1;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + separator + 1, end, number);
    return error == std::errc() && rest == end && number >= 0 ? number : -1;
}

/// True for "step", "step_3", "epoch.1", "iter12".
bool isLoopPass(std::string_view label)
{
    std::string_view word = label.substr(0, label.find_last_not_of("0123456789") + 1);
    if (!word.empty() && containsAny(word.substr(word.size() - 1), {"_", ".", "-", ":"}))
        word.remove_suffix(1);
    return std::ranges::find(kLoopWords, word) != kLoopWords.end();
}

} // namespace

bool namesModule(std::string_view label)
{
    return label.find_first_of(" /\\") == std::string_view::npos && !label.ends_with(".py")
        && !isLoopPass(label);
}

std::vector<std::string> moduleNames(std::string_view label)
{
    std::vector<std::string> names;
    if (!namesModule(label))
        return names;
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
    const std::int32_t number = dot == std::string_view::npos ? -1 : numberAfter(name, dot);
    return {number < 0 ? name : name.substr(0, dot), number};
}

std::pair<std::string, std::int32_t> instanceName(std::string_view name)
{
    const std::size_t separator = name.rfind('_');
    const bool isSplit = separator != std::string_view::npos && separator > 0;
    const std::int32_t number = isSplit ? numberAfter(name, separator) : -1;
    return {std::string(number < 0 ? name : name.substr(0, separator)), number};
}

} // namespace highwater
