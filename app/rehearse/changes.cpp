#include "app/rehearse/changes.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater::rehearse {

std::string changeNames()
{
    std::string names;
    for (const Change& change : kChanges)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", change.name);
    return names;
}

std::string problemOfChange(const std::string& text)
{
    if (text == "all" || text == "none" || changeNamed(text))
        return {};
    return fmt::format("{} is no change; give all, none, {}", sanitizedText(text), changeNames());
}

} // namespace highwater::rehearse
