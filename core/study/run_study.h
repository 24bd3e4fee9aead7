#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/budget/budget_study.h"
#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/failures/logged_gpu.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/ranks/rank_table.h"
#include "core/base/lazy.h"
#include "core/base/side_by_side.h"
#include "core/run/run_shape.h"
#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// The loaded files of one run.
struct RunParts
{
    std::string name; ///< name of its main file, without folders
    std::shared_ptr<const Trace> trace; ///< trace of the main file; never null
    /// The device shown for the run; null if the main file has no device memory. It must keep its trace
    /// alive, unless `trace` does.
    std::shared_ptr<const DeviceStudy> device;
    /// Capacity chosen by the user or the configuration; nullopt to use that of the file.
    std::optional<DeviceCapacity> capacity;
    std::string cutOff; ///< why the main file ends early; empty if it is complete
    std::vector<AuxiliaryFile> auxiliaryFiles; ///< logs and series
    std::vector<ConfigurationEntry> settings; ///< settings from a configuration file
    std::optional<RunShape> shape; ///< shape from a configuration file; nullopt for no budget
    /// The ranks of the run; may be empty if it has only one.
    std::vector<std::shared_ptr<const RankFile>> ranks;
    std::optional<std::int64_t> rank; ///< rank of the main file; nullopt if unknown
    SideBySide sideBySide; ///< runs the detectors in parallel; if empty, they run one after another
};

/// One run with its results, for command line, window and report. Immutable. Findings, ranks, diagnosis and
/// budget are computed once, on first use, and may be interrupted. They run on the calling thread, except
/// that `RunParts::sideBySide` may run detectors in parallel.
class RunStudy
{
public:
    /// Computes only figures and what the logs say about the GPU; everything else follows on first use.
    /// O(failed requests + files + log events).
    explicit RunStudy(RunParts parts);

    /// Returns the same run on a device of another capacity. Shares the results that do not depend on the
    /// capacity.
    std::shared_ptr<const RunStudy> withCapacity(std::optional<DeviceCapacity> capacity) const;
    /// Returns the same run with other ranks. Shares the budget and the findings but those about ranks.
    /// `rank` is the rank of the main file; nullopt to keep the current one.
    std::shared_ptr<const RunStudy> withRanks(
        std::vector<std::shared_ptr<const RankFile>> ranks, std::optional<std::int64_t> rank = {}) const;

    const RunParts& parts() const { return m_parts; }
    const std::string& name() const { return m_parts.name; }
    const Trace& trace() const { return *m_parts.trace; }
    /// Returns the device shown for the run; null if the main file has no device memory.
    const DeviceStudy* device() const { return m_parts.device.get(); }
    /// Returns the figures in the study's quantity; nullopt without a device.
    const std::optional<DeviceFigures>& figures() const { return m_figures; }
    /// Returns the chosen capacity, unless the recording contradicts it; else the capacity in the file or in
    /// a log of the run, or the lower bound that the recording shows. nullopt if none is known, and for host
    /// memory.
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    /// Returns what the run's memory is shown against: the limit of the process if a log states it, unless a
    /// GPU is chosen; else the capacity.
    std::optional<DeviceCapacity> memoryLimit() const;
    /// Returns what the logs say about the GPU shown for the run.
    const LoggedGpu& logged() const { return m_logged; }
    /// Returns the GPU that the user or the configuration chose, even if the recording contradicts it.
    std::optional<GpuModel> chosenGpu() const;
    /// Returns the logs; without a device, the main file is the first of them.
    const std::vector<RunLog>& logs() const { return m_logs; }

    /// Returns the ranks, or null if the run has only one.
    const RankTable* ranks() const;
    /// Returns the findings about the device (about the logs if there is none) and about the ranks, by grade,
    /// then by bytes. The first call runs the detectors: O(detectors × (events + stacks)). `onFinding` gets
    /// their findings, without those about ranks, only if this call runs them; see findFindings.
    const std::vector<Finding>& findings(const FindingSink& onFinding = {}) const;
    /// Returns the first finding of a rule, or null.
    const Finding* finding(std::string_view rule) const;
    /// Returns the finding with an index of the diagnosis, or null.
    const Finding* findingAt(const std::optional<std::size_t>& index) const;
    /// Returns all findings: the one that the diagnosis names, then faults, then facts. O(n log n) once the
    /// diagnosis is known.
    std::vector<const Finding*> inReadingOrder() const;
    /// Returns the number of faults, guesses included: the rows of a list of them.
    std::size_t faultCount() const;
    /// Returns the diagnosis; detects the findings first if necessary.
    const Diagnosis& diagnosis() const;
    /// Returns the budget, or null if the configuration does not describe the run's shape or `budgetTrouble`
    /// gives a reason. With a device, this function and the next two detect the findings first if necessary.
    const BudgetStudy* budget() const;
    /// Returns the budget or, without a configuration, the recorded run compared with GPUs; null if neither
    /// can be computed.
    const BudgetStudy* gpuFits() const;
    /// Returns why there is no budget although the shape is known, in one sentence; else empty.
    const std::string& budgetTrouble() const;

private:
    struct BudgetResult
    {
        std::optional<BudgetStudy> study;
        std::string trouble;
    };

    DetectorInput detectorInput() const;
    std::vector<Finding> withOutliers(std::vector<Finding> findings) const;
    const BudgetResult& budgetResult() const;

    RunParts m_parts;
    std::optional<DeviceFigures> m_figures;
    LoggedGpu m_logged;
    std::optional<DeviceCapacity> m_capacity;
    std::vector<RunLog> m_logs;
    // Copies by `withCapacity` and `withRanks` share those results whose inputs are equal.
    std::shared_ptr<const Lazy<RankTable>> m_ranks;
    std::shared_ptr<const Lazy<BudgetResult>> m_budget;
    std::shared_ptr<const Lazy<std::vector<Finding>>> m_detected; ///< without the findings about ranks
    Lazy<std::vector<Finding>> m_findings;
    Lazy<Diagnosis> m_diagnosis;
};

} // namespace highwater
