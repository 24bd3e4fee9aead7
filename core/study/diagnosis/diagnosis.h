#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/ranks/rank_table.h"
#include "core/study/diagnosis/examined.h"

namespace highwater {

/// The answer in one word: a closed list, which documents name (`toText`).
enum class DiagnosisClass : std::uint8_t
{
    TooBig, ///< memory ran out: what was alive at one time is more than the GPU has
    Leak, ///< memory ran out since every step keeps some
    Fragmentation, ///< memory ran out although enough was free in the allocator, in pieces
    Split, ///< memory ran out although enough was free in sum, in different places
    OtherProcess, ///< memory ran out since another process holds it
    ProcessCap, ///< memory ran out at a limit of the process
    AllocationLimit, ///< more than the GPU or its driver gives in one allocation
    AboveCapacity, ///< the request, or what is counted, is more than the whole GPU has
    Reserve, ///< an expandable segment may not become as large
    UnknownOom, ///< memory ran out, and nothing tells why
    DriverOom, ///< a library or the driver ran out, outside of any caching allocator
    EngineNoRoom, ///< an inference engine had no room within its share
    HostOom, ///< the machine's memory ran out, not the GPU's
    NotGpuMemory, ///< a failure that is about no such memory
    Undecidable, ///< a failure that may be for want of memory, or not
    Warnings, ///< nothing failed, and the log warns of memory
    Fault, ///< nothing failed, and memory is used that need not be
    Clean, ///< nothing was found in what was examined
    NothingExamined, ///< no GPU memory data
};
/// "gpu-oom-too-big", …, "nothing-examined".
std::string_view toText(DiagnosisClass diagnosed);
/// Whether memory of a GPU ran out within PyTorch's allocator or another of that kind.
bool isGpuOom(DiagnosisClass diagnosed);

/// A log of a run: its main file, or an auxiliary one.
struct RunLog
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null
    std::size_t companion = 0; ///< its number in `LogLineTarget` of findings
};

/// A line of the user's own code.
struct FailurePlace
{
    std::string file;
    std::int64_t line = 0; ///< 0: not known
    std::string function; ///< empty: not known

    bool operator==(const FailurePlace&) const = default;
};

/// "model.py:39 forward".
std::string placeText(const FailurePlace& place);

/// What is wrong with a run, in one value: every face of the program shows it, and none words another. Its
/// findings are indices into `RunStudy::findings`.
struct Diagnosis
{
    DiagnosisClass diagnosed = DiagnosisClass::NothingExamined;
    std::string sentence; ///< the diagnosis with its figures; never empty
    std::string detail; ///< further sentences: what it is not, what else is known; may be empty
    std::optional<FailurePlace> place; ///< the line whose request failed
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> device;
    std::optional<Bytes> requested; ///< by the request that failed
    std::optional<Bytes> free; ///< on the device at that moment
    std::optional<Bytes> capacity; ///< of the device
    std::optional<Bytes> bytes; ///< what the sentence is about: a fault's bytes, else the highest figure
    std::int64_t failures = 0; ///< of every kind; messages and events about one failure count once
    std::optional<bool> fatal; ///< the failure ended the run; none: not known, or nothing failed
    std::string next; ///< what to do, a sentence without a final full stop; may be empty
    std::vector<Examined> examined;

    std::optional<std::size_t> named; ///< the finding that the sentence is about
    /// The finding of the failure itself: `named`, unless another finding explains it.
    std::optional<std::size_t> failure;
    /// The most important fault of grade A or B apart from the failure itself.
    std::optional<std::size_t> worst;

    bool hasFailed() const { return failures > 0; }
    bool ranOut() const; ///< of GPU memory, within an allocator
    /// The sentence and, where there is one, the detail.
    std::string text() const { return detail.empty() ? sentence : sentence + ' ' + detail; }
};

/// The class of a failure that a finding tells of by itself; none: it is about how memory is used.
std::optional<DiagnosisClass> failureClass(const Finding& finding);
/// Whether a finding tells of a failure itself.
bool isFailure(const Finding& finding);

/// What a diagnosis is made of.
struct DiagnosedRun
{
    const Trace& trace; ///< of the main file
    const DeviceStudy* device; ///< null: the run is a log
    const std::optional<DeviceFigures>& figures; ///< of the device
    const std::optional<Bytes> capacity; ///< of the device; none: not known
    const std::vector<RunLog>& logs; ///< the main file first, where it is one
    const std::vector<Finding>& findings; ///< the most important first
    const RankTable* ranks = nullptr; ///< null: the run has one file only
    std::optional<std::int64_t> rank; ///< of the main file, where the run has several
};

} // namespace highwater
