#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "core/base/result.h"
#include "core/trace/trace_builder.h"
#include "importers/pickle/object_factory.h"
#include "importers/pytorch_snapshot/record_store.h"
#include "importers/pytorch_snapshot/snapshot_records.h"

namespace highwater {

/// Builds a trace from the containers of a snapshot as they become complete, for pickle and JSON alike. Dicts
/// become rows, lists of frames become interned stacks, lists of rows become ranges. Unrecognized containers
/// are kept as they are.
class SnapshotAssembler : public ObjectFactory
{
public:
    SnapshotAssembler();

    StringId string(std::string_view text) override { return m_builder.strings().intern(text); }
    std::string_view text(const Value& value) const override;
    Value emptyList() override { return Value::object(code(ObjectType::EmptyList), 0); }
    Value emptyDict() override { return Value::object(code(ObjectType::EmptyDict), 0); }
    Value tuple(std::span<Value> items) override;
    Result<void> append(Value& list, std::span<Value> items) override;
    Result<void> setItems(Value& dict, std::span<Value> keysAndValues) override;
    bool isList(const Value& value) const override;
    bool isDict(const Value& value) const override;
    bool isInterned(const Value& value) const override;
    void beginSalvage() override { m_isSalvaging = true; }
    void setPlaceProvider(std::function<Place()> where) override
    {
        m_records.setPlaceProvider(std::move(where));
    }
    std::size_t memoryBytes() const override;

    ImportLog& log() { return m_builder.log(); }

    /// Builds the trace from the outermost value: a dict with `segments` or `device_traces`, or a list of
    /// segments. Fails with UnknownFormat for anything else. After `beginSalvage` the last entry at each
    /// level counts as cut off. Call it once.
    Result<std::shared_ptr<const Trace>> finish(const Value& root);

private:
    Value resolved(const Value& value);
    Result<void> startList(Value& list, std::span<Value> items);
    Result<void> reopenStack(Value& list, std::span<const Value> items);
    Value internStack(std::span<const Value> frames, std::int64_t memoSlot);
    /// Turns the value into a generic container of these items, which keeps its memo slot.
    Result<void> toGeneric(Value& container, ObjectType type, std::span<const Value> items);
    bool allOf(std::span<const Value> items, std::uint8_t type) const;
    std::span<Value> withoutOpenRecord(std::span<Value> items) const;
    std::span<const Value> withoutOpenField(std::span<const Value> segment) const;

    bool takeEntry(Key key, const Value& value);
    /// Reads the additions of `highwater rehearse`.
    void takeRehearsal(const Value& dict);
    void takeCut(const Value& dict);
    void takeRoot(const Value& dict);
    void takeSegments(const Value& list, DeviceKind kind);
    void takeTraces(const Value& lists, DeviceKind kind);
    void takeAnnotations(const Value& list);
    void takeOverflow(const Value& flag);
    void describeHistory(bool allEvents);
    void describeCut(const Value& root);
    Extent extentOf(const Value& root, Key key) const;
    Extent eventsRead(DeviceIndex device, const Value& root);
    std::string topLevelNames(const Value& root) const;
    /// Returns the value of a key in a generic dict; null if there is none.
    const Value* find(const Value& dict, Key key) const;

    TraceBuilder m_builder;
    RecordStore m_store;
    SnapshotRecords m_records;
    std::set<std::uint32_t> m_takenTraces; ///< lists of events that are assigned to a device
    std::vector<FrameId> m_frames; ///< scratch
    bool m_isSalvaging = false;
};

} // namespace highwater
