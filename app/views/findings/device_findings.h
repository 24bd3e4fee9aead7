#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/detectors/detector_input.h"

namespace highwater::gui {

/// What is found in one device's memory, and what it was found in.
struct DeviceFindings
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::vector<std::pair<QString, std::shared_ptr<const Trace>>> companions; ///< path and trace
    std::vector<Finding> findings; ///< by grade, then by bytes

    /// Those that name memory which need not be used, of grade A or B.
    std::size_t faults() const;
};

/// Computes all findings. Thread-safe. `capacity`: the device's, from the file or chosen by the user; else
/// that of the GPU in the run's configuration, which is a path or empty.
std::shared_ptr<const DeviceFindings> findingsOf(const std::shared_ptr<const DeviceAnalysis>& analysis,
    const std::optional<DeviceCapacity>& capacity, const QString& configuration,
    const std::vector<std::pair<QString, std::shared_ptr<const Trace>>>& companions);

} // namespace highwater::gui
