#include "core/analysis/allocator/script_reader.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/allocator/script_player.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// More memory than any device has.
constexpr Address kWidestSpace = Address{1} << 44;

/// Reads the events in order and writes the steps. In the trace, the event of a call comes after the late
/// frees, released segments and new segments of the same call.
class ScriptWriter
{
public:
    ScriptWriter(AllocationScript& script, const PendingFrees& pending)
        : m_script(script)
        , m_trace(*script.trace)
        , m_device(script.allocations->device())
        , m_nextBorn(static_cast<AllocationIndex>(script.allocations->olderCount()))
        , m_reserved(script.reserved.front().bytes)
    {
        collectRequests(pending);
    }

    std::vector<AmbiguousRelease> write()
    {
        const std::int64_t eventCount = m_script.allocations->eventCount();
        requestFrees(AllocationTable::kBeforeTrace);
        beginCall();
        InterruptionCounter interruption;
        for (std::int64_t event = 0; event < eventCount; ++event) {
            interruption.round();
            readEvent(event);
        }
        endCall(false);
        return std::move(m_ambiguous);
    }

private:
    struct Request
    {
        std::int64_t event;
        AllocationIndex allocation;
    };

    /// Summary of the events that precede the event of a call.
    struct CallSummary
    {
        Bytes reservedBefore = 0;
        Bytes receivedBytes = 0; ///< bytes received from the driver
        std::int64_t lastRelease = -1; ///< −1 if nothing was returned to the driver
        Bytes smallestRelease = DriverFacts::kNoLimit;
        std::size_t firstStep = 0; ///< index of the first late free
    };

    std::size_t row(std::int64_t event) const { return m_trace.row(m_device, event); }
    Action actionOf(std::int64_t event) const { return m_trace.events.action[row(event)]; }

    /// Collects the requests to free that do not complete at once. If a free completes in the trace but was
    /// not requested there, it was requested before the trace, unless the trace records no requests to free
    /// at all.
    void collectRequests(const PendingFrees& pending)
    {
        const AllocationTable& allocations = *m_script.allocations;
        bool hasRequests = false;
        for (std::int64_t event = 0; event < allocations.eventCount() && !hasRequests; ++event)
            hasRequests = actionOf(event) == Action::FreeRequested;
        InterruptionCounter interruption;
        for (AllocationIndex i = 0; i < allocations.size(); ++i) {
            interruption.round();
            const std::int32_t death = allocations.death(i);
            const std::int64_t event = pending.requestOf(i);
            const bool isRequested = event != PendingFrees::kNotRequested;
            const bool wasRequestedBefore = !isRequested && hasRequests && i < allocations.olderCount()
                && death != AllocationTable::kNeverFreed && actionOf(death) == Action::FreeCompleted;
            if (wasRequestedBefore)
                m_requests.push_back({AllocationTable::kBeforeTrace, i});
            else if (isRequested && event + 1 != death)
                m_requests.push_back({event, i});
        }
        std::ranges::stable_sort(m_requests, {}, &Request::event);
    }

    void readEvent(std::int64_t event)
    {
        const Action action = actionOf(event);
        if (isReservingAction(action) || isReleasingAction(action))
            changeSegments(event, action);
        else if (isAllocationAction(action))
            allocate(event);
        else if (action == Action::Oom)
            failRequest(event);
        else if (action == Action::FreeRequested)
            requestFree(event);
        else if (isFreeAction(action))
            free(event, action);
    }

    void changeSegments(std::int64_t event, Action action)
    {
        const Bytes size = m_trace.events.size[row(event)];
        if (isReservingAction(action)) {
            m_script.segments.push_back({event, {m_trace.events.address[row(event)], size}});
            m_reserved += size;
            m_call.receivedBytes += size;
            return;
        }
        m_reserved -= size;
        m_call.lastRelease = event;
        m_call.smallestRelease = std::min(m_call.smallestRelease, size);
        // Segments of at least max_split_size can be returned to the driver while their pool is in use.
        const PoolId pool = privatePool(m_trace, rangeOfEvent(m_trace, m_device, event).pool);
        if (!pool.isNone() && size < m_script.settings.maxSplitSize)
            m_script.releasedPools.push_back({event, pool});
    }

