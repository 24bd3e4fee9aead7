#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// A log of a run: its main file, or an auxiliary one.
struct RunLog
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null
};

/// The kind of memory problem that a run has.
enum class Trouble : std::uint8_t
{
    None, ///< memory did not run out and does not keep growing
    Growth, ///< every step retains memory: at least a quarter of the peak is from earlier steps
    Fragmentation, ///< enough memory was free inside the allocator, but fragmented
    Divided, ///< enough was free in total, but in different places
    TooBig, ///< the run needs more at one time than the device has
    Limit, ///< a limit of the process or of a segment forbade what the device had free
    HostMemory, ///< the machine's memory ran out, not the device's
    Unknown ///< memory ran out for an unknown reason
};

/// What is wrong with a run, by its findings. Points into the findings that it is made of.
struct Diagnosis
{
    Trouble trouble = Trouble::None;
    bool ranOut = false; ///< the run ran out of memory
    const Finding* cause = nullptr; ///< the finding that shows it; null: none
    /// The most important fault apart from the failure itself; null: none.
    const Finding* worst = nullptr;
    /// One sentence for the whole run: that memory ran out and why, else how high the peak was. Before it the
    /// other rank that ran out or stands out, where this file has neither.
    std::string verdict;
    /// States which kind of problem the run has and which it does not have ("It is growth, not …", "It is
    /// neither fragmentation nor growth: …"), and how much memory could be avoided; of a run without
    /// any fault that there is none. Empty: there are faults, and none of these problems.
    std::string sentence;
    /// The same with the cause, for where the verdict is not shown.
    std::string sentenceWithCause;

    /// The verdict and, where there is one, the sentence.
    std::string text() const { return sentence.empty() ? verdict : verdict + ' ' + sentence; }
};

/// The trouble that a finding about the failure itself tells of; None: it is about something else.
Trouble troubleOf(const Finding& finding);
bool isFailure(const Finding& finding);

/// What a diagnosis is made of.
struct DiagnosedRun
{
    const Trace& trace; ///< of the main file
    const DeviceStudy* device; ///< null: the run is a log
    const std::optional<DeviceFigures>& figures; ///< of the device
    const std::vector<RunLog>& logs; ///< the main file first, where it is one
    const std::vector<Finding>& findings; ///< the most important first
    const RankTable* ranks = nullptr; ///< null: the run has one file only
};

/// `RunStudy::diagnosis` does this once. O(findings + log messages).
Diagnosis diagnose(const DiagnosedRun& run);

} // namespace highwater
