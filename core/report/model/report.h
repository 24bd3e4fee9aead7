#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/figure/drawing/figure.h"
#include "core/figure/live/live_timeline.h"
#include "core/run/choice/main_choice.h"
#include "core/run/note.h"
#include "core/study/diagnosis/diagnosis.h"
#include "core/table/table.h"

/// A report as a document, independent of the output format (HTML, Markdown, PDF, JSON, the window's
/// preview). Texts are plain unless stated otherwise: they may contain any characters and are escaped by the
/// writers.
namespace highwater {

/// One figure in two widths, for a page and for a phone. Each has its own title, axes and units.
struct ReportFigure
{
    std::string id;
    std::string caption;
    Figure wide;
    Figure narrow;
    /// The same figure as data, for a page that can be zoomed: the only run, or the runs before and after.
    /// Empty if the figure is only a picture.
    std::vector<LiveTimeline> live = {};
};

/// The emphasis of a paragraph.
enum class Tone : std::uint8_t
{
    Plain,
    Quiet, ///< Methods and limits of a figure
    Strong, ///< The sentence to be read first
    Warning, ///< A limit or a contradiction that must not be missed
};
/// One or more sentences without formatting.
struct ReportParagraph
{
    std::string text;
    Tone tone = Tone::Plain;
};
/// A bullet list.
struct ReportList
{
    std::vector<std::string> items; ///< Sentences
};
/// The layout of facts.
enum class FactStyle : std::uint8_t
{
    Plain,
    Answer, ///< Cause, effect, next: sentences to be read first
    Figures, ///< A few figures, large and side by side
    Fields, ///< Facts that only people know; an empty value is a blank to fill in
};
/// Names and values, in order.
struct ReportFacts
{
    std::string caption; ///< May be empty
    std::vector<std::pair<std::string, Cell>> rows;
    FactStyle style = FactStyle::Plain;
};
/// A verbatim text, line by line, such as a log message.
struct ReportQuote
{
    std::string text;
    std::string source; ///< "train.log, line 72"
};
/// A finding, and the run that it is about.
struct ReportFinding
{
    Finding finding;
    std::string run; ///< "before", "after"; empty for a single run
    std::optional<std::int64_t> rank = {}; ///< nullopt if the run has one rank, or if it is unknown
};
/// A note of the user, and its place in words.
struct ReportNote
{
    int number = 1;
    std::string where; ///< `notePlaceWords`: "after · event 5,701, step 3"
    Note note; ///< Its text is Markdown
};

using ReportBlock = std::variant<ReportParagraph, ReportList, ReportFacts, Table, ReportFigure, ReportQuote,
    ReportFinding, ReportNote>;

/// The possible parts of a report.
enum class ReportPart : std::uint8_t
{
    Summary, ///< Cause, effect, next step, main figures
    Comparison, ///< Waterfall and tables of changes
    Timeline, ///< Figures with flags for the notes
    NoteList, ///< The notes, in order
    Findings,
    Peak, ///< Live memory at the peak
    Ranks, ///< The ranks of the run, merged
    Steps, ///< Peaks of the steps
    Budget, ///< Expected compared with observed
    Messages, ///< Out-of-memory messages of logs
    Facts, ///< Facts and settings of the runs, and their changes
    Provenance ///< Files, sizes, hashes, limits of the recording, inferences
};
inline constexpr std::size_t kReportPartCount = 12;
/// Returns "summary", "comparison", …
std::string_view toText(ReportPart part);
/// Returns "Summary", "What changed", …
std::string_view titleOf(ReportPart part);
std::optional<ReportPart> reportPartFromText(std::string_view text);

/// A part of the report under its own heading.
struct ReportSection
{
    ReportPart part = ReportPart::Summary;
    std::string title;
    std::vector<ReportBlock> blocks; ///< Never empty
    bool isAppendix = false; ///< Details for readers who verify the report; after all other sections
};

/// A report as a list of sections. Immutable once built.
struct Report
{
    std::string title; ///< "R1 GRPO: before and after"
    std::string subtitle; ///< The names of the files, with format and device
    std::string verdict; ///< The headline, one or a few sentences
    std::string written; ///< "22 November 2026, Highwater 0.1.0"; empty in tests that compare bytes
    std::vector<ReportSection> sections;
    /// All parts, chosen or not, that would have no content; empty unless the options ask for them.
    std::vector<ReportPart> emptyParts = {};
    Diagnosis diagnosis = {}; ///< Diagnosis of the run
    std::optional<Diagnosis> diagnosisBefore = {}; ///< Diagnosis of the run before, if there are two
    RunMain run = {}; ///< The main file of the only run, or of the run after
    std::optional<RunMain> before = {}; ///< The main file of the run before; nullopt for a single run
};

} // namespace highwater
