#include "core/report/parts/part_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/device/moment_words.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

ReportBlock paragraph(std::string text, Tone tone)
{
    return ReportParagraph{std::move(text), tone};
}

ReportBlock quiet(std::string text)
{
    return ReportParagraph{std::move(text), Tone::Quiet};
}

std::string nameWithoutEndings(const std::string& fileName)
{
    static constexpr std::array<std::string_view, 19> kEndings{"zst", "gz", "pickle", "pkl", "pt", "trace",
        "json", "jsonl", "raw", "html", "sqlite", "log", "err", "out", "txt", "csv", "hwt", "snapshot",
        "memory"};
    std::string_view name = fileName;
    for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0; dot = name.rfind('.')) {
        if (std::ranges::find(kEndings, name.substr(dot + 1)) == kEndings.end())
            break;
        name = name.substr(0, dot);
    }
    return std::string(name);
}

namespace {

/// Returns "step 3, backward"; empty if neither is known.
std::string stepAndPhase(const DeviceStudy& study, std::int64_t event)
{
    std::string text;
    if (const auto step = study.steps.stepOf(event); step && study.steps.source != StepSource::Whole)
        text = study.steps.nameInRun(*step);
    if (const Phase phase = study.phases.at(event); phase != Phase::Unknown)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", toText(phase));
    return text;
}

} // namespace

std::string momentWords(const DeviceStudy& study, std::int64_t event)
{
    const std::string place = event < 0 ? std::string() : stepAndPhase(study, event);
    return momentIn(study.trace, event, "") + (place.empty() ? "" : ", " + place);
}

std::string placeWords(const DeviceStudy& study, std::int64_t event)
{
    const std::string place = event < 0 ? std::string() : study.placeText(event);
    if (!place.empty())
        return place;
    return momentIn(study.trace, event, "at");
}

std::string cutOffWords(const RunMaterial& run)
{
    const bool isSnapshot = run.study.device() && run.trace().metadata.cutOff;
    if (run.study.parts().cutOff.empty() && !isSnapshot)
        return {};
    return isSnapshot ? cutOffText(run.trace(), run.study.device()->device, *run.study.figures())
                      : cutOffText();
}

std::string pairText(const std::string& before, const std::string& after)
{
    return before == after ? after : fmt::format("{} → {}", before, after);
}

std::string captioned(const RunMaterial& run, const std::string& text)
{
    return run.role.empty() || text.empty()
        ? text
        : fmt::format("{}: {}", run.role == "before" ? "Before" : "After", lowerFirst(text));
}

std::string idFor(const RunMaterial& run, const std::string& id)
{
    return run.role.empty() ? id : run.role + "-" + id;
}

Table tableOfRun(const RunMaterial& run, Table table)
{
    table.id = idFor(run, table.id);
    table.caption = captioned(run, table.caption);
    return table;
}

std::string stackWords(const Trace& trace, StackId stack, const std::string& site)
{
    constexpr std::size_t maxFrames = 6;
    std::string text;
    std::size_t shown = 0;
    std::size_t more = 0;
    for (const FrameId id : trace.stacks.frames(stack)) {
        const Frame& frame = trace.stacks.frame(id);
        if (frame.kind != FrameKind::Python || isLibraryFile(trace.text(frame.file)))
            continue;
        if (shown++ < maxFrames)
            text += (text.empty() ? "" : " ← ")
                + codePlaceText(trace.text(frame.function), trace.text(frame.file), frame.line);
        else
            ++more;
    }
    if (more > 0)
        text += fmt::format(" ← {} more", more);
    return text.empty() ? site : text;
}

} // namespace highwater
