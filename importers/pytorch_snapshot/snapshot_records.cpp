#include "importers/pytorch_snapshot/snapshot_records.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {

/// Limit for the text of an unknown field, because a hostile file could attach much to each event.
constexpr std::size_t kMaxDetailBytes = 1024;
constexpr Address kMissingAddress = ~Address{0};

/// Returns Key::Count for anything but a known key.
Key keyOf(const Value& value)
{
    const bool isKnown = value.isString() && value.index < static_cast<std::uint32_t>(Key::Count);
    return isKnown ? static_cast<Key>(value.index) : Key::Count;
}

/// True if the value is this text of the list of keys.
bool isText(const Value& value, Key text)
{
    return value.isString() && value.index == static_cast<std::uint32_t>(text);
}

/// Returns the known keys of a dict as a set of bits.
std::uint64_t keysOf(SnapshotRecords::Fields fields)
{
    std::uint64_t keys = 0;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
        if (const Key key = keyOf(fields[i]); key != Key::Count)
            keys |= bit(key);
    return keys;
}

/// True if the set has all wanted keys.
bool hasKeys(std::uint64_t keys, std::uint64_t wanted)
{
    return (keys & wanted) == wanted;
}

} // namespace

SnapshotRecords::SnapshotRecords(TraceBuilder& builder, RecordStore& store)
    : m_builder(builder)
    , m_store(store)
    , m_originalTraces(builder)
{
    for (const std::string_view text : kKeyTexts)
        m_builder.strings().intern(text);
}

Value SnapshotRecords::make(Fields fields)
{
    const std::uint64_t keys = keysOf(fields);
    if (hasKeys(keys, bit(Key::Action)))
        return makeEvent(fields, keys);
    if (hasKeys(keys, bit(Key::Name) | bit(Key::Filename)))
        return makeFrame(fields);
    if (hasKeys(keys, bit(Key::State) | bit(Key::Size)))
        return makeBlock(fields);
    if (hasKeys(keys, bit(Key::TotalSize)) || hasKeys(keys, bit(Key::Blocks)))
        return makeSegment(fields, keys);
    if (hasKeys(keys, bit(Key::Stage) | bit(Key::Name)))
        return makeAnnotation(fields);
    if (hasKeys(keys, bit(Key::RealSize)))
        return makeHistory(fields);
    return Value::object(code(ObjectType::EmptyDict), 0);
}

Value SnapshotRecords::makeEvent(Fields fields, std::uint64_t keys)
{
    MemoryEvent event;
    std::string details;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const Value& value = fields[i + 1];
        switch (keyOf(fields[i])) {
        case Key::Action: event.action = actionOf(value); break;
        case Key::Addr:
        case Key::DeviceFree: event.address = checkedAddress(value); break;
        case Key::Size: event.size = checkedSize(value); break;
        case Key::Stream: event.stream = m_builder.stream(value.isInt() ? value.integer : 0); break;
        case Key::TimeUs: event.time = timeOf(value); break;
        case Key::Frames: event.stack = stackOf(value); break;
        case Key::PoolIdField:
        case Key::SegmentPoolId: event.pool = poolOf(value); break;
        case Key::CompileContext:
            if (!isText(value, Key::NotAvailable) && !isText(value, Key::Empty))
                addDetail(details, fields[i], value);
            break;
        case Key::UserMetadata:
            if (!isText(value, Key::Empty))
                addDetail(details, fields[i], value);
            break;
        default: addDetail(details, fields[i], value); break;
        }
    }
    event.details = finishDetails(details);
    checkEvent(event, keys);
    return Value::object(code(ObjectType::EventRow), m_builder.addEvent(event));
}

Value SnapshotRecords::makeFrame(Fields fields)
{
    Frame frame;
    StringId originalTrace;
    std::string details;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const Value& value = fields[i + 1];
        switch (keyOf(fields[i])) {
        case Key::Name: frame.function = value.string(); break;
        case Key::Filename: frame.file = value.string(); break;
        case Key::Line:
            frame.line = static_cast<std::int32_t>(std::clamp<std::int64_t>(
                toInteger(value).value_or(0), 0, std::numeric_limits<std::int32_t>::max()));
            break;
        case Key::OriginalTrace:
            if (value.isString() && m_originalTraces.read(value.string()))
                originalTrace = value.string();
            else
                addDetail(details, fields[i], value);
            break;
        default: addDetail(details, fields[i], value); break;
        }
    }
    frame.kind = guessFrameKind(m_builder.strings().view(frame.file), frame.line);
    frame.details = finishDetails(details);
    const FrameId id = m_builder.stacks().internFrame(frame);
    if (!originalTrace.isNone())
        m_originalTraces.assign(id, originalTrace);
    return Value::object(code(ObjectType::Frame), id.value());
}

