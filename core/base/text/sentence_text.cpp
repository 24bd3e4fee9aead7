#include "core/base/text/sentence_text.h"

#include <cctype>

namespace highwater {

std::string fullSentence(std::string text)
{
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (!text.empty() && !text.ends_with('.') && !text.ends_with('?') && !text.ends_with('!'))
        text += '.';
    return text;
}

std::string upperFirst(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string lowerFirst(std::string text)
{
    const auto isUpper
        = [&](std::size_t i) { return i < text.size() && std::isupper(static_cast<unsigned char>(text[i])); };
    if (isUpper(0) && !isUpper(1))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

} // namespace highwater
