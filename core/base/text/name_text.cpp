#include "core/base/text/name_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

std::optional<std::int64_t> numberAtEnd(std::string_view name)
{
    const std::string_view digits = name.substr(name.find_last_not_of("0123456789") + 1);
    std::int64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string codePlaceText(std::string_view function, std::string_view file, std::int64_t line)
{
    const std::string name = nameText(sourceFileName(file));
    return codePlaceText(function, line > 0 ? fmt::format("{}:{}", name, line) : name);
}

std::string codePlaceText(std::string_view function, std::string_view fileAndLine)
{
    // A line without a file is no place.
    const std::string place = fileAndLine.starts_with(':') ? "" : nameText(sourceFileName(fileAndLine));
    if (function.empty())
        return place;
    return place.empty() ? nameText(function) : fmt::format("{} ({})", nameText(function), place);
}

std::string_view fileAndLineOf(std::string_view place)
{
    const std::size_t open = place.rfind(" (");
    const bool hasLine = open != std::string_view::npos && open > 0 && place.ends_with(')')
        && place.find(':', open) != std::string_view::npos;
    return hasLine ? place.substr(open + 2, place.size() - open - 3) : std::string_view();
}

std::string withCallMarks(std::string_view text)
{
    // `Tensor.to` is the common one. Any other name is clear from the place that follows it.
    constexpr std::array<std::string_view, 18> kWords{"all", "and", "any", "as", "at", "by", "for", "from",
        "in", "into", "is", "not", "of", "on", "or", "to", "where", "with"};
    const auto readsAsGrammar
        = [&](std::string_view word) { return std::ranges::find(kWords, word) != kWords.end(); };
    const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string marked;
    std::size_t copied = 0;
    for (std::size_t open = text.find(" ("); open != std::string_view::npos;
         open = text.find(" (", open + 1)) {
        const std::string_view place = text.substr(open + 2, text.find(')', open) - open - 2);
        const std::size_t colon = place.rfind(':');
        if (colon == std::string_view::npos || colon + 1 == place.size()
            || place.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
            continue;
        std::size_t begin = open;
        while (begin > 0 && isLower(text[begin - 1]))
            --begin;
        if (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '[')
            continue;
        if (!readsAsGrammar(text.substr(begin, open - begin)))
            continue;
        marked += std::string(text.substr(copied, open - copied)) + "()";
        copied = open;
    }
    return marked + std::string(text.substr(copied));
}

std::string nameText(std::string_view name)
{
    constexpr std::size_t kLongestBytes = 1024;
    constexpr std::size_t kKeptBytes = 400;
    if (name.size() <= kLongestBytes)
        return sanitizedText(name);
    std::size_t tailBegin = name.size() - kKeptBytes;
    while (isContinuationByte(name[tailBegin]) && tailBegin < name.size() - 1)
        ++tailBegin;
    return sanitizedText(cutText(name, kKeptBytes))
        + fmt::format("[{} bytes, {:016x}]…", formatCount(name.size()), std::hash<std::string_view>()(name))
        + sanitizedText(name.substr(tailBegin));
}

} // namespace highwater
