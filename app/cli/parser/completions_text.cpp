#include "app/cli/parser/completions.h"

#include <algorithm>

namespace highwater::cli {

std::string briefly(const std::string& help)
{
    constexpr std::size_t most = 72;
    std::string text = help.substr(0, std::min(help.find("; "), help.find(" (")));
    if (text.size() > most) {
        const std::size_t blank = text.rfind(' ', most);
        text = text.substr(0, blank == std::string::npos ? most : blank);
        while (!text.empty() && (text.back() == ',' || text.back() == ':'))
            text.pop_back();
        text += " …";
    }
    return text;
}

} // namespace highwater::cli
