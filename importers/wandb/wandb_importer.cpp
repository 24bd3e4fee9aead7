#include "importers/wandb/wandb_importer.h"

#include "importers/conclude_import.h"
#include "importers/log/log_reader.h"
#include "importers/log/patterns/user_patterns.h"
#include "importers/log/text/written_figures.h"
#include "importers/wandb/record_blocks.h"
#include "importers/wandb/wandb_records.h"

namespace highwater {

namespace {

using namespace wandb;

constexpr const char* kShape = "wandb";
constexpr std::size_t kLongestOpenLine = 64 * 1024;

class RunFile
{
public:
    RunFile(const logs::PatternTable& table, StringPool& strings, std::uint64_t mostBytes)
        : m_reader(table, strings, 0)
        , m_meanings(table, m_reader.series())
        , m_mostBytes(mostBytes)
    {
        m_reader.clock().accept({0, false}); // times of the console's text are local: they are left out
    }

    /// Until the end, or the first trouble, which is returned.
    std::optional<Error> read(ByteSource& source)
    {
        RecordBlocks blocks(source, m_mostBytes);
        for (;; ++m_records) {
            const Result<std::optional<std::string_view>> record = blocks.next();
            if (!record)
                return record.error();
            if (!*record)
                return std::nullopt;
            take(decodeRecord(**record));
            if (m_reader.memoryBytes() > m_mostBytes)
                return Error{ErrorCode::LimitExceeded, "the series need more memory than the limit", {}};
        }
    }

    std::int64_t records() const { return m_records; }

    void moveTo(TraceBuilder& builder)
    {
        if (!m_openLine.empty())
            m_reader.read(m_openLine, ++m_line);
        m_reader.moveTo(builder);
        builder.metadata().clock = Clock::Unix;
    }

private:
    void take(const RunRecord& record)
    {
        if (record.kind == RunRecord::Kind::Console)
            takeConsole(record.text);
        else if (record.kind != RunRecord::Kind::Other)
            takeItems(record);
    }

    /// The text comes in pieces that need not end with a line.
    void takeConsole(std::string_view text)
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

    void takeItems(const RunRecord& record)
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
                takeFigure(key, *value, point);
    }

    void takeFigure(const std::string& key, double value, logs::SeriesPoint point)
    {
        const logs::KeyMeaning& meaning = m_meanings.of(kShape, key);
        const bool isFigure = meaning.rule && meaning.rule->role == logs::Role::Figure;
        logs::SeriesSpec plain;
        plain.name = key;
        plain.family = kShape;
        logs::Writer writer;
        if (isFigure)
            writer.device = meaning.device;
        point.value = value * (isFigure ? meaning.factor : 1);
        m_reader.series().add(isFigure ? meaning.spec : m_reader.series().spec(plain), writer, point);
    }

    logs::LogReader m_reader;
    logs::KeyMeanings m_meanings;
    std::uint64_t m_mostBytes;
    std::int64_t m_records = 0;
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
    builder.metadata().format = "wandb";
    const std::shared_ptr<const logs::PatternTable> table = logs::patternsFor(options, builder.log());
    RunFile file(*table, builder.strings(), options.maxMemoryBytes);
    const std::optional<Error> error = file.read(*source);
    return concludeImport(error, file.records() == 0, [&] {
        file.moveTo(builder);
        return builder.finish();
    });
}

} // namespace highwater
