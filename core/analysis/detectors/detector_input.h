#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/trace/log_event.h"

namespace highwater {

/// An auxiliary file of the run that is examined: a log, a sampled series, or an Nsight Systems export.
struct AuxiliaryFile
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null

    bool operator==(const AuxiliaryFile&) const = default;
};

/// The input of the detectors: one device of a trace, and the files recorded with it. Without a trace, only
/// the detectors that read logs can run. The study that it refers to must outlive it.
struct DetectorInput
{
    DetectorInput() = default;
    /// Takes the figures and the capacity from the study.
    explicit DetectorInput(const DeviceStudy& ofStudy);

    const DeviceStudy* study = nullptr; ///< null if there are only logs
    /// Figures of the study's device, including its out-of-memory events. If the file has segments but no
    /// history, the peak fields describe the end of the recording, the only moment that the file shows.
    DeviceFigures figures;
    std::optional<DeviceCapacity> capacity; ///< of the device, perhaps a lower bound; not set if unknown
    std::string cutOff; ///< why the study's file ends early, as a sentence; empty if it is complete
    std::vector<AuxiliaryFile> auxiliaryFiles;
    std::vector<ConfigurationEntry> settings; ///< entries of a configuration file

    /// True if the trace records a history, not just one moment (`TraceMetadata::hasHistory`). A single event
    /// may be accidental and is no history.
    bool hasHistory() const;

    /// Returns the first setting of these names that is a positive integer, from `settings` or else from the
    /// configuration in the files; nullopt if there is none. Names are compared by their last part:
    /// "model.vocab_size" matches "vocab_size". O(settings).
    std::optional<std::int64_t> number(std::initializer_list<std::string_view> names) const;
    /// Returns the first setting of these names that is a number above 0 and at most 1, found in the same
    /// way; nullopt if there is none.
    std::optional<double> share(std::initializer_list<std::string_view> names) const;
    /// Returns the sequences per forward and GPU, from the setting names that trainers use; nullopt if none
    /// is set.
    std::optional<std::int64_t> batch() const;
    /// Returns the tokens per sequence, in the same way.
    std::optional<std::int64_t> length() const;

private:
    /// Returns the lists of settings, the configuration file's first. They belong to this object.
    std::vector<const std::vector<ConfigurationEntry>*> settingLists() const;
};

/// Makes a finding about the study's device.
Finding findingOf(const DetectorInput& input, std::string_view rule, Grade grade, FindingKind kind);
/// Makes a finding at an event of the study and, if steps are known, in the step that contains the event.
Finding findingAt(
    const DetectorInput& input, std::int64_t event, std::string_view rule, Grade grade, FindingKind kind);
/// Sets the finding's event and, if steps are known, the step of the study that contains the event.
void placeAt(Finding& finding, const DetectorInput& input, std::int64_t event);

} // namespace highwater
