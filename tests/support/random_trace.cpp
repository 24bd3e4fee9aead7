#include "tests/support/random_trace.h"

#include <map>
#include <string>
#include <vector>

#include "core/trace/trace_builder.h"

namespace highwater::test {

namespace {

struct Live
{
    Bytes size;
    StackId stack;
};

class Generator
{
public:
    Generator(std::uint32_t seed, const RandomTraceOptions& options)
        : m_random(seed)
        , m_options(options)
    {
        for (int i = 0; i < 12; ++i)
            m_stacks.push_back(makeStack(i));
        for (int i = 0; i < 6; ++i)
            m_live[freshAddress()] = {randomSize(), anyStack()}; // allocated before recording began
    }

    std::shared_ptr<const Trace> run()
    {
        while (static_cast<std::int64_t>(m_builder.eventCount()) < m_options.events)
            m_options.consistent ? step() : anyEvent();
        for (const auto& [address, live] : m_live)
            addBlock(address, live.size, m_random.oneIn(5) ? BlockState::PendingFree : BlockState::Active,
                live.stack);
        addBlock(freshAddress(), 4096, BlockState::Inactive, StackTable::kEmpty);
        m_builder.assignEvents(
            m_builder.device(DeviceKind::Cuda, 0), {{0, static_cast<std::uint32_t>(m_builder.eventCount())}});
        return m_builder.finish();
    }

private:
    StackId makeStack(int number)
    {
        if (number == 0)
            return StackTable::kEmpty;
        if (number == 1)
            return StackId();
        std::vector<FrameId> frames;
        for (int depth = 0; depth < 1 + number % 4; ++depth) {
            Frame frame;
            const bool python = (number + depth) % 3 != 0;
            frame.function = m_builder.strings().intern("f" + std::to_string(number % 7 + depth));
            frame.file
                = m_builder.strings().intern(python ? "/app/m" + std::to_string(number % 5) + ".py" : "??");
            frame.line = python ? 10 + number + depth : 0;
            frame.kind = python ? FrameKind::Python : FrameKind::Native;
            frames.push_back(m_builder.stacks().internFrame(frame));
        }
        return m_builder.stacks().internStack(frames);
    }

    StackId anyStack()
    {
        return m_stacks[static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(m_stacks.size())))];
    }
    Bytes randomSize() { return 1 + m_random.below(m_options.maxBytes); }
    Address freshAddress() { return 0x7f0000000000u + (++m_addresses << 24); }

    Address addressToUse()
    {
        if (m_free.empty() || m_random.oneIn(3))
            return freshAddress();
        const auto at = static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(m_free.size())));
        const Address address = m_free[at];
        m_free.erase(m_free.begin() + static_cast<std::ptrdiff_t>(at));
        return address;
    }

    void add(Action action, Address address, Bytes size, StackId stack)
    {
        m_time += m_random.below(3);
        MemoryEvent event{action, address, size, m_options.times ? m_time * 1000 : 0,
            m_builder.stream(m_random.oneIn(4) ? 0x7000 : 0), stack, {}, {}, {}};
        if (m_random.oneIn(6))
            event.pool = m_builder.pool({0, static_cast<std::uint64_t>(m_random.below(2))});
        m_builder.addEvent(event);
    }

    void step()
    {
        const std::int64_t kind = m_random.below(20);
        if (kind == 0) {
            const Bytes size = 1 + m_random.below(m_options.maxBytes);
            add(m_random.oneIn(2) ? Action::SegmentAlloc : Action::SegmentMap, freshAddress(), size,
                anyStack());
            m_reserved += size;
        } else if (kind == 1 && m_reserved > 0) {
            add(Action::SegmentFree, freshAddress(), m_reserved, anyStack());
            m_reserved = 0;
        } else if (kind == 2) {
            add(m_random.oneIn(2) ? Action::Oom : Action::Snapshot, 17, randomSize(), StackId());
        } else if (kind < 12 || m_live.empty()) {
            const Address address = addressToUse();
            m_live[address] = {randomSize(), anyStack()};
            add(Action::Alloc, address, m_live[address].size, m_live[address].stack);
        } else {
            release();
        }
        if (!m_pending.empty() && m_random.oneIn(4))
            completePending();
    }

    void release()
    {
        auto victim = m_live.begin();
        std::advance(victim, m_random.below(static_cast<std::int64_t>(m_live.size())));
        if (m_pending.contains(victim->first))
            return;
        add(Action::FreeRequested, victim->first, victim->second.size, anyStack());
        m_pending.insert(*victim);
        if (!m_random.oneIn(5))
            complete(victim->first);
    }

    void completePending() { complete(m_pending.begin()->first); }

    void complete(Address address)
    {
        add(m_random.oneIn(8) ? Action::Free : Action::FreeCompleted, address, m_live[address].size,
            anyStack());
        m_live.erase(address);
        m_pending.erase(address);
        m_free.push_back(address);
    }

    void anyEvent()
    {
        static constexpr Action actions[] = {Action::Alloc, Action::Alloc, Action::FreeCompleted,
            Action::Free, Action::FreeRequested, Action::SegmentAlloc, Action::SegmentFree, Action::Oom};
        const Address address = 0x1000 * static_cast<Address>(1 + m_random.below(12));
        add(actions[m_random.below(8)], address, randomSize(), anyStack());
        if (m_random.oneIn(30))
            m_live[address] = {randomSize(), anyStack()};
    }

    void addBlock(Address address, Bytes size, BlockState state, StackId stack)
    {
        Block block{address, (size + 511) / 512 * 512, size, state, stack, {}, 0};
        Segment segment;
        segment.address = address;
        segment.totalSize = block.size;
        segment.stream = m_builder.stream(0);
        segment.pool = m_builder.pool({0, 0});
        segment.blocks.first = m_builder.addBlock(block);
        segment.blocks.last = segment.blocks.first + 1;
        m_builder.addSegment(m_builder.device(DeviceKind::Cuda, 0), segment);
    }

    Random m_random;
    RandomTraceOptions m_options;
    TraceBuilder m_builder;
    std::vector<StackId> m_stacks;
    std::map<Address, Live> m_live;
    std::map<Address, Live> m_pending;
    std::vector<Address> m_free;
    Address m_addresses = 0;
    Bytes m_reserved = 0;
    Nanoseconds m_time = 1'700'000'000'000'000;
};

} // namespace

std::shared_ptr<const Trace> randomTrace(std::uint32_t seed, const RandomTraceOptions& options)
{
    return Generator(seed, options).run();
}

std::vector<std::int64_t> someEvents(Random& random, std::int64_t count)
{
    std::vector<std::int64_t> events;
    for (std::int64_t event = -1; event < count; event += 1 + random.below(1 + count / 20))
        events.push_back(event);
    return events;
}

} // namespace highwater::test