    void allocate(std::int64_t event)
    {
        const bool swapsMemory = m_call.lastRelease >= 0 && m_call.receivedBytes > 0;
        const bool didNotFit = swapsMemory && m_call.reservedBefore > m_script.limit - m_call.receivedBytes;
        // `empty_cache` returns all unused segments, including any block that was freed late and would have
        // served the request.
        const bool isOversized = swapsMemory && m_call.smallestRelease >= m_script.settings.maxSplitSize;
        const bool hasLateFrees = swapsMemory && m_script.steps.size() > m_call.firstStep;
        // Pages are mapped one by one, so their sum is not the amount that was refused.
        const bool isRefusal
            = swapsMemory && !m_script.settings.expandableSegments && isOfCall(m_call.lastRelease, event);
        endCall(false);
        if (didNotFit || isOversized || hasLateFrees || isRefusal)
            m_ambiguous.push_back({m_call.firstStep, m_script.steps.size(), didNotFit ? 0 : m_reserved,
                isRefusal && !didNotFit && !isOversized ? m_call.reservedBefore + m_call.receivedBytes : 0});
        add(event, ScriptAction::Allocate, m_nextBorn++);
        beginCall();
    }

    /// True if the release and the allocation were recorded in one call of the allocator; `empty_cache` has a
    /// stack of its own.
    bool isOfCall(std::int64_t release, std::int64_t allocation) const
    {
        const StackId stack = m_trace.events.stack[row(release)];
        return m_trace.stacks.hasFrames(stack) && stack == m_trace.events.stack[row(allocation)];
    }

    void failRequest(std::int64_t event)
    {
        endCall(true);
        const MemoryEvent recorded = m_trace.events.row(row(event));
        const Bytes recordedFree = recorded.deviceFreeBytes();
        const bool isPossible = recordedFree >= 0 && recordedFree < DriverFacts::kNoLimit;
        const Bytes deviceFree = isPossible ? recordedFree : 0;
        add(event, ScriptAction::OutOfMemory, static_cast<AllocationIndex>(m_script.failures.size()));
        // A flush waits for other streams only after the search for a block has failed.
        m_script.steps.moveLastTo(m_call.firstStep);
        m_script.failures.push_back({event, recorded.size, recorded.stream,
            privatePool(m_trace, recorded.pool), m_reserved + deviceFree});
        beginCall();
    }

    void requestFree(std::int64_t event)
    {
        endCall(false);
        requestFrees(event);
        beginCall();
    }

    void requestFrees(std::int64_t event)
    {
        for (; m_nextRequest < m_requests.size() && m_requests[m_nextRequest].event <= event; ++m_nextRequest)
            add(event, ScriptAction::RequestFree, m_requests[m_nextRequest].allocation);
    }

    void free(std::int64_t event, Action action)
    {
        const bool isOneCall = action == Action::Free
            || (event > 0 && actionOf(event - 1) == Action::FreeRequested
                && m_trace.events.address[row(event - 1)] == m_trace.events.address[row(event)]);
        if (isOneCall)
            endCall(false);
        if (const AllocationIndex freed = m_script.allocations->ofEvent(event);
            freed != AllocationTable::kNoAllocation)
            add(event, ScriptAction::Free, freed);
        if (isOneCall)
            beginCall();
    }

    void add(std::int64_t event, ScriptAction action, AllocationIndex allocation)
    {
        m_script.steps.push_back({static_cast<std::int32_t>(event), allocation, action});
    }

    void beginCall() { m_call = {m_reserved, 0, -1, DriverFacts::kNoLimit, m_script.steps.size()}; }

    void endCall(bool explainsReleases)
    {
        if (m_call.lastRelease >= 0 && !explainsReleases)
            add(m_call.lastRelease, ScriptAction::EmptyCache, AllocationTable::kNoAllocation);
    }

    AllocationScript& m_script;
    const Trace& m_trace;
    DeviceIndex m_device;
    AllocationIndex m_nextBorn;
    Bytes m_reserved;
    CallSummary m_call;
    std::vector<AmbiguousRelease> m_ambiguous;
    std::vector<Request> m_requests; ///< by event
    std::size_t m_nextRequest = 0;
};

/// Returns the size of the address space of an expandable segment; 0 if unknown. All have one size and
/// overlap no other segment, so it is taken for the smallest distance from the lowest mapped page of one to
/// the beginning of another segment. A distance below the recorded peak is no such size.
Bytes guessAddressSpace(const AllocationScript& script)
{
    std::vector<Address> begins;
    std::map<ServingKey, Address> lowest;
    const auto add = [&](const MappedRange& range) {
        if (!range.expandable)
            begins.push_back(range.begin);
        else if (const auto [entry, isNew]
                 = lowest.try_emplace(servingKey(*script.trace, range), range.begin);
                 !isNew)
            entry->second = std::min(entry->second, range.begin);
    };
    for (const SegmentAt& segment : script.start.segments)
        add(segment.range);
    for (const RecordedSegment& segment : script.segments)
        add(rangeOfEvent(*script.trace, script.allocations->device(), segment.event));
    for (const auto& [key, begin] : lowest)
        begins.push_back(begin);
    std::ranges::sort(begins);
    Address smallestDistance = 0;
    for (const auto& [key, begin] : lowest) {
        const auto next = std::ranges::upper_bound(begins, begin);
        if (next != begins.end() && (smallestDistance == 0 || *next - begin < smallestDistance))
            smallestDistance = *next - begin;
    }
    const Bytes page = script.settings.largeSegment;
    const bool isPlausible
        = smallestDistance >= static_cast<Address>(script.recordedPeak()) && smallestDistance < kWidestSpace;
    return isPlausible ? static_cast<Bytes>(smallestDistance) / page * page : 0;
}

