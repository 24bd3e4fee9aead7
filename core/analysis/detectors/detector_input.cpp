#include "core/analysis/detectors/detector_input.h"

#include "core/run/setting_value.h"

namespace highwater {

DetectorInput::DetectorInput(const DeviceStudy& ofStudy)
    : study(&ofStudy)
    , figures(figuresInQuantityOf(
          ofStudy.allocations, ofStudy.curve, deviceFigures(ofStudy.trace, ofStudy.device)))
    , capacity(knownCapacity(ofStudy.about(), figures.ooms, ofStudy.curve))
{
}

std::optional<std::int64_t> DetectorInput::number(std::initializer_list<std::string_view> names) const
{
    SettingLists lists{&settings};
    if (study)
        lists.push_back(&study->trace.metadata.configuration);
    for (const CompanionFile& companion : companions)
        lists.push_back(&companion.trace->metadata.configuration);
    return positiveSetting(lists, names);
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
