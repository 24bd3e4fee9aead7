#include "importers/log/failure_groups.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>

namespace highwater::logs {

namespace {

/// Most lines between a message and its copies, which launchers print. An equal message further on is another
/// failure.
constexpr std::uint64_t kMaxLinesBetweenCopies = 20'000;
/// Most lines between two messages about one failure, such as a traceback or the kernel's table of processes.
constexpr std::uint64_t kMaxLinesBetweenParts = 30;
/// Most lines between two messages of one pattern in the same step.
constexpr std::uint64_t kMaxLinesBetweenRepeats = 400;
/// Most lines between two messages about the host's memory.
constexpr std::uint64_t kMaxLinesBetweenHostParts = 1000;
constexpr std::size_t kMaxOpenFailures = 32; ///< only the latest failures can get further parts

using Amount = std::optional<WrittenBytes> OomFigures::*;
constexpr Amount kAllAmounts[] = {&OomFigures::requested, &OomFigures::capacity, &OomFigures::free,
    &OomFigures::allowed, &OomFigures::processUsed, &OomFigures::allocated, &OomFigures::privatePools,
    &OomFigures::reservedUnallocated, &OomFigures::reserved, &OomFigures::outside, &OomFigures::largestFree,
    &OomFigures::largestAllowed, &OomFigures::needed};

/// A failure that later messages may be about.
struct OpenFailure
{
    std::int64_t number = 0;
    std::size_t lastMessage = 0; ///< index of the failure's latest message
    std::size_t mainMessage = 0; ///< index of the message that holds the failure's figures
};

/// True if both are known and not equal.
template <typename T>
bool differ(const std::optional<T>& a, const std::optional<T>& b)
{
    return a && b && *a != *b;
}

/// True if both can be of one writer: a rank or process that is not known fits any.
bool haveSameWriter(const CollectedMessage& a, const CollectedMessage& b)
{
    return a.writer.start == b.writer.start && !differ(a.event.rank, b.event.rank)
        && (a.event.process.empty() || b.event.process.empty() || a.event.process == b.event.process);
}

bool isOfHost(const LogEvent& event)
{
    return event.subject == LogEvent::Subject::Host || event.subject == LogEvent::Subject::SharedMemory;
}

/// True if both messages may be about the same memory.
bool shareSubject(const LogEvent& a, const LogEvent& b)
{
    return a.subject == LogEvent::Subject::Unknown || b.subject == LogEvent::Subject::Unknown
        || isOfHost(a) == isOfHost(b);
}

/// True if the messages name different owners, devices or requests.
bool contradict(const LogEvent& a, const LogEvent& b)
{
    if (a.speaker == b.speaker && !a.subjectId.empty() && !b.subjectId.empty() && a.subjectId != b.subjectId)
        return true;
    if (!a.figures || !b.figures)
        return false;
    const std::optional<WrittenBytes>& requestedA = a.figures->requested;
    const std::optional<WrittenBytes>& requestedB = b.figures->requested;
    return differ(a.figures->device, b.figures->device)
        || (requestedA && requestedB
            && std::abs(requestedA->bytes - requestedB->bytes) > requestedA->rounding + requestedB->rounding);
}

/// True for an allocator's message. Such a message is complete, so another clear message about the same
/// failure can only be a copy.
bool isCompleteByItself(const LogEvent& event)
{
    return event.kind == LogEvent::Kind::Oom && event.speaker.empty();
}

/// True if the message is about the same failure as the earlier message `failure`, and not a copy of it.
bool isPartOf(const CollectedMessage& failure, const CollectedMessage& message)
{
    const LogEvent& a = failure.event;
    const LogEvent& b = message.event;
    const bool isVague = a.kind == LogEvent::Kind::Unclear || b.kind == LogEvent::Kind::Unclear;
    if (!isVague && (isCompleteByItself(a) || isCompleteByItself(b) || a.kind != b.kind))
        return false;
    if (!haveSameWriter(failure, message) || !shareSubject(a, b) || contradict(a, b))
        return false;
    const std::uint64_t maxLines = isOfHost(a) && isOfHost(b) ? kMaxLinesBetweenHostParts
        : a.pattern == b.pattern && a.step == b.step          ? kMaxLinesBetweenRepeats
                                                              : kMaxLinesBetweenParts;
    return b.line - a.line <= maxLines;
}

/// Finds copies of allocators' messages by their content.
class CopyFinder
{
public:
    /// Returns the failure of which the message is a copy; nothing if it is none.
    std::optional<std::int64_t> find(const CollectedMessage& message)
    {
        std::vector<KnownMessage>& knownMessages = m_byContent[message.content];
        const auto copy = std::ranges::find_if(knownMessages, [&](const KnownMessage& known) {
            return !differ(known.rank, message.event.rank) && known.step == message.event.step
                && known.start == message.writer.start
                && message.event.line - known.line < kMaxLinesBetweenCopies;
        });
        if (copy == knownMessages.end())
            return std::nullopt;
        copy->line = message.event.line;
        return copy->failure;
    }
    void add(const CollectedMessage& message)
    {
        constexpr std::size_t kMaxKnown = 64; // only the latest messages can have copies
        std::vector<KnownMessage>& knownMessages = m_byContent[message.content];
        if (knownMessages.size() >= kMaxKnown)
            knownMessages.erase(knownMessages.begin());
        knownMessages.push_back({message.event.failure, message.event.line, message.event.rank,
            message.event.step, message.writer.start});
    }

private:
    struct KnownMessage
    {
        std::int64_t failure;
        std::uint64_t line;
        std::optional<std::int64_t> rank;
        std::int64_t step;
        std::uint32_t start;
    };
    std::map<std::string_view, std::vector<KnownMessage>> m_byContent;
};

/// Makes the message a part of the failure and adds its figures to the failure's main message.
void addToFailure(std::vector<CollectedMessage>& messages, OpenFailure& failure, std::size_t index)
{
    LogEvent& event = messages[index].event;
    event.failure = failure.number;
    failure.lastMessage = index;
    LogEvent& mainEvent = messages[failure.mainMessage].event;
    const bool isClearer = mainEvent.kind == LogEvent::Kind::Unclear && event.kind != LogEvent::Kind::Unclear;
    LogEvent& clearer = isClearer ? event : mainEvent;
    const LogEvent& vaguer = isClearer ? mainEvent : event;
    addMissingFigures(vaguer, clearer);
    if (!clearer.rank)
        clearer.rank = vaguer.rank;
    if (clearer.frames.empty())
        clearer.frames = vaguer.frames;
    if (isClearer)
        failure.mainMessage = index;
}

} // namespace

void addMissingFigures(const LogEvent& source, LogEvent& target)
{
    if (!source.figures)
        return;
    if (!target.figures)
        target.figures.emplace().wording = source.figures->wording;
    for (const Amount amount : kAllAmounts)
        if (!(*target.figures.*amount))
            *target.figures.*amount = *source.figures.*amount;
    if (!target.figures->device)
        target.figures->device = source.figures->device;
    if (target.figures->deviceKind.empty())
        target.figures->deviceKind = source.figures->deviceKind;
    if (target.figures->backend.empty())
        target.figures->backend = source.figures->backend;
}

void unifyOutcomes(std::vector<CollectedMessage>& messages)
{
    std::map<std::int64_t, std::optional<bool>> ends; // by failure
    for (const CollectedMessage& message : messages)
        if (std::optional<bool>& known = ends[message.event.failure]; message.event.fatal && known != true)
            known = message.event.fatal;
    for (CollectedMessage& message : messages)
        if (message.event.failure >= 0)
            message.event.fatal = ends[message.event.failure];
}

void groupFailures(std::vector<CollectedMessage>& messages)
{
    CopyFinder copies;
    std::deque<OpenFailure> open;
    std::int64_t failureCount = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        CollectedMessage& message = messages[i];
        if (!message.event.isMemoryFailure())
            continue;
        if (!message.content.empty())
            if (const std::optional<std::int64_t> original = copies.find(message)) {
                message.event.failure = *original;
                continue;
            }
        const auto part = std::find_if(open.rbegin(), open.rend(),
            [&](const OpenFailure& failure) { return isPartOf(messages[failure.lastMessage], message); });
        if (part != open.rend()) {
            addToFailure(messages, *part, i);
        } else {
            message.event.failure = failureCount++;
            open.push_back({message.event.failure, i, i});
            if (open.size() > kMaxOpenFailures)
                open.pop_front();
        }
        if (!message.content.empty())
            copies.add(message);
    }
}

} // namespace highwater::logs
