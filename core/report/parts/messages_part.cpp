#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/oom_message.h"
#include "core/analysis/usage/live_index.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "core/report/model/plain_text.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/log_tables.h"
#include "core/table/segment_tables.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxMessages = 5;
constexpr std::size_t kMaxFailedRanks = 16;
constexpr std::size_t kLongestMessageBytes = 4000;

void addFigures(std::vector<ReportBlock>& blocks, const LogEvent& event)
{
    const OomFigures& figures = *event.figures;
    const OomReading reading = readOom(event);
    ReportFacts facts;
    facts.caption = "Figures of the message";
    const auto add = [&](const char* name, const std::optional<WrittenBytes>& written) {
        if (written)
            facts.rows.emplace_back(name, bytesCell(written->bytes));
    };
    add("Requested", figures.requested);
    add("Free on the GPU", figures.free);
    add("Capacity", figures.capacity);
    add("Allowed", figures.allowed);
    add("In use by this process", figures.processUsed);
    add("Allocated by PyTorch", figures.allocated);
    add("In private pools", figures.privatePools);
    add("Reserved but unallocated", figures.reservedUnallocated);
    add("Reserved", figures.reserved);
    if (!facts.rows.empty())
        blocks.push_back(std::move(facts));
    for (const std::string& contradiction : reading.contradictions)
        blocks.push_back(
            paragraph(fmt::format("The figures contradict each other: {}.", contradiction), Tone::Warning));
    if (!reading.verdict.empty())
        blocks.push_back(paragraph(fullSentence("What the message means: " + reading.verdict)));
}

/// Adds the line that requested the memory, unless page one has it, and the tensor that it creates.
void addFrame(
    std::vector<ReportBlock>& blocks, const Trace& log, const LogEvent& event, bool isLineShown = false)
{
    if (const std::optional<std::size_t> user = findUserFrame(log, event); user && !isLineShown) {
        const LogFrame& frame = event.frames[*user];
        const std::string_view source = log.text(frame.source);
        blocks.push_back(paragraph(fmt::format("Requested in {}, {} line {}{}", log.text(frame.function),
            log.text(frame.file), frame.line, source.empty() ? "." : fmt::format(": {}", source))));
    }
    if (const std::optional<NamedTensor> tensor = requestedTensor(log, event))
        blocks.push_back(
            paragraph(fmt::format("The innermost line of the traceback creates a tensor of {}{}.",
                toText(*tensor), explainsRequest(*tensor, event) ? ", the requested size" : "")));
}

void addMessage(
    std::vector<ReportBlock>& blocks, const RunMaterial& run, const RunLog& log, const LogFailure& failure)
{
    const LogEvent& event = log.trace->logEvents[failure.event];
    blocks.push_back(ReportQuote{
        cutText(event.text, kLongestMessageBytes), fmt::format("{}, {}", log.name, placeText(event))});
    if (event.figures)
        addFigures(blocks, event);
    std::string notes;
    if (failure.copies > 1)
        notes += fmt::format("The log has this message {} times. ", formatCount(failure.copies));
    if (event.fatal == false)
        notes += "The run went on. ";
    if (event.lowTrust)
        notes += "Several processes wrote these lines at once, so they may be garbled. ";
    if (!notes.empty()) {
        notes.pop_back();
        blocks.push_back(quiet(captioned(run, notes)));
    }
    addFrame(blocks, *log.trace, event);
}

/// Adds the ranks that failed, for the output of torchrun or Slurm.
void addFailedRanks(std::vector<ReportBlock>& blocks, const RunMaterial& run, const RunLog& log)
{
    Table table = failedRankTable(*log.trace);
    if (table.rows.empty())
        return;
    table.id = idFor(run, table.id);
    table.caption = fmt::format("{} ({})", table.caption, log.name);
    cutRows(table, kMaxFailedRanks, "failures");
    blocks.push_back(std::move(table));
}

