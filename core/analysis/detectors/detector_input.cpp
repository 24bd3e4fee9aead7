#include "core/analysis/detectors/detector_input.h"

#include <charconv>

namespace highwater {

namespace {

std::string_view lastPart(std::string_view name)
{
    const std::size_t dot = name.find_last_of("./");
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::optional<std::int64_t> positiveNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? std::optional(number)
                                                                                  : std::nullopt;
}

std::optional<std::int64_t> numberNamed(
    const std::vector<ConfigurationEntry>& settings, std::string_view name)
{
    for (const ConfigurationEntry& entry : settings)
        if (lastPart(entry.name) == name)
            if (const std::optional<std::int64_t> number = positiveNumber(entry.value))
                return number;
    return std::nullopt;
}

} // namespace

DetectorInput::DetectorInput(const DeviceStudy& ofStudy)
    : study(&ofStudy)
    , figures(figuresInQuantityOf(
          ofStudy.allocations, ofStudy.curve, deviceFigures(ofStudy.trace, ofStudy.device)))
    , capacity(knownCapacity(ofStudy.about(), figures.ooms, ofStudy.curve))
{
}

std::optional<std::int64_t> DetectorInput::number(std::initializer_list<std::string_view> names) const
{
    for (const std::string_view name : names) {
        std::optional<std::int64_t> found = numberNamed(settings, name);
        if (!found && study)
            found = numberNamed(study->trace.metadata.configuration, name);
        for (std::size_t i = 0; !found && i < companions.size(); ++i)
            found = numberNamed(companions[i].trace->metadata.configuration, name);
        if (found)
            return found;
    }
    return std::nullopt;
}

Finding findingOf(const DetectorInput& input, std::string_view rule, Grade grade, FindingKind kind)
{
    Finding finding;
    finding.rule = rule;
    finding.grade = grade;
    finding.kind = kind;
    if (input.study)
        finding.device = input.study->about().ordinal;
    return finding;
}

void placeAt(Finding& finding, const DetectorInput& input, std::int64_t event)
{
    finding.event = event;
    if (input.study->steps.source != StepSource::Whole)
        finding.step = input.study->steps.stepOf(event);
}

} // namespace highwater
