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

/// How files become the parts of a run that a `RunStudy` is made of: the same way for every command, the
/// report and the window.
namespace highwater {

/// A file of a run.
struct RunSource
{
    ReportSource file; ///< its role is not known yet
    std::shared_ptr<const RankFile> rank; ///< null: it tells no allocations
    std::optional<FileIdentity> read = {}; ///< the file as it was read; none if that is not known
    /// Why it is none of the run's parts: "of another run", "another recording of rank 0"; empty: it is one.
    std::string apart = {};

    bool operator==(const RunSource&) const = default;
};

/// `RunSource::apart` of a file at this place, where the main file is at `main`: files of other runs, and
/// those that the merge of the ranks left out, are no part of the run. `ranks` may be null.
std::string apartText(
    const std::string& path, const FilePlace& place, const FilePlace& main, const RunRanks* ranks);

/// The part of a path that names the file; "standard input" for "-".
std::string shownName(const std::string& path);

/// What the files give, the main one first: of the others those with allocations are its ranks, in order, and
/// the rest are auxiliary files. Files that stand apart are left out. Device, configuration and capacity are
/// still missing.
RunParts partsOf(const std::vector<RunSource>& files);

/// Adds what the configuration says. A capacity that is already there has been chosen by the user and stays.
/// `isShared`: it is another run's as well, so settings that the main file records go before it.
void addDescription(RunParts& parts, const RunDescription& description, bool isShared = false);

/// The sources of a report with their roles, the main file first. `role` of the run: "before", "after";
/// empty: the only one.
std::vector<ReportSource> reportSources(std::vector<RunSource> files, const std::string& role);

/// How a device of a file is chosen and read.
struct DeviceRequest
{
    std::optional<std::string> device; ///< "0", "cuda:0"; none: the one with the largest peak
    std::optional<Quantity> quantity; ///< in which allocations are counted; none: the file's own
    std::vector<CategoryRule> rules;
    StepRequest steps;
};

/// One file by itself with a device, under this name. Fails with BadRequest if the device does not exist or
/// there is none. O(events).
Result<RunParts> partsOf(const std::string& name, const ImportedTrace& file, const DeviceRequest& request);

} // namespace highwater
