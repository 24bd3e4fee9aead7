#include "importers/wandb/wandb_importer.h"

#include "importers/conclude_import.h"
#include "importers/log/log_reader.h"
#include "importers/log/patterns/user_patterns.h"
#include "importers/log/series/tagged_series.h"
#include "importers/log/text/written_figures.h"
#include "importers/wandb/record_blocks.h"
#include "importers/wandb/wandb_records.h"

namespace highwater {

namespace {

using namespace wandb;

constexpr std::size_t kLongestOpenLine = 64 * 1024;

class RunFile
{
public:
    RunFile(const logs::PatternTable& table, StringPool& strings)
        : m_reader(table, strings, 0)
        , m_taggedSeries(table, m_reader.series(), "wandb")
    {
        m_reader.clock().accept({0, false}); // times in the console's text are local and therefore ignored
    }

    /// Reads a record. Returns the memory used by everything read so far.
    std::size_t addRecord(const RunRecord& record)
    {
        if (record.kind == RunRecord::Kind::Console)
            readConsole(record.text);
        else if (record.kind != RunRecord::Kind::Other)
            addItems(record);
        ++m_recordCount;
        return m_reader.memoryBytes();
    }

    bool isEmpty() const { return m_recordCount == 0; }

    void moveTo(TraceBuilder& builder)
    {
        if (!m_openLine.empty())
            m_reader.read(m_openLine, ++m_line);
        m_reader.moveTo(builder);
        builder.metadata().clock = Clock::Unix;
    }

private:
    /// Reads console text, which comes in pieces that may end within a line.
    void readConsole(std::string_view text)
    {
        for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            m_openLine += text.substr(0, end);
            m_reader.read(m_openLine, ++m_line);
            m_openLine.clear();
            text.remove_prefix(end + 1);
        }
        if (m_openLine.size() + text.size() <= kLongestOpenLine)
            m_openLine += text;
    }

    void addItems(const RunRecord& record)
    {
        logs::SeriesPoint point;
        point.time = record.time;
        point.step = record.step.value_or(CounterSeries::kNoStep);
        for (const auto& [key, text] : record.items) {
            const std::optional<double> value = logs::parseNumber(text);
            if (key == "_step" && value && *value >= 0 && *value < 1e15)
                point.step = static_cast<std::int64_t>(*value);
            if (const auto time = key == "_timestamp" && value ? logs::unixTime(*value) : std::nullopt)
                point.time = time->time;
        }
        if (point.step != CounterSeries::kNoStep)
            point.stepNumbering = StepNumbering::Record;
        for (const auto& [key, text] : record.items)
            if (const std::optional<double> value = logs::parseNumber(text); value && !key.starts_with('_'))
                m_taggedSeries.add(key, *value, point);
    }

    logs::LogReader m_reader;
    logs::TaggedSeries m_taggedSeries;
    std::int64_t m_recordCount = 0;
    std::string m_openLine;
    std::uint64_t m_line = 0;
};

} // namespace

bool sniffWandb(std::string_view prefix)
{
    return prefix.starts_with(kMagic);
}

Result<ImportedTrace> importWandb(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    TraceBuilder builder;
    builder.metadata().kind = TraceKind::WandbRun;
    const std::shared_ptr<const logs::PatternTable> table = logs::patternsFor(options, builder.log());
    RunFile file(*table, builder.strings());
    const std::optional<Error> error
        = readRecords(RecordBlocks(*source, options.maxMemoryBytes), options.maxMemoryBytes,
            [&](std::string_view record) { return file.addRecord(decodeRecord(record)); });
    return concludeImport(error, file.isEmpty(), [&] {
        file.moveTo(builder);
        return builder.finish();
    });
}

} // namespace highwater
