#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

/// Returns "whole", or how the file is incomplete. A brief report has the byte in its headline.
std::string stateOf(const ReportSource& source, bool isBrief)
{
    if (!source.error.empty())
        return "not read: " + source.error;
    if (!source.cutOff.empty())
        return isBrief ? "ends early" : "ends early: " + source.cutOff;
    return source.trace && source.trace->metadata.startLost ? "starts late: the history buffer overflowed"
                                                            : "whole";
}

Cell formatCell(const ReportSource& source)
{
    const std::string_view words = source.trace ? inWords(source.trace->metadata.kind) : std::string_view();
    Cell cell = textCell(source.format);
    return words.empty() ? cell : std::move(cell).show(std::string(words));
}

Table fileTable(const ReportMaterial& material)
{
    Table table{"files", {},
        {{"File", "path", false}, {"Role", "role", false}, {"Format", "format", false},
            {"Size", "file_bytes", true}, {"State", "state", false}, {"SHA-256", "sha256", false}}};
    for (const RunMaterial* run : material.runs())
        for (const ReportSource& source : run->sources)
            table.rows.push_back({source.path, textCell(source.role), formatCell(source),
                source.fileBytes > 0 ? bytesCell(static_cast<Bytes>(source.fileBytes)) : Cell(),
                stateOf(source, material.isBrief()), textCell(source.sha256)});
    return table;
}

/// Returns the messages of the import, once for each file.
std::vector<std::string> importNotes(const ReportMaterial& material)
{
    std::vector<std::string> items;
    for (const RunMaterial* run : material.runs())
        for (const ReportSource& source : run->sources) {
            if (!source.trace)
                continue;
            for (const ImportLogEntry& entry : source.trace->log.entries())
                items.push_back(fmt::format("{}: {} ({}{}{})", fileName(source.path), entry.message,
                    toText(entry.severity),
                    entry.count > 1 ? fmt::format(", {} times", formatCount(entry.count)) : "",
                    entry.firstAt ? ", first at " + toText(*entry.firstAt) : ""));
        }
    return items;
}

/// Returns the meaning of a quantity, for a sentence that begins with "Totals count requested bytes: ".
const char* meaningOf(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Requested: return "the sizes of the tensors, which the allocator rounds up to its blocks";
    case Quantity::Allocated: return "what the allocator's blocks take";
    case Quantity::Reserved: return "GPU memory that the allocator has reserved, including its cache";
    case Quantity::DeviceUsed: return "what the process took from the CUDA driver";
    }
    return "";
}

/// Returns the certainty of the categories at the peak, as bytes by grade.
std::string categoryGrades(const DeviceStudy& study)
{
    std::array<Bytes, 3> bytes{};
    Bytes unknown = 0;
    for (const AllocationIndex i : study.allocations.liveAt(study.curve.peak().event)) {
        if (isUncategorized(study.categories.of(i)))
            unknown += study.allocations.bytes(i);
        else
            bytes[static_cast<std::size_t>(study.categories.gradeOf(i))] += study.allocations.bytes(i);
    }
    return fmt::format("{} certain, {} likely, {} guessed, {} unknown", formatBytes(bytes[0]),
        formatBytes(bytes[1]), formatBytes(bytes[2]), formatBytes(unknown));
}

/// Adds what the figures count, and how figures that were not recorded are derived.
void addInferred(std::vector<std::string>& items, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    items.push_back(fmt::format("Totals count {} bytes: {}.", inWords(study.allocations.quantity()),
        meaningOf(study.allocations.quantity())));
    if (study.allocations.hasInferred())
        items.emplace_back(
            "Bytes of freed blocks are lower bounds, inferred by the allocator's rounding rule.");
    if (study.steps.source == StepSource::Whole) {
        if (cutOffWords(run).empty()) // a part of a file may be too short for steps
            items.push_back(fmt::format("{}.", upperFirst(study.steps.reason)));
    } else if (study.steps.grade != Grade::A)
        items.push_back(fmt::format("Steps are taken {}.", study.steps.reasonText()));
}

