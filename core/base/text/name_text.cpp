#include "core/base/text/name_text.h"

#include <functional>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/valid_text.h"

namespace highwater {

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
