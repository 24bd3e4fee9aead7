#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// What a training script is made with, as `highwater record --for` takes it.
const std::vector<std::string>& recordingFrameworks();

/// The lines that record memory snapshots in a training script of this framework, with the Python package
/// highwater_gpu. nullopt: there is no such framework.
std::optional<std::string> recordingLines(std::string_view framework);

/// The recorder of that package (app/python/highwater_gpu) as one Python file that needs nothing but torch.
std::string standAloneRecorder();

/// The name that the file is to be saved under.
inline constexpr std::string_view kStandAloneName = "record_memory.py";

} // namespace highwater
