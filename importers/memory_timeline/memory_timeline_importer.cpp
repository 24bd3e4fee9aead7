#include "importers/memory_timeline/memory_timeline_importer.h"

#include <array>
#include <limits>
#include <string>

#include "core/base/text_parts.h"
#include "importers/conclude_import.h"
#include "importers/memory_timeline/ledger_events.h"
#include "importers/memory_timeline/list_reader.h"
#include "importers/memory_timeline/timeline_reader.h"
#include "importers/source/peekable_source.h"

namespace highwater {

namespace {

using namespace memory_timeline;

/// True if there is no error except that the text ends early. The prefix of a longer file always ends early.
bool isCutOff(const ListReader& tokens)
{
    return !tokens.error() || tokens.error()->code == ErrorCode::Truncated;
}

/// True if the text after the first list continues a timeline: with rows after a row, or with levels after
/// times.
bool continuesLikeATimeline(ListReader& tokens, std::size_t count, bool isRow)
{
    const Token second = tokens.next();
    if (second.kind == TokenKind::End)
        return isCutOff(tokens);
    if (second.kind != TokenKind::Open)
        return isRow;
    switch (tokens.next().kind) {
    case TokenKind::Open: return true;
    case TokenKind::Close: return count != kRowLength;
    case TokenKind::End: return isCutOff(tokens);
    default: return isRow;
    }
}

/// True if the first list is a row, or times that never decrease, and the text continues like a timeline. If
/// the text ends within the first list, true if that has only integers so far.
bool beginsLikeATimeline(ListReader& tokens)
{
    std::array<std::int64_t, kRowLength> numbers{};
    std::size_t count = 0;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    bool ascends = true;
    for (Token token = tokens.next(); token.kind != TokenKind::Close; token = tokens.next()) {
        if (token.kind != TokenKind::Number)
            return token.kind == TokenKind::End && count > 0 && isCutOff(tokens);
        if (count < kRowLength)
            numbers[count] = token.number;
        ascends = ascends && token.number >= last;
        last = token.number;
        ++count;
    }
    const bool isRow
        = count == kRowLength && numbers[1] >= 1 && numbers[1] <= 4 && numbers[3] >= 0 && numbers[3] <= 7;
    return (isRow || ascends) && continuesLikeATimeline(tokens, count, isRow);
}

std::string deviceSentence(const Timeline& timeline)
{
    const std::string begin = "the file does not name its device; ";
    if (!timeline.allocates)
        return begin + "GPU 0 is assumed";
    return begin
        + (timeline.inBlocks ? "GPU 0 is assumed, since all sizes are multiples of 512 bytes, the unit of "
                               "PyTorch's GPU allocator"
                             : "CPU memory is assumed, since sizes are not multiples of 512 bytes, the unit "
                               "of PyTorch's GPU allocator");
}

/// Adds the device that the sizes suggest, and reports the assumption.
DeviceIndex addDevice(const Timeline& timeline, TraceBuilder& builder)
{
    const bool onGpu = !timeline.allocates || timeline.inBlocks;
    const bool hasBlocks = timeline.allocates && timeline.inBlocks;
    const DeviceIndex index
        = onGpu ? builder.device(DeviceKind::Cuda, 0) : builder.device(DeviceKind::Cpu, Device::kNoOrdinal);
    Device& device = builder.deviceRow(index);
    device.quantity = hasBlocks ? Quantity::Allocated : Quantity::Requested;
    device.hasFinalSegments = false;
    device.addressesRecorded = false;
    builder.log().add(Severity::Info, "device-not-recorded", deviceSentence(timeline));
    if (hasBlocks)
        builder.log().add(Severity::Info, "tensors-and-blocks",
            "a tensor that is allocated or freed in the trace counts with its block, others with their own "
            "bytes, which are up to 511 less");
    return index;
}

/// Adds a message unless `count` is 0.
void logCount(
    ImportLog& log, Severity severity, std::string_view code, std::string_view message, std::int64_t count)
{
    if (count > 0)
        log.add(severity, code, message, {}, count);
}

void noteRows(const Timeline& timeline, ImportLog& log)
{
    log.add(Severity::Info, "paired-by-size",
        "the file does not name tensors, so the latest tensor of its category and size is assumed to end: "
        "totals are exact, lifetimes are inferred");
    logCount(log, Severity::Info, "category-changes",
        "a tensor that changes its category is shown as one allocation that ends and another that begins",
        timeline.categoryChangeCount);
    logCount(log, Severity::Info, "writes-in-place",
        "a write into a tensor that keeps its category changes no bytes and is not an event",
        timeline.writeInPlaceCount);
}

void noteLevels(ImportLog& log)
{
    log.add(Severity::Info, "layers-of-levels",
        "the file has levels of categories and no allocations; the allocations shown are layers of these "
        "levels, not tensors");
    log.add(Severity::Info, "times-cut",
        "times are in whole microseconds and can differ by one microsecond from a trace of the same run");
}

void noteLedger(const LedgerCounts& counts, ImportLog& log)
{
    logCount(log, Severity::Info, "within-one-moment",
        "bytes that come and go at the same moment are ignored", counts.cancelled);
    logCount(log, Severity::Info, "cut-from-latest",
        "no allocation of the category has the size that ends; the latest bytes of the category end instead",
        counts.layered);
    logCount(log, Severity::Warning, "category-below-zero",
        "more bytes of a category end than it has; the rest is taken from other categories, so only the "
        "total is right",
        counts.borrowed);
    logCount(log, Severity::Warning, "total-below-zero",
        "a moment after which more bytes have ended than existed is shown as zero", counts.belowZero);
}

void fillMetadata(const Timeline& timeline, TraceBuilder& builder)
{
    TraceMetadata& metadata = builder.metadata();
    metadata.kind = TraceKind::MemoryTimeline;
    metadata.hasHistory = timeline.rowCount > 0;
    if (timeline.form == TimelineForm::Empty) {
        builder.log().add(
            Severity::Warning, "no-tensors", "the profiler saw no tensor on the device of this timeline");
        return;
    }
    const bool hasRows = timeline.form == TimelineForm::Rows;
    metadata.producer = {{"form", hasRows ? "raw" : "levels by category"}};
    if (hasRows)
        noteRows(timeline, builder.log());
    else
        noteLevels(builder.log());
    noteLedger(timeline.ledger.counts(), builder.log());
}

} // namespace

bool sniffMemoryTimeline(std::string_view prefix)
{
    const std::size_t start = prefix.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (start == std::string_view::npos || prefix[start] != '[')
        return false;
    MemorySource source(prefix.substr(start));
    ListReader tokens(source);
    tokens.next(); // the outermost list
    const Token first = tokens.next();
    if (first.kind == TokenKind::Close)
        return tokens.next().kind == TokenKind::End && !tokens.error();
    return first.kind == TokenKind::Open && beginsLikeATimeline(tokens);
}

Result<ImportedTrace> importMemoryTimeline(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    TraceBuilder builder;
    Timeline timeline = readTimeline(*source, options.maxMemoryBytes, builder.log());
    return concludeImport(timeline.error, timeline.rowCount == 0, [&] {
        fillMetadata(timeline, builder);
        if (timeline.form != TimelineForm::Empty)
            addEvents(timeline.ledger, addDevice(timeline, builder), builder);
        timeline.ledger = TensorLedger(TensorLedger::Matching::LayersOnly); // frees its memory
        if (timeline.error)
            builder.markCutOff();
        return builder.finish();
    });
}

bool sniffMemoryTimelinePage(std::string_view prefix)
{
    const std::size_t start = prefix.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return start != std::string_view::npos && prefix[start] == '<'
        && contains(prefix, "GPU Memory Timeline HTML");
}

Result<ImportedTrace> importMemoryTimelinePage(std::unique_ptr<ByteSource>, const ImportOptions&)
{
    return fail(ErrorCode::UnknownFormat,
        "is a picture of a memory timeline, without figures; export it with a name that ends in .json or "
        ".raw.json.gz, or record a memory snapshot");
}

} // namespace highwater
