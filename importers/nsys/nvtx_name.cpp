#include "importers/nsys/nvtx_name.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/characters.h"

namespace highwater::nsys {

namespace {

bool isSeparator(char c)
{
    return std::string_view("_-/# :=").find(c) != std::string_view::npos;
}

/// If the text begins with the word, removes it and the separators after it.
bool removeWord(std::string_view& rest, std::string_view word)
{
    const bool beginsWithWord = rest.size() >= word.size()
        && std::equal(word.begin(), word.end(), rest.begin(),
            [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
    if (!beginsWithWord)
        return false;
    std::string_view afterWord = rest.substr(word.size());
    if (!afterWord.empty() && std::isalpha(static_cast<unsigned char>(afterWord.front())))
        return false;
    while (!afterWord.empty() && isSeparator(afterWord.front()))
        afterWord.remove_prefix(1);
    rest = afterWord;
    return true;
}

/// Returns the text after a word that denotes a step, or nothing if the name does not begin with one.
std::optional<std::string_view> textAfterStepWord(std::string_view name)
{
    static constexpr std::array<std::string_view, 3> prefixes = {"train", "training", "global"};
    static constexpr std::array<std::string_view, 4> words = {"step", "iteration", "iter", "batch"};
    std::string_view rest = name;
    std::ranges::any_of(prefixes, [&](std::string_view word) { return removeWord(rest, word); });
    if (std::ranges::any_of(words, [&](std::string_view word) { return removeWord(rest, word); }))
        return rest;
    return std::nullopt;
}

/// Returns the position at which the text added by `emit_nvtx` begins.
std::size_t endOfName(std::string_view text)
{
    std::size_t end = text.size();
    for (const std::string_view suffix : {", seq = ", ", op_id = ", ", sizes = ", ", input_op_ids = "})
        end = std::min(end, text.find(suffix));
    return end;
}

/// True for a name in a namespace of lower-case letters, digits and underscores, such as "aten::mm".
bool isOperatorName(std::string_view name)
{
    const std::size_t colons = name.find("::");
    return colons != std::string_view::npos && colons > 0
        && std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colons),
            [](char c) { return std::islower(static_cast<unsigned char>(c)) || isDigit(c) || c == '_'; });
}

} // namespace

NvtxName nvtxName(std::string_view text, std::optional<std::int64_t> payload)
{
    const std::size_t end = endOfName(text);
    NvtxName name{std::string(text.substr(0, end)), false};
    name.isOperator = text.substr(end).starts_with(", seq = ") || isOperatorName(name.text);
    if (payload && textAfterStepWord(name.text) == std::string_view())
        name.text += " " + std::to_string(*payload);
    return name;
}

bool isStepName(std::string_view name)
{
    if (name.starts_with("ProfilerStep#"))
        return true;
    const std::optional<std::string_view> rest = textAfterStepWord(name);
    return rest && std::all_of(rest->begin(), rest->end(), isDigit);
}

} // namespace highwater::nsys
