#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/base/result.h"
#include "core/run/configuration.h"
#include "core/trace/trace.h"

namespace highwater {

/// What a run's configuration tells findings.
struct RunDescription
{
    std::vector<ConfigurationEntry> settings; ///< as written, and the numbers of the model's own file
    std::optional<DeviceCapacity> capacity; ///< of the card that it names, if it is one
};

/// From a file of its own, JSON or YAML; where it is a RUN document, also what its model's file and its card
/// say. Fails as `loadConfiguration` does.
Result<RunDescription> loadRunDescription(const std::string& path);

/// Leaves out what the run's own file records: of a configuration that is another run's as well, so that it
/// does not hide where the two differ.
void leaveOutRecorded(std::vector<ConfigurationEntry>& settings, const Trace& trace);

} // namespace highwater