void addMessagesOfLogs(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    for (const RunLog& log : run.study.logs()) {
        const std::vector<SharedFailure> failures = sharedFailures(*log.trace);
        std::size_t omitted = 0;
        for (std::size_t i = 0; i < failures.size(); ++i) {
            if (i >= kMaxMessages) {
                omitted += 1 + failures[i].others.size();
                continue;
            }
            addMessage(blocks, run, log, failures[i].first);
        }
        addFailedRanks(blocks, run, log);
        if (omitted > 0)
            blocks.push_back(
                quiet(fmt::format("{} has {} more.", log.name, counted(omitted, "failure", "failures"))));
    }
}

/// Adds the first out-of-memory message of the run's logs, and the ranks that failed.
void addFirstMessage(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    constexpr std::size_t maxLines = 8;
    for (const RunLog& log : run.study.logs()) {
        const std::vector<SharedFailure> failures = sharedFailures(*log.trace);
        if (failures.empty())
            continue;
        const LogEvent& event = log.trace->logEvents[failures.front().first.event];
        const std::vector<std::string> lines = linesOf(cutText(event.text, kLongestMessageBytes));
        std::string text;
        for (std::size_t i = 0; i < std::min(lines.size(), maxLines); ++i)
            text += (i > 0 ? "\n" : "") + lines[i];
        blocks.push_back(ReportQuote{text + (lines.size() > maxLines ? "\n…" : ""),
            fmt::format("{}, {}", log.name, placeText(event))});
        addFrame(blocks, *log.trace, event, run.study.diagnosis().place.has_value());
        if (!run.study.ranks())
            addFailedRanks(blocks, run, log);
        return;
    }
}

/// Adds the failure of a file with allocations but without the allocator's segments.
void addFailure(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const OomEvent& oom = run.study.figures()->ooms.back();
    blocks.push_back(paragraph(captioned(run,
        fmt::format(
            "A request of {} failed at {}, with {} of {} in use. The file does not record the state of "
            "the allocator and the GPU.",
            formatBytes(oom.requestedBytes), momentWords(study, oom.event),
            formatBytes(study.curve.at(oom.event)), quantityLabel(study)))));
}

/// Adds the last request that failed, compared with the memory that the allocator had.
void addAllocator(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (!run.study.figures() || run.study.figures()->ooms.empty())
        return;
    if (!run.study.device()->about().canDeriveSegments())
        return addFailure(blocks, run);
    const DeviceStudy& study = *run.study.device();
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const AllocatorMoment moment = allocatorMomentAt(
        history, run.study.figures()->ooms.back().event, {}, run.study.logged().processLimit);
    blocks.push_back(paragraph(captioned(run,
        fmt::format(
            "A request failed at {}. {}.", momentWords(study, moment.state.event), momentHeadline(moment)))));
    if (moment.verdict) {
        // The finding of the failure says the same.
        if (!run.study.diagnosis().failureFinding)
            blocks.push_back(paragraph(
                fullSentence("State of the allocator: " + sentenceOf(study.trace, *moment.verdict))));
        if (const std::string obstacle = clearingSentence(*moment.verdict, moment.state); !obstacle.empty())
            blocks.push_back(paragraph(fullSentence(obstacle)));
    }
    blocks.push_back(tableOfRun(run, withoutColumns(freeListTable(run.trace(), moment), {"unused_bytes"})));
    if (!moment.figures.freeBlockClasses.empty())
        blocks.push_back(tableOfRun(run, withoutColumns(freeBlockTable(moment), {"share_per_mille"})));
    for (const std::string& sentence : reservations(moment.state))
        blocks.push_back(quiet(fullSentence(sentence)));
}

} // namespace

std::vector<ReportBlock> messagesPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs()) {
        if (material.isBrief()) {
            addFirstMessage(blocks, *run);
            continue;
        }
        addAllocator(blocks, *run);
        addMessagesOfLogs(blocks, *run);
    }
    return blocks;
}

} // namespace highwater