/// Returns −1 if at least nine of ten segments begin below the previous one, 1 if as many begin above it,
/// else 0; also 0 for few segments and for expandable ones.
int findDirection(const AllocationScript& script)
{
    constexpr std::ptrdiff_t kFewestSteps = 4;
    std::ptrdiff_t stepCount = 0;
    std::ptrdiff_t riseCount = 0;
    for (std::size_t i = 1; i < script.segments.size(); ++i) {
        ++stepCount;
        riseCount += script.segments[i].memory.address > script.segments[i - 1].memory.address;
    }
    if (stepCount < kFewestSteps || script.settings.expandableSegments)
        return 0;
    return riseCount * 10 >= stepCount * 9 ? 1 : riseCount * 10 <= stepCount ? -1 : 0;
}

/// Bounds an unknown capacity, if the driver refused more than the recorded peak: it is less than the refused
/// total, and at least that peak, which becomes the limit.
void boundLimit(AllocationScript& script, std::vector<AmbiguousRelease>& ambiguous)
{
    for (const AmbiguousRelease& release : ambiguous)
        if (release.refusedBytes > 0)
            script.smallestRefusedBytes = std::min(script.smallestRefusedBytes, release.refusedBytes);
    if (script.hasLimit() || script.smallestRefusedBytes == DriverFacts::kNoLimit
        || script.recordedPeak() >= script.smallestRefusedBytes)
        return;
    script.limit = script.recordedPeak();
    script.isLeastLimit = true;
    for (AmbiguousRelease& release : ambiguous)
        if (release.refusedBytes > 0)
            release.limit = 0;
}

/// Returns the private pool of each allocation; empty if the trace has fewer than two pools.
std::vector<PoolId> listPrivatePools(const Trace& trace, const AllocationTable& allocations)
{
    std::vector<PoolId> pools(trace.pools.size() < 2 ? 0 : allocations.size());
    for (AllocationIndex i = 0; i < pools.size(); ++i)
        pools[i] = privatePool(trace, allocations.pool(i));
    return pools;
}

Result<void> checkReplayable(const Trace& trace, DeviceIndex index)
{
    const Device& device = trace.devices[index];
    if (device.eventsRead != Extent::Whole || device.segmentsRead != Extent::Whole)
        return fail(ErrorCode::BadRequest,
            device.words()
                + " cannot be replayed: the file is cut off, so the live memory at the start is unknown");
    if (!hasKnownRounding(device))
        return fail(ErrorCode::BadRequest,
            device.words() + " has no caching allocator to replay; only PyTorch memory snapshots record one");
    if (trace.eventCount(index) == 0)
        return fail(ErrorCode::BadRequest,
            device.words() + " has no events to replay; the file only has the state at its end");
    return {};
}

} // namespace

Result<AllocationScript> allocationScript(
    const SegmentHistory& history, const UsageCurve& curve, const std::optional<DeviceCapacity>& capacity)
{
    const Trace& trace = history.trace();
    const DeviceIndex device = history.allocations().device();
    if (const Result<void> replayable = checkReplayable(trace, device); !replayable)
        return tl::unexpected<Error>(replayable.error());
    AllocationScript script;
    script.trace = &trace;
    script.allocations = &history.allocations();
    script.pools = listPrivatePools(trace, history.allocations());
    script.start = history.at(-1);
    script.reserved = curve.reservedChanges();
    script.recorded = recordedSettings(trace, device);
    script.settings = script.recorded.settings;
    if (!script.recorded.backend.empty())
        return fail(ErrorCode::BadRequest,
            fmt::format("{} was recorded with backend:{}, which has no caching allocator to replay",
                trace.devices[device].words(), sanitizedText(script.recorded.backend)));
    if (capacity && capacity->bytes > 0 && capacity->bytes < DriverFacts::kNoLimit) {
        script.deviceMemory = capacity->bytes;
        script.limit = std::max(capacity->bytes, script.recordedPeak());
        script.isLeastLimit = capacity->isLowerBound();
    }
    std::vector<AmbiguousRelease> ambiguous = ScriptWriter(script, history.pending()).write();
    boundLimit(script, ambiguous);
    script.addressSpace = guessAddressSpace(script);
    script.direction = findDirection(script);
    separateFlushes(script, ambiguous);
    return script;
}

} // namespace highwater
