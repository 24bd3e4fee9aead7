#include "importers/wandb/wandb_records.h"

#include <algorithm>

#include "importers/protobuf/wire_reader.h"

namespace highwater::wandb {

namespace {

using protobuf::Field;
using protobuf::WireReader;

constexpr std::size_t kMaxItems = 100'000;
constexpr std::size_t kLongestKey = 1000;
constexpr Nanoseconds kSecond = 1'000'000'000;

// Field numbers in wandb_internal.proto.
enum RecordField : std::uint32_t
{
    kHistory = 2,
    kOutput = 4,
    kStats = 7,
    kOutputRaw = 13,
    kRequest = 100,
    kPartialHistory = 10 ///< in the request
};
enum ItemField : std::uint32_t
{
    kKey = 1,
    kNestedKey = 2,
    kValueJson = 16
};

/// Reads a message { 1: key, 2: parts of a nested key, 16: JSON }; joins the parts with "/".
void readItem(std::string_view message, RunRecord& record)
{
    WireReader reader(message);
    Field field;
    std::string key;
    std::string_view value;
    while (reader.next(field)) {
        if (field.number == kKey || field.number == kNestedKey) {
            key += key.empty() ? "" : "/";
            key += field.content.substr(0, kLongestKey);
            key.resize(std::min(key.size(), kLongestKey));
        } else if (field.number == kValueJson) {
            value = field.content;
        }
    }
    if (!key.empty() && record.items.size() < kMaxItems)
        record.items.emplace_back(std::move(key), value);
}

/// Reads a message { 1: seconds, 2: nanoseconds }, since the Unix epoch. Returns 0 (unknown) for a time
/// before 1970 or after 2191.
Nanoseconds readTimestamp(std::string_view message)
{
    WireReader reader(message);
    Field field;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    while (reader.next(field))
        (field.number == 1 ? seconds : nanoseconds) = field.asInteger();
    constexpr std::int64_t kLatest = 7'000'000'000;
    return seconds > 0 && seconds < kLatest ? seconds * kSecond + nanoseconds % kSecond : 0;
}

/// Reads a message { 1: step }.
std::optional<std::int64_t> readStep(std::string_view message)
{
    WireReader reader(message);
    Field field;
    std::optional<std::int64_t> step;
    while (reader.next(field))
        if (field.number == 1 && field.kind == Field::Kind::Varint)
            step = field.asInteger();
    return step;
}

/// Reads a message { 1: items, 2: { 1: step } }.
void readHistory(std::string_view message, RunRecord& record)
{
    record.kind = RunRecord::Kind::History;
    WireReader reader(message);
    Field field;
    while (reader.next(field)) {
        if (field.number == 1)
            readItem(field.content, record);
        else if (field.number == 2)
            record.step = readStep(field.content);
    }
}

/// Reads system statistics { 1: type, 2: time, 3: items } or console text { 1: stream, 2: time, 3: line }.
void readTimed(std::string_view message, RunRecord::Kind kind, RunRecord& record)
{
    record.kind = kind;
    WireReader reader(message);
    Field field;
    while (reader.next(field)) {
        if (field.number == 2)
            record.time = readTimestamp(field.content);
        else if (field.number == 3 && kind == RunRecord::Kind::Console)
            record.text = field.content;
        else if (field.number == 3)
            readItem(field.content, record);
    }
}

} // namespace

RunRecord decodeRecord(std::string_view message)
{
    WireReader reader(message);
    Field field;
    RunRecord record;
    while (reader.next(field)) {
        if (field.kind != Field::Kind::Bytes)
            continue;
        if (field.number == kHistory)
            readHistory(field.content, record);
        else if (field.number == kStats)
            readTimed(field.content, RunRecord::Kind::Stats, record);
        else if (field.number == kOutput || field.number == kOutputRaw)
            readTimed(field.content, RunRecord::Kind::Console, record);
        else if (field.number == kRequest) {
            WireReader request(field.content);
            Field part;
            while (request.next(part))
                if (part.number == kPartialHistory && part.kind == Field::Kind::Bytes)
                    readHistory(part.content, record);
        }
    }
    return record;
}

} // namespace highwater::wandb
