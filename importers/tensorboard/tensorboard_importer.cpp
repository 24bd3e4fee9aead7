#include "importers/tensorboard/tensorboard_importer.h"

#include "importers/conclude_import.h"
#include "importers/log/patterns/user_patterns.h"
#include "importers/log/series/tagged_series.h"
#include "importers/log/text/log_time.h"
#include "importers/protobuf/wire_reader.h"
#include "importers/tensorboard/event_records.h"
#include "importers/tensorboard/scalar_values.h"

namespace highwater {

namespace {

using namespace tensorboard;

constexpr std::size_t kLongestTag = 1000;
constexpr std::uint32_t kSummaryValue = 1; ///< field number in Summary

class EventFile
{
public:
    explicit EventFile(const logs::PatternTable& table)
        : m_taggedSeries(table, m_series, "tensorboard")
    {
    }

    /// Adds the scalars of an event. Returns the memory that all series use.
    std::size_t addEvent(const Event& event)
    {
        m_brokenCount += event.isBroken;
        protobuf::WireReader reader(event.summary);
        protobuf::Field field;
        logs::SeriesPoint point;
        point.step = event.step;
        point.stepNumbering = StepNumbering::Record;
        if (const std::optional<logs::LineTime> time = logs::unixTime(event.wallSeconds))
            point.time = time->time;
        while (reader.next(field)) {
            if (field.number != kSummaryValue || field.kind != protobuf::Field::Kind::Bytes)
                continue;
            const Scalar scalar = decodeScalar(field.content);
            if (scalar.value && !scalar.tag.empty() && scalar.tag.size() <= kLongestTag)
                m_taggedSeries.add(std::string(scalar.tag), *scalar.value, point);
            else
                ++m_ignoredCount;
        }
        m_brokenCount += reader.isBroken();
        ++m_recordCount;
        return m_series.memoryBytes();
    }

    bool isEmpty() const { return m_recordCount == 0; }

    void moveTo(TraceBuilder& builder)
    {
        if (m_ignoredCount > 0)
            builder.log().add(Severity::Info, "not-scalar",
                "a value that is not a scalar (an image, a text, a histogram), or whose tag is missing or "
                "longer than 1,000 bytes, is ignored",
                {}, m_ignoredCount);
        if (m_brokenCount > 0)
            builder.log().add(Severity::Warning, "event-unreadable",
                "an event is not in the form of TensorBoard; part of it is ignored", {}, m_brokenCount);
        if (!m_series.hasMemoryFigures())
            builder.log().add(
                Severity::Info, "no-memory-figures", "no series has memory figures in a recognized format");
        m_series.logTo(builder.log());
        m_series.moveTo(builder);
    }

private:
    logs::SeriesStore m_series;
    logs::TaggedSeries m_taggedSeries;
    std::int64_t m_recordCount = 0;
    std::int64_t m_ignoredCount = 0;
    std::int64_t m_brokenCount = 0;
};

} // namespace

bool sniffTensorBoard(std::string_view prefix)
{
    return beginsWithRecord(prefix);
}

Result<ImportedTrace> importTensorBoard(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    TraceBuilder builder;
    builder.metadata().kind = TraceKind::TensorBoardEvents;
    builder.metadata().clock = Clock::Unix;
    builder.metadata().hasHistory = false;
    const std::shared_ptr<const logs::PatternTable> table = logs::patternsFor(options, builder.log());
    EventFile file(*table);
    const std::optional<Error> error = readRecords(EventRecords(*source, options.maxMemoryBytes),
        options.maxMemoryBytes, [&](std::string_view record) { return file.addEvent(decodeEvent(record)); });
    return concludeImport(error, file.isEmpty(), [&] {
        file.moveTo(builder);
        return builder.finish();
    });
}

} // namespace highwater
