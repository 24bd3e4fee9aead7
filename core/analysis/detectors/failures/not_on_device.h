#pragma once

#include <string>

#include "core/analysis/detectors/detector_input.h"
#include "core/analysis/logs/oom_message.h"

namespace highwater {

/// A failure in which PyTorch counts more memory than the GPU has: the facts on which its explanation and its
/// advice depend.
struct NotOnDevice
{
    std::optional<std::int64_t> microBatch; ///< sequences per GPU and pass of the training, if it is set
    bool hasEngine = false; ///< the message, its traceback, the log or the settings show an inference engine
    bool sleeps = false; ///< the log reports that the engine went to sleep
    bool isWindows = false; ///< the traceback has Windows paths
};

/// Reads the facts from the settings of the run and from the message's log.
NotOnDevice notOnDeviceFacts(const DetectorInput& input, const Trace& log, const LogEvent& event);

/// Returns why PyTorch counts memory that is not on the GPU, as the end of a sentence: ": Windows lends host
/// memory"; empty if nothing shows why.
std::string notOnDeviceReason(const NotOnDevice& facts);

/// Returns the advice. The memory of a sleeping engine is not on the GPU, so only the training can make room.
std::string notOnDeviceAction(const NotOnDevice& facts, const OomFigures& figures);

} // namespace highwater
