#include "core/report/model/report.h"

#include <array>

namespace highwater {

namespace {

struct PartNames
{
    std::string_view name;
    std::string_view title;
};
constexpr std::array<PartNames, kReportPartCount> kParts{{
    {"summary", "Summary"},
    {"comparison", "What changed"},
    {"timeline", "Timeline"},
    {"notes", "Notes"},
    {"findings", "Findings"},
    {"peak", "In use at the peak"},
    {"ranks", "Ranks"},
    {"steps", "Steps"},
    {"budget", "Expected and observed"},
    {"messages", "Out-of-memory messages"},
    {"facts", "Facts and settings"},
    {"provenance", "Sources"},
}};

} // namespace

std::string_view toText(ReportPart part)
{
    return kParts[static_cast<std::size_t>(part)].name;
}

std::string_view titleOf(ReportPart part)
{
    return kParts[static_cast<std::size_t>(part)].title;
}

std::optional<ReportPart> reportPartFromText(std::string_view text)
{
    for (std::size_t i = 0; i < kReportPartCount; ++i)
        if (kParts[i].name == text)
            return static_cast<ReportPart>(i);
    return std::nullopt;
}

} // namespace highwater
