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
#include "core/analysis/device/doubtful_totals.h"
#include "core/analysis/ranks/rank_table.h"
#include "core/study/diagnosis/examined.h"

namespace highwater {

/// The class of a diagnosis. The list is closed; `toText` returns the names that the manual documents.
enum class DiagnosisClass : std::uint8_t
{
    TooBig, ///< out of memory: live tensors leave too little free memory
    Leak, ///< out of memory because every step keeps some memory
    Fragmentation, ///< out of memory although enough was free in the allocator, in pieces
    Split, ///< out of memory although enough was free in total, in different places
    OtherProcess, ///< out of memory because another process uses the GPU's memory
    ProcessCap, ///< out of memory at a limit set for the process
    AllocationLimit, ///< the request exceeds what the GPU or its driver gives in one allocation
    AboveCapacity, ///< the request, or the counted memory, exceeds the whole GPU
    Reserve, ///< the addresses reserved for expandable segments do not suffice for the request
    UnknownOom, ///< out of memory for an unknown reason, or in another rank
    DriverOom, ///< a library or the driver ran out of memory, outside any caching allocator
    EngineNoRoom, ///< an inference engine had no room within its share
    HostOom, ///< the machine's memory ran out, not the GPU's
    NotGpuMemory, ///< a failure that has nothing to do with GPU or host memory
    Undecidable, ///< a failure that may or may not be due to a lack of memory
    Warnings, ///< no failure is known, but the log warns about memory, or the driver refused some
    Fault, ///< nothing failed, but memory is used unnecessarily
    Clean, ///< nothing found in the examined data
    CutOff, ///< nothing found in the part of a truncated file that could be read
    Untrusted, ///< nothing found in a file whose totals may be wrong (`doubtOfTotals`)
    NothingExamined, ///< no GPU memory data
};
/// Returns "gpu-oom-too-big", …, "nothing-examined".
std::string_view toText(DiagnosisClass diagnosed);
/// True if GPU memory ran out within PyTorch's allocator or a similar one.
bool isGpuOom(DiagnosisClass diagnosed);

/// A log of a run: its main file or an auxiliary file.
struct RunLog
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null
    std::size_t auxiliary = 0; ///< its index in the `LogLineTarget` of findings
};

/// A line of the user's own code.
struct FailurePlace
{
    std::string file;
    std::int64_t line = 0; ///< 0 if unknown
    std::string function; ///< empty if unknown

    bool operator==(const FailurePlace&) const = default;
};

/// Returns "forward (model.py:39)", as the labels of call sites.
std::string placeText(const FailurePlace& place);

/// The diagnosis of a run, which all front ends show unchanged. A plain value; its findings are indices into
/// `RunStudy::findings`.
struct Diagnosis
{
    DiagnosisClass diagnosed = DiagnosisClass::NothingExamined;
    std::string sentence; ///< the diagnosis with its figures; never empty
    std::string detail; ///< further sentences, such as excluded causes; may be empty
    std::string cause; ///< what keeps or allocates the memory that a failed request lacked; may be empty
    std::optional<FailurePlace> place; ///< the line whose request failed
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> device;
    std::optional<Bytes> requested; ///< bytes of the failed request
    std::optional<Bytes> free; ///< free bytes on the device at that moment
    std::optional<Bytes> capacity; ///< capacity of the device
    std::optional<Bytes> bytes; ///< bytes of the named finding, else the most memory in use
    std::int64_t failureCount = 0; ///< of all kinds; messages and events about one failure count once
    std::optional<bool> fatal; ///< true if the failure ended the run; nullopt if unknown or if nothing failed
    std::string next; ///< the recommended action, a sentence without a final full stop; may be empty
    /// The limit of a verdict without faults: "too few steps to judge leaks"; may be empty.
    std::string unjudged;
    std::vector<Examined> examined;

    std::optional<std::size_t> named; ///< the finding that the sentence reports
    /// The finding about the failure itself; equals `named` unless another finding explains it.
    std::optional<std::size_t> failureFinding;
    /// The most important fault of grade A or B that is neither a failure nor a warning, and not merged into
    /// another finding.
    std::optional<std::size_t> worst;
    /// The fact of grade A or B whose action saves most, if the class is Clean: memory that could be saved
    /// although nothing is wrong.
    std::optional<std::size_t> opportunity;

    bool hasFailed() const { return failureCount > 0; }
    bool ranOut() const; ///< true if GPU memory ran out within an allocator
    /// Returns the sentence, followed by the detail if there is one.
    std::string text() const { return detail.empty() ? sentence : sentence + ' ' + detail; }
};

/// Returns the class of the failure of memory that a finding reports; nullopt if it reports none.
std::optional<DiagnosisClass> failureClass(const Finding& finding);
/// True if a finding reports a failure of memory itself.
bool isFailure(const Finding& finding);

/// The input of a diagnosis. Everything that it refers to must outlive it.
struct DiagnosedRun
{
    const Trace& trace; ///< trace of the main file
    const DeviceStudy* device; ///< null if the main file has no device memory
    const std::optional<DeviceFigures>& figures;
    const std::optional<Bytes> capacity; ///< capacity of the device; nullopt if unknown
    const std::vector<RunLog>& logs; ///< the main file first, if it has no device memory
    const std::vector<Finding>& findings; ///< the most important first
    const RankTable* ranks = nullptr; ///< null if the run has only one rank
    std::optional<std::int64_t> rank; ///< rank of the main file; nullopt if unknown
    std::string_view cutOff = {}; ///< why the main file ends early; empty if it is complete

    /// True if the main file ends early, so that nothing is said of the rest of the run.
    bool isCutOff() const { return !cutOff.empty() || trace.metadata.cutOff; }
    /// Returns why the totals of the main file may be wrong. Empty if nothing speaks against them, or if the
    /// file ends early, which explains it.
    std::string_view doubt() const { return isCutOff() ? std::string_view() : doubtOfTotals(trace); }
};

} // namespace highwater
