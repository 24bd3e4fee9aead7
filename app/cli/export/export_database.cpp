#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "app/cli/export/export_job.h"
#include "app/cli/output/allocation_rows.h"
#include "app/cli/output/table_database.h"
#include "app/loading/background.h"
#include "app/loading/run/run_assembly.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/composition/composition.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/version.h"
#include "core/report/json/finding_json.h"
#include "core/report/tables/device_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Version of the schema, which increases with every change of a table's meaning.
constexpr std::int64_t kSchemaVersion = 1;

/// Writes all tables of one device.
class Tables
{
public:
    Tables(const ExportJob& job, const RunStudy& run, TableDatabase& database)
        : m_job(job)
        , m_run(run)
        , m_study(*run.device())
        , m_database(database)
    {
    }

    void write()
    {
        writeRun();
        writeDeviceTables();
        if (!m_job.options.noStacks)
            writeStacks();
        writePeak();
        writeSegments();
        writeOoms();
        writeFindings();
        writeImportLog();
        for (const char* index : {"allocations (alloc_event)", "allocations (free_event)"})
            m_database.execute(fmt::format("CREATE INDEX \"{}\" ON {}", index, index));
    }

private:
    void writeRun()
    {
        DatabaseTable table(m_database, "run", {"key", "value"});
        const auto text = [&](std::string_view key, std::string_view value) {
            table.text(key);
            table.text(value);
        };
        const auto number = [&](std::string_view key, std::int64_t value) {
            table.text(key);
            table.number(value);
        };
        const Device& device = m_study.about();
        const DeviceFigures& figures = *m_run.figures();
        number("schema", kSchemaVersion);
        text("written_by", std::string("highwater ") + programVersion());
        text("path", sanitizedText(m_job.options.common.files.front()));
        text("format", toText(m_study.trace.metadata.kind));
        number("device", device.ordinal);
        text("kind", toText(device.kind));
        text("quantity", toText(device.quantity));
        number("events", figures.eventCount);
        number("peak_bytes", figures.peakBytes);
        number("peak_event", figures.peakEvent);
        if (device.recordsReserved())
            number("reserved_peak_bytes", figures.reservedPeakBytes);
        if (m_run.capacity())
            number("capacity_bytes", m_run.capacity()->bytes);
        for (const auto& [name, value] : m_study.trace.metadata.settings)
            text("setting:" + name, value);
    }

    void writeDeviceTables()
    {
        DeviceTableOptions options;
        options.withStacks = false;
        options.withStackIds = !m_job.options.noStacks;
        for (const DeviceTable& table : deviceTables()) {
            DatabaseTable output(
                m_database, std::string(table.name), table.columns(m_study.about(), options));
            table.write(m_study, output, options);
        }
    }

    /// Returns, by stack id, which stacks with frames the device's events and allocations have.
    std::vector<bool> usedStacks() const
    {
        const Trace& trace = m_study.trace;
        std::vector<bool> used(trace.stacks.nodeCount(), false);
        const auto markUsed = [&](StackId stack) {
            if (trace.stacks.hasFrames(stack))
                used[stack.index()] = true;
        };
        for (std::int64_t event = 0; event < trace.eventCount(m_study.device); ++event)
            markUsed(trace.events.stack[trace.row(m_study.device, event)]);
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            markUsed(m_study.allocations.stack(i));
        return used;
    }

    void writeStacks()
    {
        const Trace& trace = m_study.trace;
        const std::vector<bool> used = usedStacks();
        DatabaseTable frames(
            m_database, "frames", {"stack_id", "position", "function", "file", "line", "is_python"});
        for (std::size_t id = 0; id < used.size() && !frames.stopped(); ++id) {
            if (!used[id])
                continue;
            std::int64_t position = 0; // 0 for the innermost
            for (const FrameId frameId : trace.stacks.frames(StackId(id))) {
                const Frame frame = trace.stacks.frame(frameId);
                frames.number(static_cast<std::int64_t>(id));
                frames.number(position++);
                frames.text(trace.text(frame.function));
                frames.textOrMissing(trace.text(frame.file));
                frames.number(frame.line > 0 ? std::optional<std::int64_t>(frame.line) : std::nullopt);
                frames.boolean(frame.kind == FrameKind::Python);
            }
        }
        m_database.execute("CREATE INDEX \"frames (stack_id)\" ON frames (stack_id)");
    }

    /// Writes what was live at the peak, grouped by each of several keys. The rows of one key sum to the
    /// peak.
    void writePeak()
    {
        DatabaseTable table(m_database, "peak", {"grouped_by", "key", "bytes", "count"});
        for (const GroupKey key : {GroupKey::Site, GroupKey::Category, GroupKey::Function, GroupKey::File,
                 GroupKey::Size, GroupKey::Stream, GroupKey::Pool})
            for (const CompositionGroup& group : compositionAt(m_study.trace, m_study.allocations,
                     m_study.sites, m_study.curve.peak().event, key, &m_study.categories)
                                                     .groups) {
                table.text(toText(key));
                table.text(group.key);
                table.number(group.bytes);
                table.number(group.count);
            }
    }

