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

/// What a run's configuration tells.
struct RunDescription
{
    std::vector<ConfigurationEntry> settings; ///< as written, and the numbers of the model's own file
    std::optional<DeviceCapacity> capacity; ///< of the GPU that it names, if known
    std::optional<RunShape> shape; ///< none: it does not describe what the run needs
    std::string shapeTrouble; ///< why not, a sentence
};

/// Reads a separate settings file, JSON or YAML; for a RUN document also the data of its model file and its
/// GPU. Fails as `loadConfiguration` does.
Result<RunDescription> loadRunDescription(const std::string& path);

/// Leaves out what the run's own file records: of a configuration that is another run's as well, so that it
/// does not hide where the two differ.
void leaveOutRecorded(std::vector<ConfigurationEntry>& settings, const Trace& trace);

} // namespace highwater
