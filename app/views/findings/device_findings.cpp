#include "app/views/findings/device_findings.h"

#include <algorithm>

#include <QFileInfo>

#include "app/loading/run_description.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/detectors/detectors.h"

namespace highwater::gui {

std::size_t DeviceFindings::faults() const
{
    return static_cast<std::size_t>(std::ranges::count_if(findings, [](const Finding& finding) {
        return finding.kind == FindingKind::Fault && finding.grade != Grade::C;
    }));
}

std::shared_ptr<const DeviceFindings> findingsOf(const std::shared_ptr<const DeviceAnalysis>& analysis,
    const std::optional<DeviceCapacity>& capacity, const QString& configuration,
    const std::vector<std::pair<QString, std::shared_ptr<const Trace>>>& companions)
{
    auto found = std::make_shared<DeviceFindings>();
    found->analysis = analysis;
    found->companions = companions;
    DetectorInput input(analysis->study);
    input.capacity = capacity;
    if (!configuration.isEmpty())
        if (Result<RunDescription> run = loadRunDescription(systemPath(configuration))) {
            input.settings = std::move(run->settings);
            if (!capacity || capacity->source != CapacitySource::Chosen)
                input.capacity = believableCapacity(run->capacity, capacity, input.figures.reservedPeakBytes);
        }
    for (const auto& [path, trace] : companions)
        input.companions.push_back({QFileInfo(path).fileName().toStdString(), trace});
    found->findings = findFindings(input);
    return found;
}

} // namespace highwater::gui
