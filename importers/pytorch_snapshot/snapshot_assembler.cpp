#include "importers/pytorch_snapshot/snapshot_assembler.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "core/trace/cut_recording.h"
#include "core/trace/rehearsed.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxRecordItems = 128;

bool isContainer(const Value& value)
{
    return is(value, ObjectType::GenericDict) || is(value, ObjectType::GenericList);
}

} // namespace

SnapshotAssembler::SnapshotAssembler()
    : m_records(m_builder, m_store)
{
}

std::string_view SnapshotAssembler::text(const Value& value) const
{
    return const_cast<TraceBuilder&>(m_builder).strings().view(value.string());
}

bool SnapshotAssembler::isList(const Value& value) const
{
    const bool isRowList
        = value.kind == Value::Kind::Object && value.type > code(ObjectType::EventRow) && !isRow(value.type);
    return isRowList || is(value, ObjectType::EmptyList) || is(value, ObjectType::GenericList)
        || is(value, ObjectType::Stack);
}

bool SnapshotAssembler::isDict(const Value& value) const
{
    const bool isRecord = value.kind == Value::Kind::Object && isRow(value.type);
    return isRecord || is(value, ObjectType::EmptyDict) || is(value, ObjectType::GenericDict)
        || is(value, ObjectType::Frame);
}

bool SnapshotAssembler::isInterned(const Value& value) const
{
    return is(value, ObjectType::Frame) || is(value, ObjectType::Stack) || is(value, ObjectType::Pool);
}

std::size_t SnapshotAssembler::memoryBytes() const
{
    return m_builder.memoryBytes() + m_store.memoryBytes() + m_records.memoryBytes();
}

Value SnapshotAssembler::tuple(std::span<Value> items)
{
    if (items.size() == 2 && items[0].isInt() && items[1].isInt())
        return Value::object(code(ObjectType::Pool),
            m_builder
                .pool({static_cast<std::uint64_t>(items[0].integer),
                    static_cast<std::uint64_t>(items[1].integer)})
                .value());
    Value list = emptyList();
    if (!items.empty() && !append(list, items))
        return Value::opaque();
    return list;
}

/// Turns a stack back into a list of frames, because more frames follow. The complete list is interned later;
/// to intern it again after every batch would take quadratic time.
Result<void> SnapshotAssembler::reopenStack(Value& list, std::span<const Value> items)
{
    const StackTable& stacks = m_builder.stacks();
    std::vector<Value> frames;
    for (const FrameId frame : m_records.originalTraces().without(stacks.frames(StackId(list.index))))
        frames.push_back(Value::object(code(ObjectType::Frame), frame.value()));
    frames.insert(frames.end(), items.begin(), items.end());
    return toGeneric(list, ObjectType::GenericList, frames);
}

/// Determines the type of a container that was filled piece by piece. It is complete, because it is being put
/// into another container.
Value SnapshotAssembler::resolved(const Value& value)
{
    if (!isContainer(value))
        return value;
    if (!m_store.container(value.index).isSettled) {
        Value meaning = value;
        const std::vector<Value> items = m_store.container(value.index).items;
        if (is(value, ObjectType::GenericDict)) {
            if (const Value record = m_records.make(items); !is(record, ObjectType::EmptyDict))
                meaning = record;
        } else if (allOf(items, code(ObjectType::Frame))) {
            meaning = internStack(items, 0);
        }
        RecordStore::Container& container = m_store.container(value.index);
        container.isSettled = true;
        container.meaning = meaning;
        if (!isContainer(meaning))
            container.items = {};
    }
    Value meaning = m_store.container(value.index).meaning;
    meaning.memoSlot = value.memoSlot;
    return meaning;
}

bool SnapshotAssembler::allOf(std::span<const Value> items, std::uint8_t type) const
{
    return !items.empty()
        && std::ranges::all_of(items, [type](const Value& item) { return item.isObject(type); });
}

