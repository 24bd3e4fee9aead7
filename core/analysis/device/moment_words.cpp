#include "core/analysis/device/moment_words.h"

#include "core/analysis/device/cut_off.h"
#include "core/base/text_format.h"

namespace highwater {

std::string momentIn(const Trace& trace, std::int64_t event, std::string_view preposition)
{
    return trace.metadata.hasHistory ? formatMoment(event, preposition) : "at the snapshot";
}

std::string momentAndHighest(const DeviceStudy& study, std::int64_t event)
{
    std::string text = momentIn(study.trace, event);
    if (study.trace.metadata.hasHistory && event == study.curve.peak().event)
        text.append(", the ").append(nameOfHighest(study));
    return text;
}

std::string_view nameOfHighest(const DeviceStudy& study)
{
    if (!study.trace.metadata.hasHistory)
        return "snapshot";
    return isPeakAtEvent(study.about(), study.figures) ? "peak" : "highest readable total";
}

} // namespace highwater