Value SnapshotRecords::makeBlock(Fields fields)
{
    Block block;
    block.address = kMissingAddress;
    Bytes requested = -1;
    const HistoryEntry* currentOccupant = nullptr;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const Value& value = fields[i + 1];
        switch (keyOf(fields[i])) {
        case Key::AddressField: block.address = toAddress(value).value_or(kMissingAddress); break;
        case Key::Size: block.size = checkedSize(value); break;
        case Key::RequestedSize: requested = checkedSize(value); break;
        case Key::State: block.state = stateOf(value); break;
        case Key::Frames: block.stack = stackOf(value); break;
        case Key::History:
            if (is(value, ObjectType::HistoryList)) {
                // Entry 0 describes the current occupant; later entries are left from earlier occupants.
                const std::vector<RowRange>& rows = m_store.rows(value.index);
                currentOccupant = &m_history[rows[0].first];
                for (const RowRange& range : rows)
                    block.historyEntries += range.size();
            }
            break;
        default:
            report(Severity::Info, "unknown-block-field", "blocks have unknown fields, which are ignored");
            break;
        }
    }
    if (currentOccupant && block.stack.isNone())
        block.stack = currentOccupant->stack;
    block.requestedSize = requested >= 0 ? requested
        : currentOccupant                ? currentOccupant->realSize
                                         : block.size;
    return Value::object(code(ObjectType::BlockRow), m_builder.addBlock(block));
}

Value SnapshotRecords::makeSegment(Fields fields, std::uint64_t keys)
{
    Segment segment;
    Value blocks;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const Value& value = fields[i + 1];
        switch (keyOf(fields[i])) {
        case Key::Device: segment.deviceOrdinal = checkedDevice(value); break;
        case Key::AddressField: segment.address = checkedAddress(value); break;
        case Key::TotalSize: segment.totalSize = checkedSize(value); break;
        case Key::AllocatedSize: segment.allocatedSize = toSize(value).value_or(-1); break;
        case Key::ActiveSize: segment.activeSize = toSize(value).value_or(-1); break;
        case Key::RequestedSize: segment.requestedSize = toSize(value).value_or(-1); break;
        case Key::Stream: segment.stream = m_builder.stream(value.isInt() ? value.integer : 0); break;
        case Key::SegmentType:
            segment.type = isText(value, Key::Small) ? SegmentType::Small
                : isText(value, Key::Large)          ? SegmentType::Large
                                                     : SegmentType::Unknown;
            break;
        case Key::SegmentPoolId: segment.pool = poolOf(value); break;
        case Key::IsExpandable: segment.expandable = isTruthy(value, m_store, m_builder.pools()); break;
        case Key::Frames: segment.stack = stackOf(value); break;
        case Key::Blocks: blocks = value; break;
        default:
            report(
                Severity::Info, "unknown-segment-field", "segments have unknown fields, which are ignored");
            break;
        }
    }
    segment.blocks = blocksOf(blocks, segment.address);
    checkSegment(segment, keys);
    m_segments.push_back(segment);
    return Value::object(code(ObjectType::SegmentRow), static_cast<std::uint32_t>(m_segments.size() - 1));
}

bool SnapshotRecords::isLocatedSegment(Fields fields)
{
    const std::uint64_t keys = keysOf(fields);
    return hasKeys(keys, bit(Key::Device) | bit(Key::AddressField))
        && (keys & (bit(Key::TotalSize) | bit(Key::Blocks))) != 0 && !hasKeys(keys, bit(Key::State));
}

