#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_settings.h"

namespace highwater {

/// What a file tells of the settings that its run was recorded with.
struct RecordedSettings
{
    AllocatorSettings settings; ///< what the replay goes by
    std::string text; ///< PYTORCH_CUDA_ALLOC_CONF, or another name of it, as the file has it
    /// "cudaMallocAsync": memory did not come from PyTorch's caching allocator. Empty: it did.
    std::string backend;
    // Options of the text, as "name:value"
    std::vector<std::string> withoutEffect; ///< that decide nothing about device memory that is reserved
    std::vector<std::string> notReplayed; ///< that this program knows, but has no rule for
    std::vector<std::string> notUnderstood;
    std::vector<std::string> contradicted; ///< that PyTorch's own reading, in the file too, tells otherwise
};

/// PyTorch's reading of the options where the file has it, else the text's; where neither says so, expandable
/// segments are on if the file shows some. Private pools that have plain segments all the same, and those
/// whose blocks are never split, show themselves. A memory fraction that the program set by a call is
/// recorded nowhere. O(segments + events).
RecordedSettings recordedSettings(const Trace& trace, DeviceIndex device);

/// What a person has to set to get these settings and keep the recorded options that are in none of them.
std::string configurationText(const AllocatorSettings& settings, const RecordedSettings& recorded);

/// One for each kind of option that the replay does not go by: what it does instead.
std::vector<std::string> sentencesOf(const RecordedSettings& recorded);

/// What has to be assumed because the file does not tell it, and it depends on the release of PyTorch.
std::vector<std::string> assumptionsOf(
    const Trace& trace, DeviceIndex device, const RecordedSettings& recorded);

} // namespace highwater
