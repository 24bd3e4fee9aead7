#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"
#include "core/report/model/report.h"
#include "core/report/model/report_source.h"
#include "core/run/choice/main_choice.h"
#include "core/run/note.h"
#include "core/study/run_study.h"

namespace highwater {

/// One run of a report.
struct ReportRun
{
    std::shared_ptr<const RunStudy> study; ///< never null; in a comparison both count the same bytes
    std::vector<ReportSource> sources; ///< its files, the main one first
    RunMain main = {}; ///< how that file was chosen
    std::shared_ptr<const RunRanks> ranks = nullptr; ///< null: there is one rank
};

/// The kind of report: which sections, in which order, and how long.
enum class ReportTemplate : std::uint8_t
{
    Incident, ///< all about one run that failed (or about two), the whole story
    BeforeAfter, ///< whether the fix worked: what changed comes first
    PullRequest, ///< the same on half a page: verdict, one figure, one table of at most ten rows
};
/// "incident", "before-after", "pull-request".
std::string_view toText(ReportTemplate kind);
std::optional<ReportTemplate> reportTemplateFromText(std::string_view text);
/// The sections of a template, in order; those without content are left out later.
std::vector<ReportPart> usualParts(ReportTemplate kind, bool hasTwoRuns);
/// The sections that follow them in a full report, as its appendix.
std::vector<ReportPart> appendixParts(ReportTemplate kind);

struct ReportOptions
{
    ReportTemplate kind = ReportTemplate::Incident;
    std::vector<ReportPart> parts; ///< chosen and ordered; empty: those of the template
    std::string title; ///< empty: derived from the file names
    std::string written; ///< Report::written
    std::size_t mostRows = 20; ///< per table
    bool isFull = false; ///< with everything that is known and an appendix; else a few pages
    bool isLive = false; ///< with the timeline as data, for HTML that can be zoomed
    bool stripPaths = false; ///< remove user names and folders from all texts (strip_paths.h)
    bool operator==(const ReportOptions&) const = default;
};

struct ReportComparison; // input/report_comparison.h

struct ReportRequest
{
    const ReportRun& run; ///< the only one, or the one after
    const ReportRun* before = nullptr;
    Notes notes;
    std::string notesSource; ///< the source of the notes, for messages
    ReportOptions options;
    /// Of both runs, for reports of the same runs to share; null: it is made for this one.
    std::shared_ptr<const ReportComparison> comparison = nullptr;
};

} // namespace highwater
