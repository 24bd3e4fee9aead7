"""Expandable segments: address space is reserved once, pages are mapped and unmapped in it.

Follows find_expandable_block, map_block and unmap_block of PyTorch 2.6.
"""
from simulate.blocks import FREE, UNMAPPED, Region
from simulate.settings import LARGE_SEGMENT, SMALL_SEGMENT, round_up


def unit(pool):
    """Pages come in 2 MiB for the small pool and 20 MiB for the large one."""
    return SMALL_SEGMENT if pool.small else LARGE_SEGMENT


def grow(allocator, pool, size, stack):
    """Maps pages until one free block holds `size`; None when the card is full."""
    block = _candidate(allocator, pool, size)
    if block.state == UNMAPPED:
        block = _map(allocator, pool, block, min(block.size, size), stack)
    while block is not None and block.size < size:
        block = _map(allocator, pool, block.next, min(size - block.size, block.next.size), stack)
    return block


def _candidate(allocator, pool, size):
    for region in pool.regions:
        for block in region.blocks():
            if block.state == UNMAPPED:
                start = block.prev if block.prev and block.prev.state == FREE else block
                if _room_from(start, size):
                    return start
    return _reserve(allocator, pool).first


def _room_from(block, size):
    room = 0
    while room < size and block and block.state in (FREE, UNMAPPED):
        room += block.size
        block = block.next
    return room >= size


def _reserve(allocator, pool):
    """One and an eighth of the device's memory of address space for each (stream, pool)."""
    length = round_up(allocator.card.capacity * 9 // 8, LARGE_SEGMENT)
    region = Region(pool, allocator.addresses.take(length), length, expandable=True)
    pool.regions.append(region)
    return region


def _map(allocator, pool, block, size, stack):
    length = min(round_up(size, unit(pool)), block.size)
    if not allocator.has_room(length):
        return None
    if length < block.size:
        block = block.split(length)
    region = block.region
    region.stack = region.stack or stack
    allocator.reserved += length
    address = block.address
    allocator.make_free(block)
    allocator.note("segment_map", address, length, pool, stack)
    return block


def unmap(allocator, block, stack):
    """Returns the whole pages inside a free block; its ragged ends stay mapped and free."""
    pool, base, step = block.region.pool, block.region.address, unit(block.region.pool)
    begin = base + round_up(block.address - base, step)
    end = base + (block.address + block.size - base) // step * step
    if end <= begin:
        return
    pool.free.discard(block)
    middle = _cut_out(block, begin, end, pool)
    middle.state = UNMAPPED
    for neighbour in (middle.prev, middle.next):
        if neighbour and neighbour.state == UNMAPPED:
            middle.absorb(neighbour)
    allocator.reserved -= end - begin
    allocator.note("segment_unmap", begin, end - begin, pool, stack)


def _cut_out(block, begin, end, pool):
    if block.address < begin:
        pool.free.add(block.split(begin - block.address))
    if block.address + block.size > end:
        middle = block.split(end - block.address)
        pool.free.add(block)
        return middle
    return block
