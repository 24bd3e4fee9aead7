#include "app/rehearse/changes.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater::rehearse {

std::string problemOfChange(const std::string& text)
{
    if (text == "all" || text == "none" || changeNamed(text))
        return {};
    std::string names = "all, none";
    for (const Change& change : kChanges)
        names += fmt::format(", {}", change.name);
    return fmt::format("{} is no change; give {}", sanitizedText(text), names);
}

} // namespace highwater::rehearse
