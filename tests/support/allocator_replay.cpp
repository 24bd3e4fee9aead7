#include "tests/support/allocator_replay.h"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

namespace highwater::test {

namespace {

Bytes roundedUp(Bytes requested)
{
    return std::max<Bytes>(512, (requested + 511) / 512 * 512);
}

} // namespace

AllocatorReplay::AllocatorReplay(const Trace& trace, DeviceIndex device)
    : m_trace(trace)
    , m_device(device)
{
    for (const auto& [name, value] : trace.metadata.settings)
        m_expandable = m_expandable || (name == "expandable_segments" && value == "true");
}

void AllocatorReplay::step()
{
    const MemoryEvent event = m_trace.events.row(m_trace.row(m_device, m_event++));
    switch (event.action) {
    case Action::SegmentAlloc: m_segments[event.address] = event.size; [[fallthrough]];
    case Action::SegmentMap: {
        const auto added = m_pieces.insert({event.address, {event.size}}).first;
        const auto joined = added != m_pieces.begin() && join(std::prev(added), added)
            ? std::prev(m_pieces.upper_bound(event.address))
            : added;
        if (std::next(joined) != m_pieces.end())
            join(joined, std::next(joined));
        break;
    }
    case Action::SegmentFree: m_segments.erase(event.address); [[fallthrough]];
    case Action::SegmentUnmap: unmap(event.address, event.size); break;
    case Action::Alloc: allocate(event.address, event.size); break;
    case Action::FreeRequested: m_pieces.at(event.address).pending = true; break;
    case Action::FreeCompleted: release(event.address); break;
    default: break;
    }
}

Address AllocatorReplay::segmentOf(Address address) const
{
    const auto after = m_segments.upper_bound(address);
    if (after == m_segments.begin())
        return 0;
    const auto found = std::prev(after);
    return address < found->first + static_cast<Address>(found->second) ? found->first : 0;
}

void AllocatorReplay::allocate(Address address, Bytes requested)
{
    Piece& piece = m_pieces.at(address);
    const Bytes size = roundedUp(requested);
    const Bytes rest = piece.size - size;
    ASSERT_FALSE(piece.live);
    ASSERT_GE(rest, 0);
    piece.live = true;
    piece.requested = requested;
    const bool small = size <= kMiB;
    if (small || m_expandable ? rest >= 512 : rest > kMiB) {
        piece.size = size;
        m_pieces[address + static_cast<Address>(size)] = {rest};
    }
}

bool AllocatorReplay::join(Pieces::iterator left, Pieces::iterator right)
{
    if (left->second.live || right->second.live
        || left->first + static_cast<Address>(left->second.size) != right->first
        || segmentOf(left->first) != segmentOf(right->first))
        return false;
    left->second.size += right->second.size;
    m_pieces.erase(right);
    return true;
}

void AllocatorReplay::release(Address address)
{
    const auto freed = m_pieces.find(address);
    freed->second.live = false;
    freed->second.pending = false;
    if (std::next(freed) != m_pieces.end())
        join(freed, std::next(freed));
    if (freed != m_pieces.begin())
        join(std::prev(freed), freed);
}

void AllocatorReplay::unmap(Address begin, Bytes size)
{
    const auto found = std::prev(m_pieces.upper_bound(begin));
    const Address end = begin + static_cast<Address>(size);
    const Address oldEnd = found->first + static_cast<Address>(found->second.size);
    ASSERT_FALSE(found->second.live);
    ASSERT_LE(end, oldEnd);
    if (oldEnd > end)
        m_pieces[end] = {static_cast<Bytes>(oldEnd - end)};
    if (found->first < begin)
        found->second.size = static_cast<Bytes>(begin - found->first);
    else
        m_pieces.erase(found);
}

Bytes AllocatorReplay::reserved() const
{
    Bytes sum = 0;
    for (const auto& [address, piece] : m_pieces)
        sum += piece.size;
    return sum;
}

} // namespace highwater::test
