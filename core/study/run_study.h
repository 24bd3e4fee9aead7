#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/budget/budget_study.h"
#include "core/analysis/detectors/detectors.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/ranks/rank_table.h"
#include "core/base/lazy.h"
#include "core/base/side_by_side.h"
#include "core/run/run_shape.h"
#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// What is loaded of one run.
struct RunParts
{
    std::string name; ///< of its main file, without folders
    std::shared_ptr<const Trace> trace; ///< of the main file; never null
    /// The device that the run is shown by; null: the main file tells no memory of a device. Must keep its
    /// trace alive, or `trace` does.
    std::shared_ptr<const DeviceStudy> device;
    std::optional<DeviceCapacity> capacity; ///< chosen by the user or the configuration; none: the file's
    std::string cutOff; ///< why the main file ends early; empty: it is complete
    std::vector<CompanionFile> companions; ///< auxiliary files: logs and series
    std::vector<ConfigurationEntry> settings; ///< of a configuration file
    std::optional<RunShape> shape; ///< from a configuration file; none: the run has no budget
    std::vector<std::shared_ptr<const RankFile>> ranks; ///< where the run has more than one; else empty
    std::optional<std::int64_t> rank; ///< of the main file; none: not known
    SideBySide sideBySide; ///< how the detectors run; empty: one after another
};

/// One run and what is worked out about it: the object that command line, window and report read. Immutable;
/// what costs more than a pass over the events is computed when it is first asked for, once, on the thread
/// that asks (the detectors: as `RunParts::sideBySide` has it), and may be interrupted there.
class RunStudy
{
public:
    /// The capacity is computed at once. O(requests that failed).
    explicit RunStudy(RunParts parts);

    /// The same run on a device of another capacity; shares what does not depend on it.
    std::shared_ptr<const RunStudy> withCapacity(std::optional<DeviceCapacity> capacity) const;
    /// The same run with other ranks beside it, as far as they are known; runs no detector again.
    /// `rank`: of the main file among them; none: as it was.
    std::shared_ptr<const RunStudy> withRanks(
        std::vector<std::shared_ptr<const RankFile>> ranks, std::optional<std::int64_t> rank = {}) const;

    const RunParts& parts() const { return m_parts; }
    const std::string& name() const { return m_parts.name; }
    const Trace& trace() const { return *m_parts.trace; }
    const DeviceStudy* device() const { return m_parts.device.get(); } ///< null: the run is a log
    /// In the study's quantity; none: the run is a log.
    const std::optional<DeviceFigures>& figures() const { return m_figures; }
    /// What is chosen, unless the recording contradicts it, else what the file tells.
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    /// The main file first, where it is one.
    const std::vector<RunLog>& logs() const { return m_logs; }

    /// Null: the run has one file only.
    const RankTable* ranks() const;
    /// About the device, or about the logs where there is none, and what the ranks show; by grade, then by
    /// bytes. O(detectors × (events + stacks)).
    /// `asTheyCome` hears of them if this call is the one that looks for them; see findFindings.
    const std::vector<Finding>& findings(const FindingSink& asTheyCome = {}) const;
    /// The first finding of a rule; null: there is none.
    const Finding* finding(std::string_view rule) const;
    /// The finding of an index of the diagnosis; null: none.
    const Finding* findingAt(const std::optional<std::size_t>& index) const;
    /// All of them, the one that the diagnosis names first, then faults, then facts. O(findings × log
    /// findings).
    std::vector<const Finding*> inReadingOrder() const;
    /// Findings that name memory which need not be used, of grade A or B.
    std::size_t faults() const;
    const Diagnosis& diagnosis() const;
    /// Null: the configuration does not describe the run's shape, or `budgetTrouble` says why not.
    const BudgetStudy* budget() const;
    /// Why there is no budget although the shape is known, a sentence; else empty.
    const std::string& budgetTrouble() const;

private:
    struct Budgeted
    {
        std::optional<BudgetStudy> study;
        std::string trouble;
    };

    DetectorInput detectorInput() const;
    std::vector<Finding> withOutliers(std::vector<Finding> findings) const;
    const Budgeted& budgeted() const;

    RunParts m_parts;
    std::optional<DeviceFigures> m_figures;
    std::optional<DeviceCapacity> m_capacity;
    std::vector<RunLog> m_logs;
    // Each may be another study's as well: what it depends on is the same there.
    std::shared_ptr<const Lazy<RankTable>> m_ranks;
    std::shared_ptr<const Lazy<Budgeted>> m_budget;
    std::shared_ptr<const Lazy<std::vector<Finding>>> m_detected; ///< without what the ranks show
    Lazy<std::vector<Finding>> m_findings;
    Lazy<Diagnosis> m_diagnosis;
};

} // namespace highwater
