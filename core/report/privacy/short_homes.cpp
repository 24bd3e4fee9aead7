#include "core/report/privacy/short_homes.h"

#include "core/report/privacy/path_text.h"
#include "core/report/privacy/report_texts.h"

namespace highwater {

namespace {

constexpr std::string_view kEitherSeparator = "/\\";

/// Returns the length of "C:" at `at`, where a path begins; 0 if there is no drive.
std::size_t driveLength(std::string_view text, std::size_t at)
{
    const bool isDrive = at + 1 < text.size() && text[at + 1] == ':' && isNameCharacter(text[at])
        && !isOneOf(text[at], "0123456789_");
    return isDrive ? 2 : 0;
}

/// Returns the length of one or, in an escaped path, two separators at `at`.
std::size_t separatorsLength(std::string_view text, std::size_t at)
{
    if (at >= text.size() || !isOneOf(text[at], kEitherSeparator))
        return 0;
    return text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\\' ? 2 : 1;
}

/// Returns where the name of an account ends. It may contain spaces if a separator follows on the same line,
/// as on Windows.
std::size_t nameEnd(std::string_view text, std::size_t begin, bool mayHoldSpaces)
{
    std::size_t end = begin;
    while (end < text.size() && !isWordEnd(text[end]) && !isOneOf(text[end], kEitherSeparator)
        && text[end] != ':')
        ++end;
    if (!mayHoldSpaces || end == text.size() || text[end] != ' ')
        return end;
    std::size_t last = end;
    while (last < text.size() && (isNameCharacter(text[last]) || isOneOf(text[last], " .-")))
        ++last;
    return separatorsLength(text, last) > 0 ? last : end;
}

/// Returns the length of the home folder that begins at `at`; 0 if there is none.
std::size_t homeLength(std::string_view text, std::size_t at)
{
    const std::size_t drive = driveLength(text, at);
    const std::size_t first = separatorsLength(text, at + drive);
    if (first == 0)
        return 0;
    const std::string_view rest = text.substr(at + drive + first);
    const std::string_view folder = rest.starts_with("home") && drive == 0 ? "home"
        : rest.starts_with("Users")                                        ? "Users"
                                                                           : "";
    const std::size_t folderEnd = at + drive + first + folder.size();
    const std::size_t second = folder.empty() ? 0 : separatorsLength(text, folderEnd);
    if (second == 0)
        return 0;
    const std::size_t end = nameEnd(text, folderEnd + second, drive > 0);
    const std::string_view name = text.substr(folderEnd + second, end - folderEnd - second);
    return name.empty() || name == "Shared" || name == "Public" ? 0 : end - at;
}

/// True if a path can begin after the character: "s3://team/home/x" holds none.
bool canPrecedePath(char c)
{
    return !isNameCharacter(c) && !isOneOf(c, ".-~");
}

} // namespace

std::string withShortHomes(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const bool canBegin = at == 0 || canPrecedePath(text[at - 1]);
        if (const std::size_t length = canBegin ? homeLength(text, at) : 0; length > 0) {
            out += '~';
            at += length;
        } else {
            out += text[at++];
        }
    }
    return out;
}

Report withShortHomes(Report report)
{
    forEachText(report, [](std::string& text) {
        if (text.find("home") != std::string::npos || text.find("Users") != std::string::npos)
            text = withShortHomes(text);
    });
    return report;
}

} // namespace highwater
