#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Returns the frameworks that `highwater record --for` accepts.
const std::vector<std::string>& recordingFrameworks();

/// Returns the lines of a training script of this framework, or of the shell, that record memory snapshots
/// with the Python package highwater_gpu; nullopt if the framework is unknown.
std::optional<std::string> recordingLines(std::string_view framework);

/// Returns the recorder of the package highwater_gpu (app/python) as one Python file that needs only torch.
std::string standAloneRecorder();

/// The name under which to save the stand-alone recorder.
inline constexpr std::string_view kStandAloneName = "record_memory.py";

} // namespace highwater
