#include "core/study/diagnosis/examined.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

std::string wordsFor(const Examined& part)
{
    const std::string steps = part.steps && *part.steps > 1
        ? fmt::format(" over {}", counted(*part.steps, "step", "steps"))
        : std::string();
    switch (part.what) {
    case ExaminedKind::Allocations: return counted(part.count, "allocation", "allocations") + steps;
    case ExaminedKind::Segments: return counted(part.count, "segment", "segments") + " at one moment";
    case ExaminedKind::Series:
        return fmt::format("{} of GPU memory ({}{}{})", counted(part.count, "series", "series"),
            part.count > 1 ? "up to " : "", counted(part.points, "point", "points"),
            steps.empty() ? steps : fmt::format(" at {} steps", formatCount(*part.steps)));
    case ExaminedKind::Messages: return counted(part.count, "message", "messages");
    }
    return {};
}

} // namespace

std::string_view toText(ExaminedKind kind)
{
    constexpr std::array<std::string_view, 4> kNames{"allocations", "segments", "series", "messages"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string examinedText(const std::vector<Examined>& examined)
{
    std::vector<std::string> parts;
    for (const Examined& part : examined)
        parts.push_back(wordsFor(part));
    return fmt::format("{}", fmt::join(parts, " and "));
}

} // namespace highwater
