#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/loading/run_description.h"
#include "core/analysis/ranks/run_ranks.h"
#include "core/report/model/report_source.h"
#include "core/study/run_study.h"
#include "importers/importer.h"

/// Turns files into the parts of a run from which a `RunStudy` is made, in the same way for every command,
/// the report and the window.
namespace highwater {

/// A file of a run.
struct RunSource
{
    ReportSource file; ///< without its role
    std::shared_ptr<const RankFile>
        rank; ///< null if it records no allocations; may be null for the only file
    std::optional<FileIdentity> read = {}; ///< identity of the file as it was read; nullopt if unknown
    /// Reason that the file is not part of the run: "of another run", "another recording of rank 0"; empty
    /// if it is part of it.
    std::string apart = {};

    bool operator==(const RunSource&) const = default;
};

/// Returns `RunSource::apart` of the file at `path`, which was assigned to `place`, where the main file was
/// assigned to `main`. Files of other runs, and files that the merge of the ranks left out though they can be
/// read, are not part of the run. `ranks` may be null.
std::string apartText(
    const std::string& path, const FilePlace& place, const FilePlace& main, const RunRanks* ranks);

/// Returns the last component of a path; "standard input" for "-".
std::string shownName(const std::string& path);

/// Builds the parts of a run from its files, the main one first. Its ranks, if there are several, are all
/// files with a `rank`, in order; other files that could be read are auxiliary files, and so are the ranks if
/// the main file has no `rank`. Files with an `apart` are left out. Does not set device, configuration and
/// capacity.
RunParts partsOf(const std::vector<RunSource>& files);

/// Sets settings, shape and capacity from the configuration. A capacity that is already set was chosen by the
/// user and stays. `isShared` means that the other run has the same configuration; then settings that the
/// main file records override it.
void addDescription(RunParts& parts, const RunDescription& description, bool isShared = false);

/// Returns the sources of a report with their roles, the main file first. `role` is that of the run:
/// "before", "after", or empty for the only one.
std::vector<ReportSource> reportSources(std::vector<RunSource> files, const std::string& role);

/// How to choose and read a device of a file.
struct DeviceRequest
{
    std::optional<std::string> device; ///< "0", "cuda:0"; nullopt selects the one with the largest peak
    std::optional<Quantity> quantity; ///< in which allocations are counted; nullopt selects the file's own
    std::vector<CategoryRule> rules;
    StepRequest steps;
};

/// Builds the parts of a run of one file, with a device and under this name. Fails with BadRequest if the
/// device does not exist, or if the file has none. O(events).
Result<RunParts> partsOf(const std::string& name, const ImportedTrace& file, const DeviceRequest& request);

} // namespace highwater