Result<void> SnapshotAssembler::toGeneric(Value& container, ObjectType type, std::span<const Value> items)
{
    const std::int64_t memoSlot = container.memoSlot;
    container = m_store.add(type);
    container.memoSlot = memoSlot;
    return m_store.append(container.index, items);
}

Value SnapshotAssembler::internStack(std::span<const Value> frames, std::int64_t memoSlot)
{
    m_frames.clear();
    for (const Value& frame : frames)
        m_frames.push_back(FrameId(frame.index));
    m_records.originalTraces().insertInto(m_frames);
    Value stack = Value::object(code(ObjectType::Stack), m_builder.stacks().internStack(m_frames).value());
    stack.memoSlot = memoSlot;
    return stack;
}

Result<void> SnapshotAssembler::startList(Value& list, std::span<Value> items)
{
    // A single frame may be the first of many that come one by one (protocol 0), so it is not interned yet.
    if (items.size() > 1 && allOf(items, code(ObjectType::Frame))) {
        list = internStack(items, list.memoSlot);
        return {};
    }
    if (items[0].kind != Value::Kind::Object || !isRow(items[0].type))
        return toGeneric(list, ObjectType::GenericList, items);
    const std::int64_t memoSlot = list.memoSlot;
    list = m_store.addRowList(static_cast<std::uint8_t>(items[0].type + 1));
    list.memoSlot = memoSlot;
    return append(list, items);
}

Result<void> SnapshotAssembler::append(Value& list, std::span<Value> items)
{
    if (m_isSalvaging)
        items = withoutOpenRecord(items);
    for (Value& item : items)
        if (isContainer(item))
            item = resolved(item);
    if (m_records.problem())
        return tl::unexpected<Error>(*m_records.problem());
    if (items.empty())
        return {};
    if (is(list, ObjectType::EmptyList))
        return startList(list, items);
    if (is(list, ObjectType::Stack))
        return reopenStack(list, items);
    if (is(list, ObjectType::GenericList))
        return m_store.append(list.index, items);
    const auto rowType = static_cast<std::uint8_t>(list.type - 1);
    for (const Value& item : items)
        if (item.isObject(rowType))
            m_store.appendRow(list.index, item.index);
        else
            m_records.report(
                Severity::Warning, "unexpected-item", "an entry of another kind than its list is ignored");
    return {};
}

Result<void> SnapshotAssembler::setItems(Value& dict, std::span<Value> keysAndValues)
{
    for (Value& value : keysAndValues)
        if (isContainer(value))
            value = resolved(value);
    if (is(dict, ObjectType::GenericDict)) {
        // No record has that many fields. Judging a growing dict repeatedly would take quadratic time.
        RecordStore::Container& container = m_store.container(dict.index);
        container.isSettled = container.isSettled && container.items.size() > kMaxRecordItems;
        return m_store.append(dict.index, keysAndValues);
    }
    if (!is(dict, ObjectType::EmptyDict)) {
        m_records.report(
            Severity::Warning, "late-fields", "fields that are added to a finished record are ignored");
        return {};
    }
    // A single entry may be the first of several that come one by one (protocol 0).
    const bool mayBeRecord
        = m_isSalvaging ? SnapshotRecords::isLocatedSegment(keysAndValues) : keysAndValues.size() > 2;
    if (mayBeRecord) {
        const std::span<const Value> fields
            = m_isSalvaging ? withoutOpenField(keysAndValues) : std::span<const Value>(keysAndValues);
        if (fields.empty())
            return {};
        Value record = m_records.make(fields);
        if (m_records.problem())
            return tl::unexpected<Error>(*m_records.problem());
        if (!is(record, ObjectType::EmptyDict)) {
            record.memoSlot = dict.memoSlot;
            dict = record;
            return {};
        }
    }
    return toGeneric(dict, ObjectType::GenericDict, keysAndValues);
}

