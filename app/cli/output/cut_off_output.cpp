#include "app/cli/output/cut_off_output.h"

#include "core/analysis/device/cut_off.h"
#include "core/base/json.h"

namespace highwater::cli {

nlohmann::ordered_json cutOffJson(const Trace& trace, DeviceIndex device, const DeviceFigures& figures)
{
    nlohmann::ordered_json json = {{"text", cutOffText(trace, device, figures)}};
    if (!trace.metadata.cutOff)
        return json;
    const Device& about = trace.devices[device];
    const FigureCertainty known = figureCertainty(about);
    json["events"] = toText(about.eventsRead);
    json["segments"] = toText(about.segmentsRead);
    json["peak_at_least_bytes"] = peakLowerBound(about, figures);
    json["figures"] = {{"initial_bytes", toText(known.initial)}, {"peak_bytes", toText(known.peak)},
        {"final_bytes", toText(known.final)}, {"reserved_initial_bytes", toText(known.reservedInitial)},
        {"reserved_peak_bytes", toText(known.reservedPeak)},
        {"reserved_final_bytes", toText(known.reservedFinal)}};
    return json;
}

} // namespace highwater::cli
