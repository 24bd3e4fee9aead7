#pragma once

#include <map>

#include "core/trace/trace.h"

namespace highwater::test {

/// A simple replay of PyTorch's caching allocator for a trace that starts with empty memory: block by block,
/// with splitting and joining. It is slow and obvious, and checks the results that analyses derive backwards.
class AllocatorReplay
{
public:
    struct Piece
    {
        Bytes size = 0;
        Bytes requested = 0;
        bool live = false;
        bool pending = false;
    };

    explicit AllocatorReplay(const Trace& trace, DeviceIndex device = 0);

    /// Replays the next event.
    void step();
    /// By address. The pieces of one segment follow each other without gaps.
    const std::map<Address, Piece>& pieces() const { return m_pieces; }
    Bytes reserved() const;

private:
    using Pieces = std::map<Address, Piece>;

    void allocate(Address address, Bytes requested);
    void release(Address address);
    void unmap(Address begin, Bytes size);
    bool join(Pieces::iterator left, Pieces::iterator right);
    Address segmentOf(Address address) const;

    const Trace& m_trace;
    DeviceIndex m_device;
    std::int64_t m_event = 0;
    bool m_expandable = false;
    Pieces m_pieces;
    std::map<Address, Bytes> m_segments; ///< segments from cudaMalloc only
};

} // namespace highwater::test
