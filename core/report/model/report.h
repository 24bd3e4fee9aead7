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
/// preview). All texts are plain unless they say otherwise: any characters, escaped by the writers.
namespace highwater {

/// One figure in two widths, for a page and for a phone. Each has its own title, axes and units.
struct ReportFigure
{
    std::string id;
    std::string caption;
    Figure wide;
    Figure narrow;
    /// The same as data, for a page that can be zoomed: the only run, or the one before and the one after.
    /// Empty: the figure is a picture only.
    std::vector<LiveTimeline> live = {};
};

enum class Tone : std::uint8_t
{
    Plain,
    Quiet, ///< how a figure was computed, limits
    Strong, ///< the sentence to be read first
    Warning, ///< a limit or a contradiction that must not be missed
};
struct ReportParagraph
{
    std::string text;
    Tone tone = Tone::Plain;
};
struct ReportList
{
    std::vector<std::string> items; ///< sentences
};
/// How facts are set.
enum class FactStyle : std::uint8_t
{
    Plain,
    Answer, ///< cause, effect, next: sentences to be read first
    Figures, ///< a few figures, large and side by side
    Fields, ///< what only people know; an empty value is a blank to fill in
};
/// Names with their values, in order.
struct ReportFacts
{
    std::string caption; ///< may be empty
    std::vector<std::pair<std::string, Cell>> rows;
    FactStyle style = FactStyle::Plain;
};
/// A verbatim text, line by line: a message of a log.
struct ReportQuote
{
    std::string text;
    std::string source; ///< "train.log, line 72"
};
struct ReportFinding
{
    Finding finding;
    std::string run; ///< "before", "after"; empty: there is one run
};
struct ReportNote
{
    int number = 1;
    std::string where; ///< "after · event 5,701, step 3, backward · 20.1 GiB live"
    Note note; ///< its text is Markdown
};

using ReportBlock = std::variant<ReportParagraph, ReportList, ReportFacts, Table, ReportFigure, ReportQuote,
    ReportFinding, ReportNote>;

/// The parts that a report can have, in their usual order.
enum class ReportPart : std::uint8_t
{
    Summary, ///< verdict, main figures
    Comparison, ///< waterfall and tables of what changed
    Timeline, ///< figures with the flags of the notes
    NoteList, ///< the notes, in order
    Findings,
    Peak, ///< what was live at the peak
    Ranks, ///< the ranks of the run, merged
    Steps, ///< peaks of the steps
    Budget, ///< expected compared with observed
    Messages, ///< out-of-memory messages of logs
    Facts, ///< facts and settings of the runs, and what changed in them
    Provenance ///< files, sizes, hashes, limits of the recording, what is inferred
};
inline constexpr std::size_t kReportParts = 12;
/// "summary", "comparison", …
std::string_view toText(ReportPart part);
/// "Summary", "What changed", …
std::string_view titleOf(ReportPart part);
std::optional<ReportPart> reportPartFromText(std::string_view text);

struct ReportSection
{
    ReportPart part = ReportPart::Summary;
    std::string title;
    std::vector<ReportBlock> blocks; ///< never empty
    bool isAppendix = false; ///< behind the report proper: for those who check it
};

/// Immutable once built.
struct Report
{
    std::string title; ///< "R1 GRPO: before and after"
    std::string subtitle; ///< the files by name
    std::string verdict; ///< one sentence
    std::string written; ///< "22 November 2026, Highwater 0.1.0"; empty in tests that compare bytes
    std::vector<ReportSection> sections;
    Diagnosis diagnosis = {}; ///< of the run
    std::optional<Diagnosis> diagnosisBefore = {}; ///< of the run before, where there are two
    RunMain run = {}; ///< which of its files the report is about; of two runs of the one after
    std::optional<RunMain> before = {}; ///< none: there is one run
};

} // namespace highwater
