#include "core/base/text_parts.h"

namespace highwater {

std::string_view fileName(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1);
}

std::string_view sourceFileName(std::string_view path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return text.substr(text.size());
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    return out;
}

std::string forwardSlashes(std::string_view path)
{
    std::string text(path);
    std::ranges::replace(text, '\\', '/');
    return text;
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace highwater