Result<std::shared_ptr<const Trace>> SnapshotAssembler::finish(const Value& unresolvedRoot)
{
    const Value root = resolved(unresolvedRoot);
    const bool isSnapshotDict
        = is(root, ObjectType::GenericDict) && (find(root, Key::Segments) || find(root, Key::DeviceTraces));
    const bool isSegmentList = is(root, ObjectType::SegmentList) || is(root, ObjectType::EmptyList);
    if (!isSnapshotDict && !isSegmentList)
        return fail(ErrorCode::UnknownFormat,
            "is not a memory snapshot; it has neither segments nor device_traces" + topLevelNames(root));
    m_builder.metadata().kind = TraceKind::Snapshot;
    m_builder.metadata().producer.emplace_back("form", isSegmentList ? "list of segments" : "dict");
    if (isSegmentList)
        takeSegments(root, DeviceKind::Cuda);
    else
        takeRoot(root);
    const bool allEvents = !m_isSalvaging || extentOf(root, Key::DeviceTraces) == Extent::Whole;
    if (m_isSalvaging)
        describeCut(root);
    describeHistory(allEvents);
    m_records.forgetSegmentsAndAnnotations(); // before pairing needs the memory
    return m_builder.finish();
}

const Value* SnapshotAssembler::find(const Value& dict, Key key) const
{
    const std::vector<Value>& items = m_store.container(dict.index).items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (items[i].isString() && items[i].index == static_cast<std::uint32_t>(key))
            return &items[i + 1];
    return nullptr;
}

std::string SnapshotAssembler::topLevelNames(const Value& root) const
{
    if (!is(root, ObjectType::GenericDict))
        return "";
    constexpr std::size_t kMostNames = 8;
    constexpr std::size_t kLongestName = 40;
    std::string names;
    const std::vector<Value>& items = m_store.container(root.index).items;
    for (std::size_t i = 0; i + 1 < std::min(items.size(), 2 * kMostNames); i += 2)
        names += (names.empty() ? "" : ", ") + cutText(sanitizedText(text(items[i])), kLongestName);
    if (items.size() > 2 * kMostNames)
        names += ", …";
    return names.empty() ? "" : " (its top level has: " + names + ")";
}

bool SnapshotAssembler::takeEntry(Key key, const Value& value)
{
    switch (key) {
    case Key::Segments: takeSegments(value, DeviceKind::Cuda); return true;
    case Key::HostSegments: takeSegments(value, DeviceKind::HostPinned); return true;
    case Key::DeviceTraces: takeTraces(value, DeviceKind::Cuda); return true;
    case Key::HostTraces: takeTraces(value, DeviceKind::HostPinned); return true;
    case Key::ExternalAnnotations: takeAnnotations(value); return true;
    case Key::Overflowed: takeOverflow(value); return true;
    case Key::AllocatorSettings:
        m_builder.metadata().settings = m_records.text().flattened(value);
        if (is(value, ObjectType::GenericDict))
            if (const Value* flag = find(value, Key::Overflowed))
                takeOverflow(*flag);
        return true;
    default: return false;
    }
}

void SnapshotAssembler::takeRehearsal(const Value& dict)
{
    std::string gpu = "GPU";
    for (const auto& [name, value] : m_records.text().flattened(dict))
        if (name == "gpu")
            gpu = sanitizedText(value);
    TraceMetadata& metadata = m_builder.metadata();
    metadata.producer.emplace_back(kRehearsedEntry, rehearsedOn(gpu));
    m_builder.log().add(Severity::Info, "rehearsed", rehearsedText(metadata));
}

void SnapshotAssembler::takeCut(const Value& dict)
{
    for (const auto& [name, value] : m_records.text().flattened(dict)) {
        if (name != kCutKeptKey)
            continue;
        const std::string keptPart = sanitizedText(value);
        m_builder.metadata().producer.emplace_back(kCutEntry, keptPart);
        m_builder.log().add(Severity::Info, "cut",
            fmt::format("is part of a recording, written by highwater cut: {}; earlier memory counts as "
                        "allocated before recording began",
                keptPart));
    }
}

