#include "tests/support/crowded_trace.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "core/trace/trace_builder.h"
#include "tests/support/random_trace.h"

namespace highwater::test {

namespace {

class Crowd
{
public:
    Crowd(std::uint32_t seed, std::int64_t live)
        : m_random(seed)
        , m_device(m_builder.device(DeviceKind::Cuda, 0))
    {
        for (std::size_t i = 0; i < m_stacks.size(); ++i) {
            Frame frame;
            frame.function = m_builder.strings().intern("make");
            frame.file = m_builder.strings().intern("/app/part" + std::to_string(i) + ".py");
            frame.line = 10;
            frame.kind = FrameKind::Python;
            const std::array frames = {m_builder.stacks().internFrame(frame)};
            m_stacks[i] = m_builder.stacks().internStack(frames);
        }
        for (std::int64_t i = 0; i < live; ++i)
            m_blocks.push_back({i < live / 50, anySize()});
    }

    std::shared_ptr<const Trace> run()
    {
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            if (!m_blocks[i].older)
                add(Action::Alloc, i);
            m_waiting[i % m_waiting.size()].push_back(i);
        }
        while (!m_waiting[InOrder].empty() || !m_waiting[Reversed].empty() || !m_waiting[AnyOrder].empty())
            freeOne();
        for (const std::size_t i : m_waiting[Never])
            addFinal(i);
        m_builder.assignEvents(m_device, {{0, static_cast<std::uint32_t>(m_builder.eventCount())}});
        return m_builder.finish();
    }

private:
    enum Fate
    {
        Never,
        InOrder,
        Reversed,
        AnyOrder
    };
    struct Piece
    {
        bool older;
        Bytes size;
    };

    Bytes anySize()
    {
        if (m_random.oneIn(200))
            return 0;
        return (1 + m_random.below(1000)) * (m_random.oneIn(300) ? 1000 : 1);
    }

    void freeOne()
    {
        std::deque<std::size_t>& from = m_waiting[static_cast<std::size_t>(InOrder + m_random.below(3))];
        if (from.empty())
            return;
        if (&from == &m_waiting[AnyOrder])
            std::swap(from.front(),
                from[static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(from.size())))]);
        if (&from == &m_waiting[Reversed]) {
            add(Action::FreeCompleted, from.back());
            from.pop_back();
        } else {
            add(Action::FreeCompleted, from.front());
            from.pop_front();
        }
    }

    static Address addressOf(std::size_t i) { return 0x7f0000000000u + (static_cast<Address>(i) << 20); }
    StackId stackOf(std::size_t i) const { return m_stacks[i * 7 % m_stacks.size()]; }

    void add(Action action, std::size_t i)
    {
        m_time += 1000;
        m_builder.addEvent(
            {action, addressOf(i), m_blocks[i].size, m_time, m_builder.stream(0), stackOf(i), {}, {}, {}});
    }

    void addFinal(std::size_t i)
    {
        const Bytes size = std::max<Bytes>(512, (m_blocks[i].size + 511) / 512 * 512);
        Segment segment;
        segment.address = addressOf(i);
        segment.totalSize = size;
        segment.stream = m_builder.stream(0);
        segment.blocks.first = m_builder.addBlock(
            {addressOf(i), size, m_blocks[i].size, BlockState::Active, stackOf(i), {}, 0});
        segment.blocks.last = segment.blocks.first + 1;
        m_builder.addSegment(m_device, segment);
    }

    Random m_random;
    TraceBuilder m_builder;
    DeviceIndex m_device;
    std::array<StackId, 9> m_stacks;
    std::vector<Piece> m_blocks;
    std::array<std::deque<std::size_t>, 4> m_waiting; ///< by the way in which they will be freed
    Nanoseconds m_time = 1'700'000'000'000'000;
};

} // namespace

std::shared_ptr<const Trace> crowdedTrace(std::uint32_t seed, std::int64_t live)
{
    return Crowd(seed, live).run();
}

} // namespace highwater::test
