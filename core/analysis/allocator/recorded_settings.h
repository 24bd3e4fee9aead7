#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_settings.h"

namespace highwater {

/// What a file says about the settings that its run was recorded with.
struct RecordedSettings
{
    AllocatorSettings settings; ///< the settings that the replay uses
    std::string text; ///< PYTORCH_CUDA_ALLOC_CONF, or another name of it, as the file has it
    /// "cudaMallocAsync": memory did not come from PyTorch's caching allocator. Empty: it did.
    std::string backend;
    // Options of the text, as "name:value"
    std::vector<std::string> withoutEffect; ///< that do not affect reserved memory
    std::vector<std::string> notReplayed; ///< that this program knows, but has no rule for
    std::vector<std::string> notUnderstood;
    std::vector<std::string> contradicted; ///< contradicted by the values PyTorch itself parsed
};

/// PyTorch's parsed values of the options where the file has them, else those of the text; where neither
/// mentions expandable segments, they are on if the file contains some. Private pools with plain segments,
/// and those whose blocks are never split, are recognised by their contents. A memory fraction set by a call
/// is not recorded. O(segments + events).
RecordedSettings recordedSettings(const Trace& trace, DeviceIndex device);

/// The text to set in PYTORCH_CUDA_ALLOC_CONF to get these settings while keeping the recorded options that
/// they do not cover.
std::string configurationText(const AllocatorSettings& settings, const RecordedSettings& recorded);

/// One sentence for each kind of option that the replay ignores: what it does instead.
std::vector<std::string> sentencesOf(const RecordedSettings& recorded);

/// What has to be assumed because it depends on the release of PyTorch and the file does not say.
std::vector<std::string> assumptionsOf(
    const Trace& trace, DeviceIndex device, const RecordedSettings& recorded);

} // namespace highwater
