#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

struct InfoOptions
{
    CommonOptions common;
    bool hash = false;
    bool all = false; ///< text: every series, message and setting of a log
};

/// `highwater info`: what each file holds, in figures.
int runInfo(const InfoOptions& options);

struct PeaksOptions
{
    CommonOptions common;
    std::optional<std::string> device; ///< "0", "cuda:0", "host"
    std::optional<std::int64_t> at;
    std::optional<std::int64_t> step; ///< at this step's peak
    std::string stepSource; ///< "frames", …; empty: the best
    std::string stepPattern; ///< RE2: annotations that begin a step
    std::string quantity; ///< "requested", "allocated"; empty: the device's own
    std::string group; ///< empty: "user-site", with --json "stack"
    bool steps = false; ///< text: a table of the steps as well
    bool microSteps = false; ///< text: of their forward-backward pairs
    std::string rules; ///< path of the user's category rules; empty: none
    std::string config; ///< path of the run's configuration; empty: none
    std::size_t top = 20;
};

/// `highwater peaks`: the steps, and what was live at the peak, at a step's peak or at another event.
int runPeaks(const PeaksOptions& options);

struct SegmentsOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::optional<std::int64_t> at;
    std::size_t top = 20;
};

/// `highwater segments`: the allocator's segments and holes at an out-of-memory event or any other, and why
/// the memory ran out.
int runSegments(const SegmentsOptions& options);

struct WhatIfOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::vector<std::string> settings; ///< "expandable_segments=true"
    std::vector<std::string> removedSites; ///< parts of call sites
};

/// `highwater what-if`: what the allocator would have reserved with other settings, or without some
/// allocations.
int runWhatIf(const WhatIfOptions& options);

struct DiffOptions
{
    CommonOptions common; ///< two files; more: a sweep
    std::optional<std::string> beforeDevice;
    std::optional<std::string> afterDevice;
    std::optional<std::int64_t> beforeEvent; ///< none: the peak
    std::optional<std::int64_t> afterEvent;
    std::optional<std::size_t> beforeStep; ///< at the peak of this step, as `peaks` numbers them
    std::optional<std::size_t> afterStep;
    std::string align; ///< axis by which a missing moment is derived from the other; empty: it is the peak
    std::string group = "stack";
    std::string beforeConfig; ///< paths of the runs' configurations; empty: none
    std::string afterConfig;
    std::string rules; ///< path of the user's category rules; empty: none
    std::size_t top = 20;
    std::string sort = "given"; ///< of a sweep
};

/// `highwater diff`: what changed between two runs, in rows that sum to the change of the peak; of three
/// files and more `runSweep`.
int runDiff(const DiffOptions& options);

/// `highwater diff A B C…`: a table with one row per run. Reads and releases one file at a time.
int runSweep(const DiffOptions& options);

struct FindingsOptions
{
    CommonOptions common; ///< files of one run: snapshots or traces, and their auxiliary files
    std::optional<std::string> device;
    std::string config; ///< path of the run's configuration; empty: none
    std::string rules; ///< path of the user's category rules; empty: none
    std::vector<std::string> only; ///< "faults", "facts", rules; empty: all
    bool brief = false; ///< text: a line for each
    bool verbose = false; ///< text: all evidence, and when each would be wrong
};

/// `highwater findings`: what is wrong, with evidence.
int runFindings(const FindingsOptions& options);

struct BudgetOptions
{
    CommonOptions common; ///< one file, or none
    std::string config; ///< path of the run's configuration
    std::optional<std::string> device;
    std::vector<std::string> gpus; ///< names or sizes; empty: the configuration's, else all known
    std::vector<std::string> whatIf; ///< "batch=1,2,4"
    std::string rules; ///< path of the user's category rules; empty: none
};

/// `highwater budget`: the memory a run needs by the formulae, compared with what was observed.
int runBudget(const BudgetOptions& options);

struct ConvertOptions
{
    CommonOptions common;
    std::string out;
    bool force = false;
};

