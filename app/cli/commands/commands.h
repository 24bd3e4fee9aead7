#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

// The commands and their options, as the parser fills them. Each `run…` function prints errors on standard
// error and returns the exit code (`ExitCode`), or throws a Refusal or WorkCancelled, which the command line
// reports.

struct InfoOptions
{
    CommonOptions common;
    bool hash = false;
    bool all = false; ///< in text output: every series, message and setting of a log
};

/// Runs `highwater info`, which prints the figures of each file.
int runInfo(const InfoOptions& options);

struct PeaksOptions
{
    CommonOptions common;
    std::optional<std::string> device; ///< "0", "cuda:0", "host"
    std::optional<std::string> at; ///< a moment (`namesMoment`)
    std::optional<std::int64_t> step; ///< show the peak of this step
    std::string stepSource; ///< "frames", …; empty selects the best
    std::string stepPattern; ///< RE2 for the annotations that begin a step
    std::string quantity; ///< "requested" or "allocated"; empty selects the device's own
    std::string group; ///< if empty, "user-site", or "stack" with --json
    bool steps = false; ///< in text output: also a table of the steps
    bool microSteps = false; ///< in text output: also a table of their forward-backward pairs
    std::string rules; ///< path of the user's category rules; may be empty
    std::string config; ///< path of the run's configuration; may be empty
    std::size_t top = 20;
};

/// Runs `highwater peaks`, which prints what was live at the peak, at a step's peak or at another event, and
/// on request tables of the steps.
int runPeaks(const PeaksOptions& options);

struct SegmentsOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::optional<std::string> at; ///< a moment (`namesMoment`)
    std::optional<std::string> address; ///< "0x7f3a00001400": print the owners of this address instead
    std::size_t top = 20;
};

/// Runs `highwater segments`, which prints the allocator's segments and free blocks at an out-of-memory event
/// or any other, and why memory ran out. With an address, runs `runAddressOwners`.
int runSegments(const SegmentsOptions& options);

/// Runs `highwater segments --address`, which prints every allocation that contained an address.
int runAddressOwners(const SegmentsOptions& options);

struct WhatIfOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::vector<std::string> settings; ///< "expandable_segments=true"
    std::vector<std::string> removedSites; ///< parts of call sites
};

/// Runs `highwater what-if`, which computes what the allocator would have reserved with other settings, or
/// without some allocations.
int runWhatIf(const WhatIfOptions& options);

struct DiffOptions
{
    CommonOptions common; ///< two files; more make a sweep
    std::optional<std::string> beforeDevice;
    std::optional<std::string> afterDevice;
    std::optional<std::string> atBefore; ///< a moment (`namesMoment`); nullopt selects the peak
    std::optional<std::string> atAfter;
    std::optional<std::size_t> beforeStep; ///< selects the peak of this step, numbered as in `peaks`
    std::optional<std::size_t> afterStep;
    /// Axis by which the moment of one run is found if only that of the other is given; if empty, the
    /// missing moment is the peak.
    std::string align;
    std::string group; ///< if empty, "site", or "stack" with --json
    std::string beforeConfig; ///< paths of the runs' configurations; may be empty
    std::string afterConfig;
    std::string rules; ///< path of the user's category rules; may be empty
    std::size_t top = 20;
    std::string sort = "given"; ///< order of the runs in a sweep

    /// True if a device, a moment or a step is chosen, which neither logs nor a sweep allow.
    bool choosesDeviceOrMoment() const
    {
        return beforeDevice || afterDevice || atBefore || atAfter || beforeStep || afterStep;
    }
};

/// Runs `highwater diff`, which prints what changed between the peaks, or other moments, of two runs, in rows
/// that sum to the difference; for three or more files runs `runSweep`.
int runDiff(const DiffOptions& options);

/// Runs `highwater diff A B C…`, which prints a table with one row per run. Holds one file at a time.
int runSweep(const DiffOptions& options);

struct FindingsOptions
{
    CommonOptions common; ///< files of one run: snapshots or traces, and their auxiliary files
    std::optional<std::string> device;
    std::string config; ///< path of the run's configuration; may be empty
    std::string gpu; ///< GPU or size to judge the run against; may be empty
    std::string rules; ///< path of the user's category rules; may be empty
    std::vector<std::string> only; ///< "faults", "facts", "leak", "oom" or rules; empty selects all
    bool brief = false; ///< in text output: one line for each finding
    bool verbose = false; ///< in text output: all evidence, and what would make a finding wrong
    bool sarif = false; ///< print a SARIF log instead
};

/// Runs `highwater findings`, which prints what is wrong, with evidence.
int runFindings(const FindingsOptions& options);

struct BudgetOptions
{
    CommonOptions common; ///< at most one file
    std::string config; ///< path of the run's configuration; may be empty with a file
    std::optional<std::string> device;
    /// Names or sizes; empty selects those of the configuration, else the common ones (`chooseGpus`).
    std::vector<std::string> gpuNames;
    std::vector<std::string> whatIf; ///< "batch=1,2,4"
    std::string rules; ///< path of the user's category rules; may be empty
};

/// Runs `highwater budget`, which computes the memory that a run needs, and compares it with what was
/// observed.
int runBudget(const BudgetOptions& options);

