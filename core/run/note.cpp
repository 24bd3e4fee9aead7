#include "core/run/note.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, kNoteColorCount> kColorNames{
    "red", "orange", "green", "blue", "purple", "grey"};

struct PlaceWords
{
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const NotedMoment& moment) const { return formatMoment(moment.event, ""); }
    std::string operator()(const NotedRange& range) const
    {
        return fmt::format("events {}–{}", formatCount(range.first), formatCount(range.last - 1));
    }
    std::string operator()(const NotedStep& step) const { return "step " + formatCount(step.step); }
    std::string operator()(const NotedAllocation& allocation) const
    {
        return allocation.allocEvent >= 0 ? "allocation of event " + formatCount(allocation.allocEvent)
                                          : "allocation at " + formatAddress(allocation.address);
    }
    std::string operator()(const NotedSite& site) const { return "site " + sanitizedText(site.site); }
    std::string operator()(const NotedRow& row) const
    {
        const std::string firstLine = row.key.substr(0, row.key.find('\n'));
        return fmt::format("{} {}", sanitizedText(row.group), sanitizedText(firstLine));
    }
    std::string operator()(const NotedLine& line) const { return "line " + formatCount(line.line); }
};

} // namespace

std::string_view toText(NoteColor color)
{
    return kColorNames[static_cast<std::size_t>(color)];
}

std::optional<NoteColor> noteColorFromText(std::string_view text)
{
    return valueNamed<NoteColor>(kColorNames, text);
}

std::string_view toText(NoteRun run)
{
    return run == NoteRun::Before ? "before" : "after";
}

std::string placeText(const NotePlace& place)
{
    return std::visit(PlaceWords{}, place);
}

} // namespace highwater
