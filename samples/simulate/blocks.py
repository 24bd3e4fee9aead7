"""Blocks, regions and pools: the data that the allocator's rules work on."""
from simulate.settings import ROUND_LARGE, round_up

ACTIVE, PENDING, FREE, UNMAPPED = "active_allocated", "active_pending_free", "inactive", "unmapped"


class Block:
    """A piece of a region. Neighbours are linked, as in the real allocator."""

    __slots__ = ("region", "address", "size", "requested", "state", "stack", "streams", "prev", "next")

    def __init__(self, region, address, size, state=FREE):
        self.region, self.address, self.size, self.state = region, address, size, state
        self.requested = 0
        self.stack = None
        self.streams = set()      # streams that record_stream named
        self.prev = self.next = None

    def split(self, size):
        """Cuts the first `size` bytes off; what remains keeps `requested`, the left-over of its last occupant."""
        head = Block(self.region, self.address, size, self.state)
        self.address += size
        self.size -= size
        head.prev, head.next = self.prev, self
        if self.prev:
            self.prev.next = head
        else:
            self.region.first = head
        self.prev = head
        return head

    def absorb(self, other):
        """try_merge_blocks: takes in a neighbour."""
        if other is self.prev:
            self.address = other.address
            self.prev = other.prev
            if self.prev:
                self.prev.next = self
            else:
                self.region.first = self
        else:
            self.next = other.next
            if self.next:
                self.next.prev = self
        self.size += other.size


class Region:
    """One cudaMalloc, or the reserved address range of an expandable segment."""

    def __init__(self, pool, address, size, expandable=False, stack=None):
        self.pool, self.address, self.size = pool, address, size
        self.expandable, self.stack = expandable, stack
        self.first = Block(self, address, size, UNMAPPED if expandable else FREE)

    def blocks(self):
        block = self.first
        while block:
            yield block
            block = block.next


class Pool:
    """Free blocks serve only requests of the same stream, size class and pool id."""

    def __init__(self, owner, stream, small, pool_id):
        self.owner = owner        # the allocator of its device
        self.stream, self.small, self.pool_id = stream, small, pool_id
        self.free = set()
        self.regions = []

    def best_fit(self, size, settings):
        """get_free_block. A block that can still expand counts with the size it can expand to."""
        fitting = sorted((block for block in self.free if block.size >= size), key=lambda one: (one.size, one.address))
        if not fitting:
            return None
        best = fitting[0]
        for block in fitting[1:]:
            if not settings.expandable or reach(block) >= reach(best):
                break
            best = block
        return best if settings.may_take(best.size, size) else None


def reach(block):
    """Size of a free block together with the unmapped address space behind it."""
    return block.size + (block.next.size if block.next and block.next.state == UNMAPPED else 0)


class AddressSpace:
    """Hands out 2 MiB aligned addresses, first fit, as the driver tends to."""

    def __init__(self, base):
        self.base = base
        self.taken = []  # (address, size), sorted

    def take(self, size):
        size = round_up(size, ROUND_LARGE)
        address = self.base
        for begin, length in self.taken:
            if begin - address >= size:
                break
            address = begin + length
        self.taken.append((address, size))
        self.taken.sort()
        return address

    def give_back(self, address):
        self.taken = [entry for entry in self.taken if entry[0] != address]
