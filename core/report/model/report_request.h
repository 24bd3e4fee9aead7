#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/detector_input.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/ranks/rank_figures.h"
#include "core/report/model/report.h"
#include "core/run/note.h"
#include "core/run/run_shape.h"

namespace highwater {

/// A file that a report rests on.
struct ReportSource
{
    std::string path; ///< as it was opened
    std::string role; ///< "before", "after", "beside the run after"; empty: the only run
    std::string format; ///< as `highwater info` names it
    std::uint64_t fileBytes = 0; ///< 0: not known (standard input)
    std::string sha256; ///< 64 hexadecimal digits; empty: not known
    std::string cutOff; ///< why it ends early, a sentence; empty: it is whole
    std::shared_ptr<const Trace> trace; ///< its import log is told; null: it could not be read
    std::string error; ///< where it could not be read
};

/// One run, as far as it is loaded. What it points at must outlive it.
struct ReportRun
{
    std::string name; ///< of its main file, without folders
    std::shared_ptr<const Trace> trace; ///< of the main file; never null
    /// Of the device that the report is about; in a comparison both runs' are in one quantity. Null: the run
    /// is a log.
    const DeviceStudy* study = nullptr;
    std::optional<DeviceCapacity>
        capacity; ///< chosen by the user, or of the configuration's card; none: as the file tells
    std::string cutOff; ///< why the main file ends early; empty: it is whole
    std::vector<CompanionFile> companions; ///< logs and series beside it
    std::vector<ConfigurationEntry> settings; ///< of a configuration file
    std::optional<RunShape> shape; ///< of a configuration file that tells it: there is a budget
    std::vector<std::shared_ptr<const RankFile>> ranks; ///< where the run has more than one; else empty
    std::vector<ReportSource> sources; ///< its files, the main one first
    /// What `findingsOf` says of it, where that is known already; none: it is worked out with the report.
    std::optional<std::vector<Finding>> findings;
};

/// What is found in the run's device, or in its logs where it has none; by grade, then by bytes. What stands
/// out among its ranks is not among it. O(detectors × (events + stacks)).
std::vector<Finding> findingsOf(const ReportRun& run);

/// What kind of text it is to be: which sections, in which order, in how many words.
enum class ReportTemplate : std::uint8_t
{
    Incident, ///< all about one run that failed (or about two), the whole story
    BeforeAfter, ///< whether the fix worked: what changed comes first
    PullRequest, ///< the same on half a page: verdict, one figure, one table of at most ten rows
};
/// "incident", "before-after", "pull-request".
std::string_view toText(ReportTemplate kind);
std::optional<ReportTemplate> reportTemplateFromText(std::string_view text);
/// The sections that it has, in order, as far as there is something to say.
std::vector<ReportPart> usualParts(ReportTemplate kind, bool hasTwoRuns);

struct ReportOptions
{
    ReportTemplate kind = ReportTemplate::Incident;
    std::vector<ReportPart> parts; ///< chosen and ordered; empty: those of the template
    std::string title; ///< empty: made of the names of the files
    std::string written; ///< Report::written
    std::size_t mostRows = 20; ///< of a table
    bool stripPaths = false; ///< no user names and folders in any text (strip_paths.h)
    bool operator==(const ReportOptions&) const = default;
};

struct ReportRequest
{
    const ReportRun& run; ///< the only one, or the one after
    const ReportRun* before = nullptr;
    Notes notes;
    std::string notesSource; ///< where they are from, for messages
    ReportOptions options;
};

} // namespace highwater
