#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/diff/side_names.h"
#include "core/analysis/ranks/run_ranks.h"
#include "core/report/model/report.h"
#include "core/report/model/report_source.h"
#include "core/run/choice/main_choice.h"
#include "core/run/note.h"
#include "core/study/run_study.h"

namespace highwater {

/// A run as the input of a report.
struct ReportRun
{
    std::shared_ptr<const RunStudy> study; ///< Never null; two runs to be compared count the same bytes
    std::vector<ReportSource> sources; ///< Its files, the main one first
    RunMain main = {}; ///< The main file and how it was chosen
    std::shared_ptr<const RunRanks> ranks = nullptr; ///< Null if there is only one rank
};

/// The kind of report: its sections, their order, and its length.
enum class ReportTemplate : std::uint8_t
{
    Incident, ///< Cause, effect and next step of one run that failed (or of two)
    BeforeAfter, ///< Shows if a fix worked: changes come first
    PullRequest, ///< Shows if a fix worked, on half a page: verdict, one figure, one table
};
/// Returns "incident", "before-after", "pull-request".
std::string_view toText(ReportTemplate kind);
std::optional<ReportTemplate> reportTemplateFromText(std::string_view text);
/// Returns the sections of a template, in order; those without content are omitted later.
std::vector<ReportPart> usualParts(ReportTemplate kind, bool isComparing);
/// Returns the sections of a full report's appendix, which follows the usual sections.
std::vector<ReportPart> appendixParts(ReportTemplate kind);

/// The choices of the person who asks for a report.
struct ReportOptions
{
    ReportTemplate kind = ReportTemplate::Incident;
    std::vector<ReportPart> parts; ///< Chosen and ordered; empty for those of the template
    std::string title; ///< Empty to derive it from the file names
    std::string written; ///< Passed on as Report::written
    std::size_t maxRows = 20; ///< Per table; short reports have fewer (`ReportMaterial::maxRows`)
    bool isFull = false; ///< Includes all details, and an appendix if no parts are chosen
    bool isLive = false; ///< Includes the timeline as data, for HTML that can be zoomed
    bool keepsHomes = false; ///< Keeps the paths of home folders, which are "~" otherwise (short_homes.h)
    bool findsEmptyParts = false; ///< Fills in Report::emptyParts, which costs as much as a full report
    bool stripPaths = false; ///< Removes user names and folders from all texts (strip_paths.h)
    bool operator==(const ReportOptions&) const = default;

    /// True if the summary contains the main timeline, so that the section of timelines has only the others.
    bool summaryHasTimeline() const;
};
/// Returns the title of a section in such a report: "Further timelines" where the summary has the main one.
std::string_view titleOf(ReportPart part, const ReportOptions& options);

struct ReportComparison; // input/report_comparison.h

/// The input of a report. The runs must outlive it.
struct ReportRequest
{
    const ReportRun& run; ///< The only run, or the run after
    const ReportRun* before = nullptr;
    Notes notes;
    std::string notesSource; ///< The name of the file with the notes; may be empty
    ReportOptions options;
    /// Comparison of both runs, shared by several reports on the same runs; if null, it is computed.
    std::shared_ptr<const ReportComparison> comparison = nullptr;
    /// Two moments of the only run to compare, such as the peaks of two steps; ignored for two runs, and
    /// without a device.
    std::optional<ComparedEvents> moments = {};
};

} // namespace highwater
