#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/diff_findings.h"
#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/diff/side_names.h"
#include "core/study/outcome/run_outcome.h"
#include "core/study/outcome/unequal_peaks.h"

namespace highwater {

/// The compared device of one run.
struct ComparedDevice
{
    std::shared_ptr<const DeviceStudy> study; ///< never null; its trace must outlive it
    std::vector<ConfigurationEntry> settings; ///< settings from a configuration file
};

/// A comparison of one device in two runs, for command line, window and report. The constructor computes the
/// data that does not depend on the compared moments. Immutable; shares ownership of both studies. O(frames +
/// stacks + steps).
class RunComparison
{
public:
    /// Both studies must be in the same quantity.
    RunComparison(ComparedDevice before, ComparedDevice after);

    const DeviceStudy& before() const { return *m_before.study; }
    const DeviceStudy& after() const { return *m_after.study; }
    const StackClasses& classes() const { return m_classes; }
    const AlignedSteps& steps() const { return m_steps; }
    /// Returns every setting that differs, by name.
    const std::vector<SettingChange>& settings() const { return m_settings; }

    /// True if both sides are the same device of one recording, so that only moments can differ.
    bool isOfOneDevice() const;
    /// Returns what captions call the sides if these moments are compared: two different moments if both are
    /// of one device of one recording, else the runs.
    SideNames sideNames(std::int64_t beforeEvent, std::int64_t afterEvent) const;

    /// Returns how both recordings end. O(events + steps).
    ComparedEnds ends() const;
    /// Returns the pair of steps to compare instead of the peaks, if the peaks are of unequal steps of runs
    /// that have something in common.
    const std::optional<UnequalPeaks>& unequalPeaks() const { return m_unequalPeaks; }

    RunAlignment align(RunAxis axis) const;
    /// Aligns the steps that contain these events; as `align` by Step if an event is outside all steps, or if
    /// both steps have the same index.
    RunAlignment alignStepsOf(std::int64_t beforeEvent, std::int64_t afterEvent) const;
    /// Returns the axes for which both runs have the data; Event is always among them.
    std::vector<RunAxis> usableAxes() const;

    DiffInput beforeAt(std::int64_t event) const;
    DiffInput afterAt(std::int64_t event) const;
    /// Compares two moments and draws conclusions. Between both peaks, the verdict begins with the outcome of
    /// the comparison (`outcomeText`), if it has one. The sentences on unequal peaks (`unequalPeaks`), on the
    /// difference, and on the reserved peaks (`reservedPeaksText`) follow. The one on the difference is
    /// omitted if the outcome and the unequal peaks have sentences, because these give the memory of both
    /// runs. If the runs have nothing in common (`unrelatedText`), the headline between both peaks says so,
    /// and only the totals follow. Costs as much as `findDiff` and `ends`.
    DiffFindings diffAt(std::int64_t beforeEvent, std::int64_t afterEvent, GroupKey key) const;
    /// Compares both peaks.
    DiffFindings diffAtPeaks(GroupKey key) const;

private:
    /// Returns the names of two moments, empty for the peaks. Between two runs a name also tells the run, and
    /// between two devices of one recording the device.
    MomentNames namesOf(std::int64_t beforeEvent, std::int64_t afterEvent) const;

    ComparedDevice m_before;
    ComparedDevice m_after;
    StackClasses m_classes;
    AlignedSteps m_steps;
    std::string m_unrelatedText; ///< empty if the runs have something in common
    std::optional<UnequalPeaks> m_unequalPeaks;
    std::vector<SettingChange> m_settings;
};

/// Returns why two devices cannot be compared, as text that follows the name of the earlier file: "counts
/// requested bytes and b.json counts device used bytes, so they cannot be compared". `afterName` is the name
/// of the later file.
std::string differentBytesText(Quantity beforeQuantity, std::string_view afterName, Quantity afterQuantity);

} // namespace highwater