RowRange SnapshotRecords::blocksOf(const Value& value, Address segmentAddress)
{
    if (!is(value, ObjectType::BlockList))
        return {};
    const std::vector<RowRange>& ranges = m_store.rows(value.index);
    RowRange rows = ranges[0];
    if (ranges.size() > 1) { // a segment's rows are consecutive, so scattered ones are copied
        rows = {m_builder.blockCount(), m_builder.blockCount()};
        for (const RowRange& range : ranges)
            for (std::uint32_t row = range.first; row < range.last; ++row)
                rows.last = m_builder.addBlock(m_builder.block(row)) + 1;
    }
    Address nextAddress = segmentAddress; // before PyTorch 2.1 blocks have no address
    for (std::uint32_t row = rows.first; row < rows.last; ++row) {
        Block block = m_builder.block(row);
        if (block.address == kMissingAddress) {
            block.address = nextAddress;
            m_builder.setBlock(row, block);
        }
        nextAddress += static_cast<Address>(block.size);
    }
    return rows;
}

Value SnapshotRecords::makeAnnotation(Fields fields)
{
    AnnotationMark mark;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const Value& value = fields[i + 1];
        switch (keyOf(fields[i])) {
        case Key::Name: mark.name = value.string(); break;
        case Key::Stage: mark.isStart = !isText(value, Key::End); break;
        case Key::Device: mark.deviceOrdinal = checkedDevice(value); break;
        case Key::TimeUs: mark.time = timeOf(value); break;
        default: break;
        }
    }
    m_annotations.push_back(mark);
    return Value::object(
        code(ObjectType::AnnotationRow), static_cast<std::uint32_t>(m_annotations.size() - 1));
}

Value SnapshotRecords::makeHistory(Fields fields)
{
    HistoryEntry entry;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        if (keyOf(fields[i]) == Key::RealSize)
            entry.realSize = checkedSize(fields[i + 1]);
        else if (keyOf(fields[i]) == Key::Frames)
            entry.stack = stackOf(fields[i + 1]);
    }
    m_history.push_back(entry);
    return Value::object(code(ObjectType::HistoryRow), static_cast<std::uint32_t>(m_history.size() - 1));
}

Action SnapshotRecords::actionOf(const Value& value)
{
    if (!value.isString())
        return m_builder.action("(no name)");
    if (value.index >= m_actionOfString.size())
        m_actionOfString.resize(value.index + 1, -1);
    std::int16_t& cachedAction = m_actionOfString[value.index];
    if (cachedAction < 0)
        cachedAction = static_cast<std::int16_t>(m_builder.action(m_builder.strings().view(value.string())));
    return static_cast<Action>(cachedAction);
}

StackId SnapshotRecords::stackOf(const Value& value)
{
    if (is(value, ObjectType::Stack))
        return StackId(value.index);
    if (is(value, ObjectType::EmptyList))
        return StackTable::kEmpty;
    if (value.kind != Value::Kind::None)
        report(Severity::Warning, "frames-not-a-stack", "frames that are not a list are ignored");
    return StackId();
}

PoolId SnapshotRecords::poolOf(const Value& value)
{
    return is(value, ObjectType::Pool) ? PoolId(value.index) : PoolId();
}

BlockState SnapshotRecords::stateOf(const Value& value)
{
    if (isText(value, Key::ActiveAllocated))
        return BlockState::Active;
    if (isText(value, Key::ActivePendingFree) || isText(value, Key::ActiveAwaitingFree))
        return BlockState::PendingFree;
    if (!isText(value, Key::Inactive)) {
        report(Severity::Warning, "unknown-block-state", "a block has an unknown state; it counts as in use");
        return BlockState::Active;
    }
    return BlockState::Inactive;
}

void SnapshotRecords::addDetail(std::string& details, const Value& key, const Value& value) const
{
    details += (details.empty() ? "{" : ", ") + text().json(key, kMaxDetailBytes) + ": "
        + text().json(value, kMaxDetailBytes);
}

StringId SnapshotRecords::finishDetails(std::string& details)
{
    if (details.empty())
        return StringId();
    details += '}';
    return m_builder.strings().intern(details);
}

void SnapshotRecords::report(Severity severity, std::string_view code, std::string_view message)
{
    m_builder.log().add(
        severity, code, message, m_placeProvider ? std::optional<Place>(m_placeProvider()) : std::nullopt);
}

std::size_t SnapshotRecords::memoryBytes() const
{
    return m_segments.size() * sizeof(Segment) + m_annotations.size() * sizeof(AnnotationMark)
        + m_history.size() * sizeof(HistoryEntry) + m_actionOfString.size() * sizeof(std::int16_t)
        + m_originalTraces.memoryBytes();
}

} // namespace highwater
