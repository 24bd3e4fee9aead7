#include "core/report/html/html_timeline.h"

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

std::string base64(const std::string& data)
{
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((data.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < data.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < data.size() ? static_cast<unsigned char>(data[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out.push_back(i + k <= data.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=');
    }
    return out;
}

std::string colorText(FigureColor color)
{
    return fmt::format("#{:06x}", color);
}

Json groupJson(const LiveGroup& group)
{
    Json stack = Json::array();
    for (const std::string& frame : group.stack)
        stack.push_back(shownText(frame));
    return {{"label", shownText(group.label)}, {"key", shownText(group.key)}, {"category", group.category},
        {"guess", group.isGuess}, {"held", group.isKept}, {"sites", group.siteCount},
        {"peak", group.bytesAtPeak}, {"light", colorText(group.color.light)},
        {"dark", colorText(group.color.dark)}, {"stack", std::move(stack)}};
}

Json phasesJson(const std::vector<LivePhase>& phases)
{
    Json names = Json::array();
    for (std::size_t i = 0; i < kPhaseColorCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        names.push_back({{"name", toText(phase)}, {"light", colorText(themedPhaseColor(phase).light)},
            {"dark", colorText(themedPhaseColor(phase).dark)}});
    }
    Json ranges = Json::array();
    for (const LivePhase& phase : phases)
        ranges.push_back({phase.begin, phase.end, static_cast<int>(phase.phase)});
    return {{"names", std::move(names)}, {"ranges", std::move(ranges)}};
}

/// Escapes JSON so that no text can end the HTML element around it.
std::string withoutMarkup(const std::string& json)
{
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        if (c == '<' || c == '>' || c == '&')
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out.push_back(c);
    }
    return out;
}

/// Returns JSON that is safe inside a script element.
std::string scriptJson(const Json& json)
{
    return withoutMarkup(jsonText(json));
}

/// Writes the steps one by one: thousands of steps as one JSON value would take ten times the memory of their
/// text.
void writeSteps(HtmlWriter& out, const std::vector<LiveStep>& steps)
{
    out.trusted("[");
    for (const LiveStep& step : steps)
        out.trusted(fmt::format("{}[{},{},{},{},{},{}{}]", &step == steps.data() ? "" : ",",
            scriptJson(shownText(step.name)), step.begin, step.end, step.peakBytes, step.peakEvent,
            step.endBytes, step.isWhole ? "" : ",0"));
    out.trusted("]");
}

Json flagsJson(const std::vector<NoteFlag>& flags)
{
    Json rows = Json::array();
    for (const NoteFlag& flag : flags)
        rows.push_back({{"number", flag.number}, {"first", flag.first}, {"last", flag.last},
            {"color", colorText(noteColor(flag.color))}, {"title", shownText(flag.title)}});
    return rows;
}

void writeTimeline(HtmlWriter& out, const LiveTimeline& run)
{
    Json groups = Json::array();
    for (const LiveGroup& group : run.groups)
        groups.push_back(groupJson(group));
    Json ooms = Json::array();
    for (const OomEvent& oom : run.ooms)
        ooms.push_back({oom.event, oom.requestedBytes});
    Json stretches = Json::array();
    for (const EventStretch& stretch : run.stretches)
        stretches.push_back({stretch.first, stretch.last, stretch.begin, stretch.end});
    const Json head = {{"name", shownText(run.name)}, {"quantity", run.quantity}, {"events", run.eventCount},
        {"columns", run.columns.count}, {"peakEvent", run.peak.event}, {"peakBytes", run.peak.bytes},
        {"reservedPeak", run.reservedPeak}, {"ooms", std::move(ooms)},
        {"capacity", run.capacity ? Json(run.capacity->bytes) : Json()},
        {"capacityText", run.capacity ? Json(shownText(lineLabel(*run.capacity))) : Json()}};
    const Json tail = {{"phases", phasesJson(run.phases)}, {"flags", flagsJson(run.flags)},
        {"stretches", std::move(stretches)}, {"groups", std::move(groups)},
        {"changes", base64(run.columns.changes)}};
    std::string headText = scriptJson(head);
    headText.back() = ',';
    out.trusted(headText + "\"steps\":");
    writeSteps(out, run.steps);
    std::string tailText = scriptJson(tail);
    tailText.front() = ',';
    out.trusted(tailText);
}

} // namespace

void writeTimelineData(HtmlWriter& out, const std::vector<LiveTimeline>& runs)
{
    out.open("script", {{"type", "application/json"}, {"class", "timeline-data"}});
    out.trusted("[");
    for (const LiveTimeline& run : runs) {
        if (&run != runs.data())
            out.trusted(",");
        writeTimeline(out, run);
    }
    out.trusted("]");
    out.close("script");
}

} // namespace highwater