/// `highwater convert`: writes a file in Highwater's compact format.
int runConvert(const ConvertOptions& options);

struct CutOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string steps; ///< "A:B", B not included, or "A"; empty: not by steps
    std::string events; ///< "A:B"
    std::string time; ///< "A:B" in seconds since the first event
    bool stripPaths = false;
    std::string out;
    bool force = false;
};

/// `highwater cut`: a part of a snapshot as a smaller one.
int runCut(const CutOptions& options);

struct CheckOptions
{
    CommonOptions common;
    std::optional<std::string> device; ///< as elsewhere, or "all"
    std::optional<Bytes> maxPeak;
    std::optional<Bytes> maxReserved;
    std::optional<Bytes> maxGrowthPerStep;
    std::string baseline; ///< path of another run; empty: none
    std::optional<double> maxPeakIncreasePercent;
};

/// `highwater check`: checks files against limits.
int runCheck(const CheckOptions& options);

struct FigureCommandOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string kind;
    std::string range; ///< "A:B" in events; empty: all
    std::optional<std::int64_t> at;
    std::string group;
    std::string align; ///< of --kind diff; empty: step
    std::string notes; ///< path of the user's notes, whose flags are drawn; empty: none
    std::string rules; ///< path of the user's category rules; empty: none
    std::string config; ///< path of the run's configuration, for its budget; empty: none
    std::string size; ///< "WxH"; empty: the usual one
    bool dark = false;
    std::string out;
    bool force = false;
};

/// `highwater figure`: a picture for a report, as SVG.
int runFigure(const FigureCommandOptions& options);

struct ReportCommandOptions
{
    CommonOptions common; ///< files of the run, or of the run after
    std::vector<std::string> before; ///< files of the run before; empty: there is one run
    std::optional<std::string> device;
    std::string notes; ///< paths; empty: none
    std::string workspace;
    std::string config;
    std::string beforeConfig;
    std::string rules;
    std::string kind; ///< name of the template; empty: the workspace's, else the usual one
    std::vector<std::string> sections; ///< names; empty: those of the template
    std::string title;
    bool stripPaths = false;
    bool isFull = false;
    bool isStatic = false;
    std::string out;
    bool force = false;
};

/// `highwater report`: one document about a run, or about two.
int runReport(const ReportCommandOptions& options);

struct RehearseOptions
{
    CommonOptions common; ///< json, quiet
    std::string gpu;
    int gpus = 1;
    std::string out = "rehearsal.pickle";
    std::string trace;
    std::string labels;
    std::string steering;
    std::string stacks = "python";
    std::string history = "whole";
    std::string addresses = "down";
    double kernelMicroseconds = 0;
    int maxSteps = 0; ///< of the optimizers; 0: the command ends by itself
    bool once = false; ///< the command is not repeated to see whether values matter
    bool force = false;
    bool open = false;
    std::vector<std::string> command;
};

/// `highwater rehearse`: runs a training script on simulated GPUs, and says whether it fits.
int runRehearse(const RehearseOptions& options);

struct McpOptions
{
    CommonOptions common; ///< files: the folders that may be read; none: the current one
};

/// `highwater mcp`: answers questions of a program that speaks the Model Context Protocol, on standard input
/// and output, until it hangs up.
int runMcp(const McpOptions& options);

struct RecordOptions
{
    std::string framework = "torch"; ///< one of recordingFrameworks()
    bool standAlone = false; ///< the recorder as one file instead of the lines
    bool json = false;
};

/// `highwater record`: prints the lines that record a training script, or the recorder that they use.
int runRecord(const RecordOptions& options);

struct OpenOptions
{
    std::vector<std::string> files;
};

/// `highwater open`: replaces this process by the window's program; returns only if that cannot be started.
int runOpen(const OpenOptions& options);

/// `highwater bench`: seconds and bytes of each stage of opening and drawing a file.
int runBench(const CommonOptions& options);

} // namespace highwater::cli
