#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/base/result.h"
#include "core/run/configuration.h"
#include "core/run/run_shape.h"
#include "core/trace/trace.h"

namespace highwater {

/// The content of a run's configuration.
struct RunDescription
{
    std::vector<ConfigurationEntry> settings; ///< as written; with a shape, also the sizes of the model
    std::optional<DeviceCapacity> capacity; ///< of the GPU, if there is a shape that names a single GPU
    std::optional<RunShape> shape; ///< nullopt if the model and its training are not described
    std::string shapeTrouble; ///< sentence on why there is no shape
};

/// Reads a separate settings file, JSON or YAML. If the file describes a model and its training
/// (`loadRunShape`), also adds the sizes of the model and the capacity of the GPU. Fails as
/// `loadConfiguration` does.
Result<RunDescription> loadRunDescription(const std::string& path);

/// Removes settings that the run's own file records. A configuration that two runs share would otherwise
/// hide the settings in which they differ.
void removeRecordedSettings(std::vector<ConfigurationEntry>& settings, const Trace& trace);

} // namespace highwater
