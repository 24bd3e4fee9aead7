#include "core/analysis/detectors/detector_input.h"

#include "core/run/setting_value.h"

namespace highwater {

DetectorInput::DetectorInput(const DeviceStudy& ofStudy)
    : study(&ofStudy)
    , figures(ofStudy.figures)
    , capacity(knownCapacity(ofStudy.about(), figures.ooms, ofStudy.curve))
{
    if (hasHistory() || !study->about().hasFinalSegments)
        return;
    figures.peakBytes = figures.finalBytes;
    figures.peakLiveCount = figures.finalLiveCount;
    figures.peakEvent = figures.eventCount - 1;
}

bool DetectorInput::hasHistory() const
{
    return study && study->trace.metadata.hasHistory && figures.eventCount > 0;
}

std::vector<const std::vector<ConfigurationEntry>*> DetectorInput::settingLists() const
{
    SettingLists lists{&settings};
    if (study)
        lists.push_back(&study->trace.metadata.configuration);
    for (const AuxiliaryFile& auxiliary : auxiliaryFiles)
        lists.push_back(&auxiliary.trace->metadata.configuration);
    return lists;
}

std::optional<std::int64_t> DetectorInput::number(std::initializer_list<std::string_view> names) const
{
    return positiveSetting(settingLists(), names);
}

std::optional<double> DetectorInput::share(std::initializer_list<std::string_view> names) const
{
    return shareSetting(settingLists(), names);
}

std::optional<std::int64_t> DetectorInput::batch() const
{
    return number({"micro_batch_size", "per_device_train_batch_size", "batch_size", "batch"});
}

std::optional<std::int64_t> DetectorInput::length() const
{
    return number({"seq_len", "max_seq_length", "context_length", "block_size", "max_length"});
}

Finding findingOf(const DetectorInput& input, std::string_view rule, Grade grade, FindingKind kind)
{
    Finding finding{.rule = std::string(rule), .grade = grade, .kind = kind};
    if (input.study)
        finding.device = input.study->about().ordinal;
    return finding;
}

Finding findingAt(
    const DetectorInput& input, std::int64_t event, std::string_view rule, Grade grade, FindingKind kind)
{
    Finding finding = findingOf(input, rule, grade, kind);
    placeAt(finding, input, event);
    return finding;
}

void placeAt(Finding& finding, const DetectorInput& input, std::int64_t event)
{
    finding.event = event;
    if (input.study->steps.source != StepSource::Whole)
        finding.step = input.study->steps.stepOf(event);
}

} // namespace highwater
