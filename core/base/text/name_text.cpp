#include "core/base/text/name_text.h"

#include <functional>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/valid_text.h"

namespace highwater {

std::string nameText(std::string_view name)
{
    constexpr std::size_t kLongest = 1024;
    constexpr std::size_t kPart = 400;
    if (name.size() <= kLongest)
        return sanitizedText(name);
    std::size_t tail = name.size() - kPart;
    while ((static_cast<unsigned char>(name[tail]) & 0xC0) == 0x80 && tail < name.size() - 1)
        ++tail;
    return sanitizedText(cutText(name, kPart))
        + fmt::format("[{} bytes, {:016x}]…", formatCount(name.size()), std::hash<std::string_view>()(name))
        + sanitizedText(name.substr(tail));
}

} // namespace highwater