    /// Writes the segments at the last out-of-memory event, or at the peak if there is none.
    void writeSegments()
    {
        const LiveIndex live(m_study.allocations);
        const SegmentHistory history(m_study.trace, m_study.allocations, live);
        const SegmentState state = history.at(initialEvent(*m_run.figures()));
        DatabaseTable segments(m_database, "segments",
            {"event", "address", "bytes", "active_bytes", "pending_free_bytes", "free_bytes",
                "largest_free_bytes", "stream", "pool", "size_class", "is_expandable"});
        for (const SegmentAt& segment : state.segments) {
            segments.number(state.event);
            segments.address(segment.range.begin);
            segments.number(segment.range.size);
            segments.number(segment.activeBytes);
            segments.number(segment.pendingBytes);
            segments.number(segment.freeBytes);
            segments.number(segment.largestFree);
            writeStream(segments, segment.range.stream);
            segments.text(m_study.trace.poolLabel(segment.range.pool));
            segments.text(sizeClassText(segment.range.type));
            segments.boolean(segment.range.expandable);
        }
        writeBlocks(state);
    }

    void writeStream(DatabaseTable& table, StreamId id) const
    {
        table.number(id.isNone() ? std::nullopt : std::optional(m_study.trace.streams[id.index()]));
    }

    void writeBlocks(const SegmentState& state)
    {
        DatabaseTable blocks(m_database, "blocks",
            {"segment_address", "address", "bytes", "requested_bytes", "state", "alloc_event"});
        for (const SegmentAt& segment : state.segments)
            for (const BlockAt& block : state.blocksOf(segment)) {
                blocks.address(segment.range.begin);
                blocks.address(block.address);
                blocks.number(block.size);
                blocks.number(block.isFreeBlock() ? std::nullopt : std::optional(block.requested));
                blocks.text(block.isFreeBlock()                  ? "free"
                        : block.state == BlockState::PendingFree ? "pending_free"
                                                                 : "active");
                blocks.number(block.isFreeBlock()
                        ? std::nullopt
                        : std::optional<std::int64_t>(m_study.allocations.birth(block.allocation)));
            }
    }

    void writeOoms()
    {
        DatabaseTable table(m_database, "ooms", {"event", "requested_bytes", "device_free_bytes"});
        for (const OomEvent& oom : m_run.figures()->ooms) {
            table.number(oom.event);
            table.number(oom.requestedBytes);
            table.number(oom.deviceFreeBytes == OomEvent::kUnknown ? std::nullopt
                                                                   : std::optional(oom.deviceFreeBytes));
        }
    }

    static void writeCell(DatabaseTable& table, const Json& value)
    {
        if (value.is_string())
            table.text(value.get_ref<const std::string&>());
        else if (value.is_boolean())
            table.boolean(value.get<bool>());
        else if (value.is_number())
            table.number(value.get<std::int64_t>());
        else
            table.missing();
    }

    /// Writes the findings in reading order, numbered from 1.
    void writeFindings()
    {
        const std::vector<std::string> keys = {"rule", "grade", "kind", "title", "bytes", "event", "step",
            "remedy", "saved_bytes", "would_disprove", "merged_into"};
        std::vector<std::string> columns = {"rank"};
        columns.insert(columns.end(), keys.begin(), keys.end());
        const std::vector<const Finding*> order = m_run.inReadingOrder();
        DatabaseTable findings(m_database, "findings", columns);
        DatabaseTable evidence(m_database, "evidence", {"finding_rank", "position", "sentence"});
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Json json = findingJson(*order[i]);
            findings.number(static_cast<std::int64_t>(i + 1));
            for (const std::string& key : keys)
                writeCell(findings, json[key]);
            for (std::size_t piece = 0; piece < json["evidence"].size(); ++piece) {
                evidence.number(static_cast<std::int64_t>(i + 1));
                evidence.number(static_cast<std::int64_t>(piece));
                writeCell(evidence, json["evidence"][piece]);
            }
        }
    }

    void writeImportLog()
    {
        DatabaseTable table(m_database, "import_log", {"severity", "code", "message", "count"});
        for (const ImportLogEntry& entry : m_study.trace.log.entries()) {
            table.text(toText(entry.severity));
            table.text(entry.code);
            table.text(entry.message);
            table.number(entry.count);
        }
    }

    const ExportJob& m_job;
    const RunStudy& m_run;
    const DeviceStudy& m_study;
    TableDatabase& m_database;
};

/// SQLite opens paths of at most 512 bytes. This leaves room for the name of the temporary file and for what
/// SQLite adds to it.
constexpr std::size_t kMaxFolderBytes = 450;

/// Returns the folder for the unfinished database: the output's folder, because its disk needs room for the
/// database anyway, or the system's temporary folder if the path is too long for SQLite.
std::string temporaryFolder(const std::string& out)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path folder = fs::absolute(fs::path(out).parent_path() / ".", error);
    if (!error)
        folder = fs::weakly_canonical(folder, error);
    const bool isTooLong = error || folder.native().size() > kMaxFolderBytes;
    return (isTooLong ? fs::temp_directory_path() : folder).string();
}

} // namespace

bool namesDatabase(const std::string& out)
{
    return out.ends_with(".sqlite") || out.ends_with(".sqlite3") || out.ends_with(".db");
}

void exportDatabase(const ExportJob& job, const ImportedTrace& imported)
{
    const std::string& path = job.options.common.files.front();
    RunParts parts = need(path, partsOf(path, imported, {job.options.device, std::nullopt, job.rules, {}}));
    const RunStudy run(std::move(parts));
    const auto findings = inBackground([&run] { run.findings(); }); // computed while the events are written
    TableDatabase database(temporaryFolder(job.options.out));
    Tables(job, run, database).write();
    need(job.options.out, database.finish());
    job.finish(database.copyTo(job.sink()));
}

} // namespace highwater::cli
