#include "core/base/text/wrapped_text.h"

#include <algorithm>

#include "core/base/valid_text.h"

namespace highwater {

std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent, std::size_t hanging)
{
    std::string lines(indent, ' ');
    if (width == 0)
        return lines.append(text);
    std::size_t column = indent;
    bool isFirst = true;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t length = characterCount(word);
        if (!isFirst && column + 1 + length > width) {
            lines += '\n' + std::string(hanging, ' ');
            column = hanging;
        } else if (!isFirst) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += length;
        isFirst = false;
    }
    return lines;
}

} // namespace highwater
