#include "core/base/text/name_text.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

/// The prepositions that can be names of functions. Others, such as "from" and "in", are keywords of Python.
constexpr std::array<std::string_view, 12> kPrepositions{
    "at", "by", "into", "of", "off", "on", "onto", "out", "over", "per", "to", "under"};

/// True if the last word of a name is a preposition: "to", and also "freed by to".
bool endsAsPreposition(std::string_view name)
{
    const std::size_t space = name.rfind(' ');
    const std::string_view word = space == std::string_view::npos ? name : name.substr(space + 1);
    return std::ranges::find(kPrepositions, word) != kPrepositions.end();
}

} // namespace

std::string codePlaceText(std::string_view function, std::string_view file, std::int64_t line)
{
    const std::string name = nameText(sourceFileName(file));
    return codePlaceText(function, line > 0 ? fmt::format("{}:{}", name, line) : name);
}

std::string codePlaceText(std::string_view function, std::string_view fileAndLine)
{
    const std::string place = nameText(sourceFileName(fileAndLine));
    if (function.empty())
        return place;
    return fmt::format("{}{} {}", nameText(function), endsAsPreposition(function) ? "()" : "", place);
}

std::string nameText(std::string_view name)
{
    constexpr std::size_t kLongestBytes = 1024;
    constexpr std::size_t kKeptBytes = 400;
    if (name.size() <= kLongestBytes)
        return sanitizedText(name);
    std::size_t tailBegin = name.size() - kKeptBytes;
    while ((static_cast<unsigned char>(name[tailBegin]) & 0xC0) == 0x80 && tailBegin < name.size() - 1)
        ++tailBegin;
    return sanitizedText(cutText(name, kKeptBytes))
        + fmt::format("[{} bytes, {:016x}]…", formatCount(name.size()), std::hash<std::string_view>()(name))
        + sanitizedText(name.substr(tailBegin));
}

} // namespace highwater
