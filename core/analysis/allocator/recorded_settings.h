#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/allocator/allocator_settings.h"

namespace highwater {

/// The settings that a run was recorded with, as far as the file shows them.
struct RecordedSettings
{
    AllocatorSettings settings; ///< the settings that the replay uses
    std::string text; ///< value of PYTORCH_CUDA_ALLOC_CONF, or of a variable in its place, as in the file
    /// Backend such as "cudaMallocAsync"; empty if memory came from PyTorch's caching allocator.
    std::string backend;
    // Options of the text, as "name:value":
    std::vector<std::string> withoutEffect; ///< options that do not affect reserved memory
    std::vector<std::string> notReplayed; ///< options that this program knows, but has no rule for
    std::vector<std::string> notUnderstood; ///< unknown options, and known ones with an invalid value
    std::vector<std::string> contradicted; ///< contradicted by the values PyTorch itself parsed
};

/// Takes the value of each option as PyTorch parsed it if the file has it, else from the text. If neither
/// mentions expandable segments, they are on if the file ends with some. Private pools with plain segments,
/// and those whose blocks are never split, are recognised by their contents. A memory fraction set by a call
/// is not recorded. O(segments + events).
RecordedSettings recordedSettings(const Trace& trace, DeviceIndex device);

/// True if the allocator refused requests at once (`throw_on_cudamalloc_oom`). A refused request leaves no
/// event, so that the recording does not show whether one failed. O(segments + events).
bool hidesRefusals(const Trace& trace, DeviceIndex device);

/// True if PyTorch's own reading of an option, under the option's name, is another value than this one; false
/// if the file has no such reading.
bool isReadOtherwise(const TraceMetadata& metadata, std::string_view option, std::string_view value);

/// Returns the text to set in PYTORCH_CUDA_ALLOC_CONF to get these settings and keep the recorded options
/// that they do not cover, without those that PyTorch contradicted.
std::string configurationText(const AllocatorSettings& settings, const RecordedSettings& recorded);

/// Returns one sentence for each kind of option that the replay does not apply.
std::vector<std::string> sentencesOf(const RecordedSettings& recorded);

/// Returns what a replay assumes where the file is silent, one sentence each.
std::vector<std::string> replayAssumptions(
    const Trace& trace, DeviceIndex device, const RecordedSettings& recorded);

} // namespace highwater
