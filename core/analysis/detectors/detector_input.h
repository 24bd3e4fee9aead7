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

/// An auxiliary file of the same run: a log, a sampled series, or an Nsight Systems export.
struct AuxiliaryFile
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null

    bool operator==(const AuxiliaryFile&) const = default;
};

/// The input of the detectors. Everything that it refers to must outlive it.
struct DetectorInput
{
    DetectorInput() = default;
    /// Takes the figures and the capacity from the study.
    explicit DetectorInput(const DeviceStudy& ofStudy);

    const DeviceStudy* study = nullptr; ///< null if there are only logs
    /// Figures of the study's device, including its out-of-memory events. Without a history, the peak is the
    /// file's only moment, its end.
    DeviceFigures figures;
    std::optional<DeviceCapacity> capacity;
    std::string cutOff; ///< why the study's file ends early, as a sentence; empty if it is complete
    std::vector<AuxiliaryFile> auxiliaryFiles;
    std::vector<ConfigurationEntry> settings; ///< entries of a configuration file

    /// True if the trace has more than one event. A single event may be accidental and shows no order.
    bool hasHistory() const;

    /// Returns the value of a setting that is a positive integer: from `settings`, else from the files' own
    /// configuration. Names are compared by their last part ("model.vocab_size" matches "vocab_size"), and
    /// the first name found wins. O(settings).
    std::optional<std::int64_t> number(std::initializer_list<std::string_view> names) const;
    /// Sequences per step and GPU, and tokens per sequence, under the setting names that trainers use.
    std::optional<std::int64_t> batch() const;
    std::optional<std::int64_t> length() const;
};

/// Makes a finding about the study's device.
Finding findingOf(const DetectorInput& input, std::string_view rule, Grade grade, FindingKind kind);
/// Makes a finding at an event and, if steps are known, in the step that contains it.
Finding findingAt(
    const DetectorInput& input, std::int64_t event, std::string_view rule, Grade grade, FindingKind kind);
/// Sets the finding's event and, if steps are known, the step that contains it.
void placeAt(Finding& finding, const DetectorInput& input, std::int64_t event);

} // namespace highwater
