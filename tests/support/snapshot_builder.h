#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/trace/trace_builder.h"

namespace highwater::test {

/// Addresses of segments, 64 GiB apart.
inline constexpr Address kA = 0x7f00'0000'0000;
inline constexpr Address kB = 0x7f10'0000'0000;
inline constexpr Address kC = 0x7f20'0000'0000;

/// Builds the snapshot of one device with the given addresses and segments.
class SnapshotBuilder
{
public:
    struct Piece
    {
        Bytes size;
        Bytes requested; ///< 0 if it is free
        BlockState state = BlockState::Active; ///< state of a block that is not free
    };

    SnapshotBuilder& setting(const std::string& name, const std::string& value);
    SnapshotBuilder& event(Action action, Address address, Bytes size);
    SnapshotBuilder& alloc(Address address, Bytes size) { return event(Action::Alloc, address, size); }
    /// Adds a segment and the allocation that fills it.
    SnapshotBuilder& filled(Address begin, Bytes size)
    {
        return event(Action::SegmentAlloc, begin, size).alloc(begin, size);
    }
    /// Requests and completes the free at once.
    SnapshotBuilder& free(Address address, Bytes size);
    /// Sets the stream or pool of all later events.
    SnapshotBuilder& onStream(std::int64_t handle);
    SnapshotBuilder& inPool(PoolKey pool);
    /// Writes later events like releases that do not record the pool.
    SnapshotBuilder& withoutPool();
    /// Adds a segment at the end, on the current stream and in the current pool.
    SnapshotBuilder& segment(Address begin, const std::vector<Piece>& pieces, bool expandable = false);

    std::shared_ptr<const Trace> finish();

private:
    TraceBuilder m_builder;
    StreamId m_stream = m_builder.stream(0);
    PoolId m_pool = m_builder.pool({});
};

} // namespace highwater::test