void SnapshotAssembler::takeRoot(const Value& dict)
{
    const std::vector<Value>& items = m_store.container(dict.index).items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const bool isKnown = items[i].isString() && items[i].index < static_cast<std::uint32_t>(Key::Count);
        if (isKnown && takeEntry(static_cast<Key>(items[i].index), items[i + 1]))
            continue;
        const std::string name = m_records.text().plain(items[i]);
        const bool isDictEntry = is(items[i + 1], ObjectType::GenericDict);
        if (isDictEntry && name == "highwater_rehearsal") {
            takeRehearsal(items[i + 1]);
        } else if (isDictEntry && name == kCutKey) {
            takeCut(items[i + 1]);
        } else {
            m_records.text().addEntry(m_builder.metadata().unknownEntries, name, items[i + 1]);
            m_builder.log().add(Severity::Info, "unknown-entry",
                fmt::format("the top-level entry \"{}\" is kept as text", nameText(name)));
        }
    }
}

void SnapshotAssembler::takeSegments(const Value& list, DeviceKind kind)
{
    if (!is(list, ObjectType::SegmentList))
        return;
    const bool isHost = kind == DeviceKind::HostPinned;
    for (const RowRange& range : m_store.rows(list.index))
        for (std::uint32_t row = range.first; row < range.last; ++row) {
            const Segment& segment = m_records.segments()[row];
            // Pinned memory belongs to no GPU, whatever its number is.
            const std::int64_t ordinal = isHost ? Device::kNoOrdinal : segment.deviceOrdinal;
            if (!isHost && (ordinal < 0 || ordinal > std::numeric_limits<std::int32_t>::max()))
                m_builder.log().add(Severity::Warning, "device-out-of-range",
                    "a segment has an impossible device number, which is kept as it is");
            m_builder.addSegment(m_builder.device(kind, ordinal), segment);
        }
}

void SnapshotAssembler::takeTraces(const Value& lists, DeviceKind kind)
{
    const bool isHost = kind == DeviceKind::HostPinned;
    const auto takeList = [&](const Value& list, std::int64_t ordinal) {
        if (!is(list, ObjectType::EventList))
            return;
        // A list referenced from several places could multiply the events at the cost of a few bytes each.
        if (!m_takenTraces.insert(list.index).second)
            m_records.report(Severity::Warning, "trace-repeated",
                "a list of events occurs more than once; it counts once");
        else
            m_builder.assignEvents(
                m_builder.device(kind, isHost ? Device::kNoOrdinal : ordinal), m_store.rows(list.index));
    };
    if (!is(lists, ObjectType::GenericList))
        return takeList(lists, 0); // host traces may be a single list
    const std::vector<Value>& items = m_store.container(lists.index).items;
    for (std::size_t i = 0; i < items.size(); ++i)
        takeList(items[i], static_cast<std::int64_t>(i));
}

void SnapshotAssembler::takeAnnotations(const Value& list)
{
    if (!is(list, ObjectType::AnnotationList))
        return;
    for (const RowRange& range : m_store.rows(list.index))
        for (std::uint32_t row = range.first; row < range.last; ++row)
            m_builder.addAnnotationMark(m_records.annotations()[row]);
}

void SnapshotAssembler::takeOverflow(const Value& flag)
{
    if (!isTruthy(flag, m_store, m_builder.pools()) || m_builder.metadata().startLost)
        return;
    m_builder.metadata().startLost = true;
    m_builder.log().add(Severity::Warning, "start-lost",
        "the history buffer (max_entries) overflowed, so the earliest events are missing; totals are exact, "
        "and lost allocations count as allocated before recording began");
}

} // namespace highwater
