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

/// An auxiliary file of the same run: a log, a sampled series, an export of Nsight Systems.
struct CompanionFile
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null

    bool operator==(const CompanionFile&) const = default;
};

/// The input of the detectors. Everything that it refers to must outlive it.
struct DetectorInput
{
    DetectorInput() = default;
    /// The figures and the capacity follow from the study.
    explicit DetectorInput(const DeviceStudy& ofStudy);

    const DeviceStudy* study = nullptr; ///< null: there are logs alone
    /// Of the study's device; holds its out-of-memory events. Without a history the peak is what the file
    /// shows: its end.
    DeviceFigures figures;
    std::optional<DeviceCapacity> capacity;
    std::string cutOff; ///< why the study's file ends early, a sentence; empty: it is complete
    std::vector<CompanionFile> companions;
    std::vector<ConfigurationEntry> settings; ///< of a configuration file

    /// Whether there are events, more than one accidental one: else nothing shows what came first.
    bool hasHistory() const;

    /// The value of a setting that is a positive integer, from `settings`, else from the files' own
    /// configuration. Names are compared by their last part ("model.vocab_size" is "vocab_size"), the first
    /// name found wins. O(settings).
    std::optional<std::int64_t> number(std::initializer_list<std::string_view> names) const;
    /// Settings under the names that trainers give them: sequences a step and GPU, tokens a sequence.
    std::optional<std::int64_t> batch() const;
    std::optional<std::int64_t> length() const;
};

/// A finding about the study's device.
Finding findingOf(const DetectorInput& input, std::string_view rule, Grade grade, FindingKind kind);
/// The same at an event and, where steps are known, in the step that contains it.
Finding findingAt(
    const DetectorInput& input, std::int64_t event, std::string_view rule, Grade grade, FindingKind kind);
/// Sets the event and, where steps are known, the step that contains it.
void placeAt(Finding& finding, const DetectorInput& input, std::int64_t event);

} // namespace highwater
