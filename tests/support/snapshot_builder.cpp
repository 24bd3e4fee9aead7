#include "tests/support/snapshot_builder.h"

namespace highwater::test {

SnapshotBuilder& SnapshotBuilder::setting(const std::string& name, const std::string& value)
{
    m_builder.metadata().settings.emplace_back(name, value);
    return *this;
}

SnapshotBuilder& SnapshotBuilder::event(Action action, Address address, Bytes size)
{
    MemoryEvent event;
    event.action = action;
    event.address = address;
    event.size = size;
    event.stream = m_stream;
    event.pool = m_pool;
    m_builder.addEvent(event);
    return *this;
}

SnapshotBuilder& SnapshotBuilder::free(Address address, Bytes size)
{
    return event(Action::FreeRequested, address, size).event(Action::FreeCompleted, address, size);
}

SnapshotBuilder& SnapshotBuilder::onStream(std::int64_t handle)
{
    m_stream = m_builder.stream(handle);
    return *this;
}

SnapshotBuilder& SnapshotBuilder::inPool(PoolKey pool)
{
    m_pool = m_builder.pool(pool);
    return *this;
}

SnapshotBuilder& SnapshotBuilder::withoutPool()
{
    m_pool = {};
    return *this;
}

SnapshotBuilder& SnapshotBuilder::segment(Address begin, const std::vector<Piece>& pieces, bool expandable)
{
    Segment segment;
    segment.address = begin;
    segment.stream = m_stream;
    segment.pool = m_pool;
    segment.expandable = expandable;
    segment.blocks.first = m_builder.blockCount();
    for (const Piece& piece : pieces) {
        Block block;
        block.address = begin + static_cast<Address>(segment.totalSize);
        block.size = piece.size;
        block.requestedSize = piece.requested;
        block.state = piece.requested == 0 ? BlockState::Inactive : piece.state;
        m_builder.addBlock(block);
        segment.totalSize += piece.size;
    }
    segment.blocks.last = m_builder.blockCount();
    segment.type = segment.totalSize <= 2 * kMiB ? SegmentType::Small : SegmentType::Large;
    m_builder.addSegment(m_builder.device(DeviceKind::Cuda, 0), segment);
    return *this;
}

std::shared_ptr<const Trace> SnapshotBuilder::finish()
{
    const DeviceIndex device = m_builder.device(DeviceKind::Cuda, 0);
    m_builder.assignEvents(device, {{0, static_cast<std::uint32_t>(m_builder.eventCount())}});
    return m_builder.finish();
}

} // namespace highwater::test
