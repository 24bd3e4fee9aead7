#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/pytorch_snapshot/field_values.h"
#include "importers/pytorch_snapshot/original_traces.h"
#include "importers/pytorch_snapshot/record_store.h"
#include "importers/pytorch_snapshot/snapshot_keys.h"

namespace highwater {

/// Turns the fields of one dict into a row: frames, trace entries, blocks, segments, annotations, and the
/// `history` entries of PyTorch 1.13 and 2.0. The keys determine the kind of record, in any order and at any
/// place in the file (FORMAT.md).
class SnapshotRecords
{
public:
    using Fields = std::span<const Value>; ///< key, value, key, value, …

    /// Interns the texts of `kKeyTexts`; `builder` must not have any strings yet.
    SnapshotRecords(TraceBuilder& builder, RecordStore& store);

    /// Returns the row for these fields, or an EmptyDict value if they are none of the known records.
    Value make(Fields fields);
    /// True if the fields belong to a segment and are complete enough for its blocks to be counted.
    static bool isLocatedSegment(Fields fields);
    /// Returns the error of a record after which the file cannot be read further; unset if there is none.
    const std::optional<Error>& problem() const { return m_problem; }

    const OriginalTraces& originalTraces() const { return m_originalTraces; }
    const Column<Segment>& segments() const { return m_segments; }
    const Column<AnnotationMark>& annotations() const { return m_annotations; }
    /// Frees both tables. Call it once the trace has their rows.
    void forgetSegmentsAndAnnotations()
    {
        m_segments = {};
        m_annotations = {};
    }
    /// Sets a function that returns the reader's position in the file, for the import log.
    void setPlaceProvider(std::function<Place()> provider) { m_placeProvider = std::move(provider); }
    void report(Severity severity, std::string_view code, std::string_view message);
    ValueText text() const { return {m_store, m_builder.strings(), m_builder.pools()}; }
    std::size_t memoryBytes() const;

private:
    struct HistoryEntry
    {
        Bytes realSize = 0;
        StackId stack;
    };

    Value makeFrame(Fields fields);
    Value makeEvent(Fields fields, std::uint64_t keys);
    Value makeBlock(Fields fields);
    Value makeSegment(Fields fields, std::uint64_t keys);
    Value makeAnnotation(Fields fields);
    Value makeHistory(Fields fields);

    Action actionOf(const Value& value);
    StackId stackOf(const Value& value);
    PoolId poolOf(const Value& value);
    void checkEvent(const MemoryEvent& event, std::uint64_t keys);
    void checkSegment(Segment& segment, std::uint64_t keys);
    void addAmount(Bytes size);
    Bytes checkedSize(const Value& value);
    std::int64_t checkedDevice(const Value& value);
    Address checkedAddress(const Value& value);
    Nanoseconds timeOf(const Value& value);
    BlockState stateOf(const Value& value);
    RowRange blocksOf(const Value& value, Address segmentAddress);
    void addDetail(std::string& details, const Value& key, const Value& value) const;
    StringId finishDetails(std::string& details);

    TraceBuilder& m_builder;
    RecordStore& m_store;
    OriginalTraces m_originalTraces;
    std::function<Place()> m_placeProvider;
    Column<Segment> m_segments;
    Column<AnnotationMark> m_annotations;
    std::vector<HistoryEntry> m_history;
    std::vector<std::int16_t> m_actionOfString; ///< −1 until it is looked up
    Bytes m_amounts = 0; ///< sum of all sizes that totals are computed from
    std::optional<Error> m_problem;
};

} // namespace highwater
