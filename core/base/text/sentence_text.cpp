#include "core/base/text/sentence_text.h"

#include <algorithm>
#include <cctype>

namespace highwater {

namespace {

/// True if the text begins with code, which keeps its case: "zero_grad() runs too late", "lm_head.weight",
/// "to (model.py:39) allocates 2 GiB".
bool beginsWithCode(const std::string& text)
{
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string next = text.substr(end, text.find(')', end) - end);
    if (next.starts_with(" (") && next.find(':') != std::string::npos)
        return true;
    const std::string word = text.substr(0, end);
    const std::size_t dot = word.find('.');
    return word.find_first_of("_()[]=/\\") != std::string::npos
        || (dot != std::string::npos && dot + 1 < word.size());
}

} // namespace

std::string fullSentence(std::string text)
{
    text = upperFirst(std::move(text));
    if (!text.empty() && !text.ends_with('.') && !text.ends_with('?') && !text.ends_with('!'))
        text += '.';
    return text;
}

std::string upperFirst(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z' && !beginsWithCode(text))
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string lowerFirst(std::string text)
{
    const auto isUpper
        = [&](std::size_t i) { return i < text.size() && std::isupper(static_cast<unsigned char>(text[i])); };
    if (isUpper(0) && !isUpper(1) && !beginsWithCode(text))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string listText(const std::vector<std::string>& texts)
{
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return text;
}

} // namespace highwater
