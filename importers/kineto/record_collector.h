#pragma once

#include <string>
#include <string_view>

#include <tsl/robin_map.h>

#include "importers/kineto/records.h"

namespace highwater::kineto {

/// The needed fields of one event, as tokens of the JSON text. A missing field is empty.
struct EventTokens
{
    std::string_view phase;
    std::string_view category;
    std::string_view name;
    std::string_view process;
    std::string_view thread;
    std::string_view time;
    std::string_view duration;
    // Fields of `args`:
    std::string_view bytes;
    std::string_view movedBytes; ///< bytes that a copy moved
    std::string_view address;
    std::string_view deviceType;
    std::string_view deviceId;
    std::string_view totalAllocated;
    std::string_view totalReserved;
    std::string_view index;
    std::string_view callStack;
};

/// Turns the tokens of events into records.
class RecordCollector
{
public:
    /// `activities` also keeps kernels, copies, memsets and runtime calls.
    RecordCollector(StringPool& strings, Records& records, bool activities)
        : m_strings(strings)
        , m_records(records)
        , m_takesActivities(activities)
    {
    }

    /// Returns false if the fields read so far show that the event is not needed.
    bool mayBeNeeded(const EventTokens& event) const;
    /// True if the `args` of an event with these fields may be needed.
    static bool needsArguments(const EventTokens& event);

    /// Adds the record of an event, if its kind is needed. Counts it as unreadable if it has no usable time
    /// or size; `offset` is its position in the text.
    void take(const EventTokens& event, std::uint64_t offset);
    void countUnreadable(std::uint64_t offset);

    /// Takes a top-level entry whose value is a number or a text. Only known entries are kept.
    void takeEntry(std::string_view key, std::string_view token);
    /// Takes an entry of `distributedInfo`. Only known entries are kept.
    void takeRankEntry(std::string_view key, std::string_view token);
    void takeGpu(std::int64_t id, Gpu gpu) { m_records.gpus.insert_or_assign(id, std::move(gpu)); }

    /// Adds the base time of the trace to all times. Call it once, after the last event.
    void finish();

private:
    void takeInstant(const EventTokens& event, std::string_view name, std::uint64_t offset);
    void takeSlice(const EventTokens& event, std::string_view name, std::uint64_t offset);
    void takeActivity(
        ActivityKind kind, const EventTokens& event, std::string_view name, std::uint64_t offset);
    StringId intern(std::string_view text);
    std::uint32_t threadOf(const EventTokens& event);
    void addProducerEntry(std::string name, std::string_view token);

    StringPool& m_strings;
    Records& m_records;
    bool m_takesActivities;
    tsl::robin_map<std::string, std::uint32_t> m_threads;
    std::string m_lastThread;
    std::uint32_t m_lastThreadIndex = 0;
    Nanoseconds m_baseTime = 0;
};

} // namespace highwater::kineto
