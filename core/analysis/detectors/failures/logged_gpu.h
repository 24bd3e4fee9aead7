#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// The message in a log about a failed request that the recording has, too.
struct LoggedFailure
{
    std::size_t file = 0; ///< index of the log among the auxiliary files
    std::size_t event = 0; ///< index into its `Trace::logEvents`
};

/// The facts about the recorded GPU and process that only the logs of the run state.
struct LoggedGpu
{
    /// The capacity of the GPU, unless the recording shows that it has more.
    std::optional<Bytes> capacity;
    /// The limit of the process (`per_process_memory_fraction`), if the last failed request exceeded it.
    std::optional<Bytes> processLimit;
    std::optional<LoggedFailure> failure; ///< the message about the last failed request
};

/// Reads what the logs of a run say about the recorded GPU. A message is about the last failed request if
/// both have the same request and the same free memory; its capacity counts. Otherwise the capacity comes
/// from all messages if no request failed, else from all series, also from those that name no GPU. It counts
/// only if all values agree. O(failed requests + log events + points).
LoggedGpu loggedGpu(const DeviceStudy& study, const std::vector<AuxiliaryFile>& files);

/// Returns the capacity that the file states, else the one from a log, else the lower bound that an
/// out-of-memory event shows. Nothing for host memory.
std::optional<DeviceCapacity> recordedCapacity(const DeviceStudy& study, const LoggedGpu& logged);

} // namespace highwater
