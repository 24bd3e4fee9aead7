#include "app/loading/sweep_file.h"

namespace highwater {

Result<SweepRun> readSweepRun(const std::string& path, const LoadOptions& options,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity)
{
    const Result<ImportedTrace> imported = loadFile(path, options);
    if (!imported)
        return tl::unexpected<Error>(imported.error());
    const Trace& trace = *imported->trace;
    std::vector<DeviceFigures> figures;
    for (DeviceIndex device = 0; device < trace.devices.size(); ++device)
        figures.push_back(deviceFigures(trace, device));
    const std::optional<DeviceIndex> device = mainDevice(trace, figures);
    if (!device)
        return fail(ErrorCode::BadRequest, "it holds no memory events: there is nothing to compare");
    const DeviceStudy study(trace, *device, quantity.value_or(trace.devices[*device].quantity), rules);
    SweepRun run = sweepRun(path, study, figures[*device]);
    run.incomplete = imported->incomplete.has_value();
    return run;
}

} // namespace highwater