void addCategories(std::vector<std::string>& items, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    if (study.curve.peak().bytes > 0)
        items.push_back(fmt::format("Categories at the peak are inferred: {}.", categoryGrades(study)));
}

void addCapacity(std::vector<std::string>& items, const RunMaterial& run)
{
    const std::optional<DeviceCapacity>& namedCapacity = run.study.parts().capacity;
    if (namedCapacity && isContradicted(*namedCapacity, run.study.figures()->reservedPeakBytes))
        items.push_back(fmt::format("{} was given as the GPU, but {} was reserved, so the run had a larger "
                                    "one. The recording is used.",
            toText(*namedCapacity), formatBytes(run.study.figures()->reservedPeakBytes)));
    if (run.study.capacity() && run.study.capacity()->isLowerBound())
        items.emplace_back(
            "The capacity is a lower bound: reserved plus free memory at the out-of-memory event.");
}

/// Returns the limits of one recording, a sentence each.
std::vector<std::string> limitsOf(const ReportMaterial& material, const RunMaterial& run)
{
    std::vector<std::string> items;
    const Trace& trace = run.trace();
    // The summary warns that the file is cut off.
    if (const std::string cut = cutOffWords(run); !cut.empty() && !material.hasPart(ReportPart::Summary))
        items.push_back(cut);
    if (trace.metadata.startLost)
        items.emplace_back("The history buffer (max_entries) overflowed, so an earlier peak may be missing.");
    if (!run.study.device()) {
        items.emplace_back(trace.counters.empty() ? "The file has no allocations and no memory series."
                                                  : "The file records no allocations; its figures are those "
                                                    "that the log prints, rounded as printed.");
        return items;
    }
    if (!trace.metadata.hasHistory)
        items.emplace_back("No history was recorded; the file shows one moment, which may not be the peak.");
    addInferred(items, run);
    if (!material.isBrief())
        addCategories(items, run);
    addCapacity(items, run);
    return items;
}

/// Returns the limits of both recordings. A limit that applies to both runs is listed once.
std::vector<std::string> limitsOfRuns(const ReportMaterial& material)
{
    std::vector<std::string> afterLimits = limitsOf(material, material.run);
    if (!material.before)
        return afterLimits;
    std::vector<std::string> limits;
    std::vector<std::string> beforeLimits = limitsOf(material, *material.before);
    for (std::string& limit : beforeLimits) {
        const auto ofBothRuns = std::ranges::find(afterLimits, limit);
        if (ofBothRuns == afterLimits.end()) {
            limits.push_back(captioned(*material.before, limit));
            continue;
        }
        limits.push_back(std::move(limit));
        afterLimits.erase(ofBothRuns);
    }
    for (const std::string& limit : afterLimits)
        limits.push_back(captioned(material.run, limit));
    return limits;
}

} // namespace

std::vector<ReportBlock> provenancePart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (Table files = fileTable(material); !files.rows.empty())
        blocks.push_back(
            material.isBrief() ? withoutColumns(std::move(files), {"role", "sha256"}) : std::move(files));
    const std::vector<std::string> limits = limitsOfRuns(material);
    if (material.isBrief()) { // findings there explain their grades
        blocks.push_back(quiet(fmt::format("{}", fmt::join(limits, " "))));
    } else {
        blocks.push_back(paragraph("Meaning and limits of the figures:"));
        blocks.push_back(ReportList{limits});
    }
    if (std::vector<std::string> notes = importNotes(material); !notes.empty() && !material.isBrief()) {
        blocks.push_back(paragraph("Messages about reading the files:"));
        blocks.push_back(ReportList{std::move(notes)});
    }
    if (!material.request.notesSource.empty() && !material.request.notes.empty())
        blocks.push_back(quiet(fmt::format("The notes are from {}.", material.request.notesSource)));
    if (!material.isBrief())
        blocks.push_back(quiet("A \"certain\" finding follows from the data, a \"likely\" one is strongly "
                               "inferred, and a \"guess\" has to be checked."));
    return blocks;
}

} // namespace highwater