struct ConvertOptions
{
    CommonOptions common;
    std::string out;
    bool force = false;
};

/// Runs `highwater convert`, which writes a file in Highwater's compact format.
int runConvert(const ConvertOptions& options);

struct CutOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string steps; ///< "A:B" (B excluded) or "A"; at most one of `steps`, `events` and `time` is set
    std::string events; ///< "A:B" (B excluded)
    std::string time; ///< "A:B" in seconds since the first event
    bool stripPaths = false;
    std::string out;
    bool force = false;
};

/// Runs `highwater cut`, which writes a part of a snapshot as a smaller one.
int runCut(const CutOptions& options);

struct CheckOptions
{
    CommonOptions common;
    std::optional<std::string> device; ///< as in other commands, or "all"
    std::optional<Bytes> maxPeak;
    std::optional<Bytes> maxReserved;
    std::optional<Bytes> maxGrowthPerStep;
    std::string baseline; ///< path of another run; may be empty
    std::optional<double> maxPeakIncreasePercent;
};

/// Runs `highwater check`, which checks files against limits.
int runCheck(const CheckOptions& options);

struct FigureCommandOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string kind;
    std::string range; ///< "A:B" in events (B excluded); empty selects all
    std::optional<std::string> at; ///< a moment (`namesMoment`)
    std::string group;
    std::string align; ///< for --kind diff; if empty, by step
    std::string notes; ///< path of the user's notes, which are drawn as flags; may be empty
    std::string rules; ///< path of the user's category rules; may be empty
    std::string config; ///< path of the run's configuration, for its budget; may be empty
    std::string size; ///< "WxH"; empty selects the usual size
    bool dark = false;
    std::string out;
    bool force = false;
};

/// Runs `highwater figure`, which draws a figure for a report, as SVG.
int runFigure(const FigureCommandOptions& options);

struct ReportCommandOptions
{
    CommonOptions common; ///< files of the only run, or of the later one
    /// Files of the earlier run; empty if there is one run. If `common` has no files and there is no
    /// workspace, the last of two is the later run.
    std::vector<std::string> before;
    std::optional<std::string> device;
    std::string notes; ///< path; may be empty
    std::string workspace; ///< path; may be empty
    std::string config; ///< path; may be empty
    std::string beforeConfig; ///< path; may be empty
    std::string rules; ///< path; may be empty
    std::string kind; ///< name of the template; empty selects the workspace's, else the usual one
    std::vector<std::string> sections; ///< names; empty selects those of the template
    std::string title;
    bool keepsHomes = false; ///< home folders are not shortened to ~
    bool stripPaths = false; ///< user names and folders are removed from all texts
    bool isFull = false; ///< everything that is known, not only a few pages
    bool isStatic = false; ///< an HTML report has no data for zooming
    std::string out;
    bool force = false;
};

/// Runs `highwater report`, which writes a report on one or two runs.
int runReport(const ReportCommandOptions& options);

struct RehearseOptions
{
    CommonOptions common; ///< only `json` and `quiet` are used
    std::vector<std::string> gpuNames; ///< several, or "all", are judged in one table
    int gpusPerProcess = 1;
    std::string find; ///< "batch=1:512"; empty to rehearse once
    /// Changes to try if the command does not fit: names, "all" or "none"; empty to try until one is enough.
    std::vector<std::string> tries;
    std::string prices; ///< file of prices by GPU; may be empty
    std::string out = "rehearsal.pickle";
    std::string trace;
    std::string labels;
    std::string steering;
    std::string torch; ///< the target's PyTorch: a version, or a file that names it; may be empty
    std::string stacks = "python";
    std::string history = "whole";
    std::string addresses = "down";
    double kernelMicroseconds = 0;
    int maxSteps = 0; ///< optimizer steps until the command is ended; 0 lets it end by itself
    bool once = false; ///< do not repeat the command with other values to find out if they matter
    bool force = false;
    bool open = false;
    std::vector<std::string> command;
};

/// Runs `highwater rehearse`, which runs a training script on simulated GPUs and reports which of them
/// it fits.
int runRehearse(const RehearseOptions& options);

struct McpOptions
{
    CommonOptions common; ///< `files` are the folders that may be read; empty selects the current one
};

/// Runs `highwater mcp`, which answers a program that speaks the Model Context Protocol, on standard input
/// and output (`serveMcp`).
int runMcp(const McpOptions& options);

struct RecordOptions
{
    std::string framework = "torch"; ///< one of `recordingFrameworks()`
    bool standAlone = false; ///< print the recorder as one file instead of the lines
    bool json = false;
};

/// Runs `highwater record`, which prints the lines that record a training script, or the recorder that they
/// use.
int runRecord(const RecordOptions& options);

struct OpenOptions
{
    std::vector<std::string> files;
};

/// Runs `highwater open`, which replaces this process by the window's program. Returns CannotRead if a file
/// cannot be read or the program cannot be started.
int runOpen(const OpenOptions& options);

/// Runs `highwater bench`, which times each stage of opening and drawing a file.
int runBench(const CommonOptions& options);

} // namespace highwater::cli
