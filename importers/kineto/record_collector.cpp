#include "importers/kineto/record_collector.h"

#include <algorithm>
#include <array>

#include "importers/kineto/json_tokens.h"

namespace highwater::kineto {

namespace {

/// True if the token, which begins with a quote, has this phase.
bool isPhase(std::string_view token, char phase)
{
    return token.size() > 1 && token[1] == phase;
}

bool isStepName(std::string_view name)
{
    return name.starts_with("ProfilerStep#");
}

/// Recognizes an annotation by its name: traces of 2021 give annotations the category of operators.
bool isAnnotationName(std::string_view name)
{
    return isStepName(name) || name.starts_with("Optimizer.step#")
        || name.starts_with("Optimizer.zero_grad#");
}

/// Returns nothing for events that are no slice of a host thread.
std::optional<SliceKind> sliceKindOf(std::string_view category, std::string_view process)
{
    if (category == "cpu_op" || category == "Operator")
        return SliceKind::Operator;
    if (category == "user_annotation")
        return SliceKind::Annotation;
    if (category == "python_function")
        return SliceKind::PythonFrame;
    if (category.empty() && process == "CPU functions") // written by the autograd profiler itself
        return SliceKind::Operator;
    return std::nullopt;
}

/// Returns the kind of work of a category, by its name of 2021 or of today.
std::optional<ActivityKind> activityOf(std::string_view category)
{
    if (category == "kernel" || category == "Kernel")
        return ActivityKind::Kernel;
    if (category == "gpu_memcpy" || category == "Memcpy")
        return ActivityKind::Copy;
    if (category == "gpu_memset" || category == "Memset")
        return ActivityKind::Set;
    if (category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime")
        return ActivityKind::RuntimeCall;
    return std::nullopt;
}

/// Returns the number in "7" or "stream 7"; 0 if there is none.
std::int64_t laneOf(std::string_view thread)
{
    const std::size_t digits = thread.find_first_of("0123456789");
    return digits == std::string_view::npos ? 0 : wholeNumberOf(thread.substr(digits)).value_or(0);
}

bool isPlausible(Bytes bytes)
{
    return bytes <= kLargestStoredSize && bytes >= -kLargestStoredSize;
}

/// Returns the reported total if it is plausible.
std::optional<Bytes> totalOf(std::string_view token)
{
    const std::optional<Bytes> total = token.empty() ? std::nullopt : wholeNumberOf(token);
    return total && *total >= 0 && *total <= kLargestStoredSize ? total : std::nullopt;
}

} // namespace

void Records::truncate(const RecordCount& numbers)
{
    instants.resizeForOverwrite(numbers.instantCount);
    slices.resizeForOverwrite(numbers.sliceCount);
    activities.truncate(numbers.activityCount);
    unreadableEventCount = numbers.unreadableEventCount;
    if (unreadableEventCount == 0)
        firstUnreadable.reset();
}

std::int64_t Records::operatorCount() const
{
    return std::ranges::count_if(
        slices, [](const Slice& slice) { return slice.kind == SliceKind::Operator; });
}

bool RecordCollector::mayBeNeeded(const EventTokens& event) const
{
    if (event.phase.empty() || isPhase(event.phase, 'i'))
        return true;
    if (!isPhase(event.phase, 'X'))
        return false;
    if (event.category.size() < 3 || m_takesActivities)
        return true;
    // First letters of cpu_op, Operator, user_annotation, python_function.
    const char first = event.category[1];
    const char second = event.category[2];
    return (first == 'c' && second == 'p') || first == 'O' || first == 'u' || first == 'p';
}

bool RecordCollector::needsArguments(const EventTokens& event)
{
    if (event.phase.empty() || event.name.empty())
        return true;
    if (isPhase(event.phase, 'i'))
        return event.name.starts_with("\"[memory]") || event.name.starts_with("\"[OutOfMemory]");
    return isPhase(event.phase, 'X')
        && (event.category.starts_with("\"Operator") || event.category.starts_with("\"gpu_mem")
            || event.category.starts_with("\"Mem"));
}

void RecordCollector::countUnreadable(std::uint64_t offset)
{
    if (m_records.unreadableEventCount++ == 0)
        m_records.firstUnreadable = Place::byte(offset);
}

StringId RecordCollector::intern(std::string_view text)
{
    if (text.find('\\') != std::string_view::npos)
        return m_strings.intern(unescaped(text));
    return m_strings.intern(text);
}

std::uint32_t RecordCollector::threadOf(const EventTokens& event)
{
    const std::string_view process = textOf(event.process);
    const std::string_view thread = textOf(event.thread);
    const std::size_t length = process.size() + 1 + thread.size();
    if (m_lastThread.size() == length && m_lastThread.ends_with(thread) && m_lastThread.starts_with(process))
        return m_lastThreadIndex;
    m_lastThread.assign(process).append("/").append(thread);
    m_lastThreadIndex
        = m_threads.try_emplace(m_lastThread, static_cast<std::uint32_t>(m_threads.size())).first->second;
    return m_lastThreadIndex;
}

void RecordCollector::take(const EventTokens& event, std::uint64_t offset)
{
    const std::string_view name = textOf(event.name);
    if (isPhase(event.phase, 'i') && (name == "[memory]" || name == "[OutOfMemory]"))
        takeInstant(event, name, offset);
    else if (isPhase(event.phase, 'X'))
        takeSlice(event, name, offset);
}

void RecordCollector::takeInstant(const EventTokens& event, std::string_view name, std::uint64_t offset)
{
    const std::optional<Nanoseconds> time = nanosecondsFromMicroseconds(event.time);
    const std::optional<Bytes> bytes = wholeNumberOf(event.bytes);
    MemoryInstant instant;
    instant.outOfMemory = name == "[OutOfMemory]";
    // A failed request can have any size: it is shown, but never added up.
    if (!time || !bytes || (!isPlausible(*bytes) && !instant.outOfMemory))
        return countUnreadable(offset);
    instant.time = *time;
    instant.bytes = *bytes;
    instant.index = wholeNumberOf(event.index).value_or(0);
    instant.deviceType = wholeNumberOf(event.deviceType).value_or(0);
    instant.deviceId = wholeNumberOf(event.deviceId).value_or(Device::kNoOrdinal);
    if (const std::optional<std::int64_t> address = wholeNumberOf(event.address))
        instant.address = static_cast<Address>(*address);
    instant.totalAllocated = totalOf(event.totalAllocated);
    instant.totalReserved = totalOf(event.totalReserved);
    instant.thread = threadOf(event);
    m_records.instants.push_back(instant);
}

void RecordCollector::takeSlice(const EventTokens& event, std::string_view name, std::uint64_t offset)
{
    std::optional<SliceKind> kind = sliceKindOf(textOf(event.category), textOf(event.process));
    if (!kind && m_takesActivities)
        if (const std::optional<ActivityKind> activity = activityOf(textOf(event.category)))
            takeActivity(*activity, event, name, offset);
    if (!kind)
        return;
    const std::optional<Nanoseconds> time = nanosecondsFromMicroseconds(event.time);
    if (!time)
        return countUnreadable(offset);
    if (*kind == SliceKind::Operator && isAnnotationName(name))
        kind = SliceKind::Annotation;
    Slice slice;
    slice.begin = *time;
    slice.end = *time + std::max<Nanoseconds>(nanosecondsFromMicroseconds(event.duration).value_or(0), 0);
    slice.name = intern(name);
    slice.thread = threadOf(event);
    slice.kind = *kind;
    slice.isStep = *kind == SliceKind::Annotation && isStepName(name);
    if (const std::string_view calls = textOf(event.callStack); !calls.empty())
        slice.callStack = intern(calls);
    m_records.slices.push_back(slice);
}

void RecordCollector::takeActivity(
    ActivityKind kind, const EventTokens& event, std::string_view name, std::uint64_t offset)
{
    const std::optional<Nanoseconds> time = nanosecondsFromMicroseconds(event.time);
    if (!time)
        return countUnreadable(offset);
    Activity activity;
    activity.kind = kind;
    activity.name = intern(name);
    activity.begin = *time;
    activity.end = *time + std::max<Nanoseconds>(nanosecondsFromMicroseconds(event.duration).value_or(0), 0);
    activity.lane = laneOf(textOf(event.thread));
    if (kind != ActivityKind::RuntimeCall)
        activity.device
            = static_cast<std::int32_t>(std::clamp<std::int64_t>(laneOf(textOf(event.process)), 0, 1 << 20));
    activity.bytes = std::max<Bytes>(wholeNumberOf(event.movedBytes).value_or(0), 0);
    m_records.activities.push(activity);
}

void RecordCollector::addProducerEntry(std::string name, std::string_view token)
{
    m_records.producer.emplace_back(std::move(name), unescaped(textOf(token)));
}

void RecordCollector::takeEntry(std::string_view key, std::string_view token)
{
    static constexpr std::array<std::string_view, 9> known
        = {"schemaVersion", "profile_memory", "with_stack", "record_shapes", "with_modules", "with_flops",
            "cupti_version", "cuda_runtime_version", "cuda_driver_version"};
    if (key == "baseTimeNanoseconds")
        m_baseTime = wholeNumberOf(token).value_or(0);
    else if (std::ranges::find(known, key) != known.end())
        addProducerEntry(std::string(key), token);
}

void RecordCollector::takeRankEntry(std::string_view key, std::string_view token)
{
    if (key == "rank" || key == "world_size" || key == "backend")
        addProducerEntry(std::string(key), token);
}

void RecordCollector::finish()
{
    for (MemoryInstant& instant : m_records.instants)
        instant.time += m_baseTime;
    for (Slice& slice : m_records.slices) {
        slice.begin += m_baseTime;
        slice.end += m_baseTime;
    }
    for (Nanoseconds& begin : m_records.activities.begin)
        begin += m_baseTime;
    for (Nanoseconds& end : m_records.activities.end)
        end += m_baseTime;
}

} // namespace highwater::kineto
