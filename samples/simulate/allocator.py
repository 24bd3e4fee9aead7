"""The caching allocator of one device: malloc, free, record_stream, empty_cache, out of memory.

Follows DeviceCachingAllocator of PyTorch 2.6 step by step; names in comments are its functions.
"""
from simulate import expandable
from simulate.blocks import ACTIVE, FREE, PENDING, AddressSpace, Pool, Region
from simulate.settings import SMALL_LIMIT, Settings, segment_size

DEFAULT_POOL = (0, 0)
BASE_ADDRESS = 0x7F3A_0000_0000


class OutOfMemory(Exception):
    """What torch.OutOfMemoryError is to a real program."""


class Allocator:
    def __init__(self, device, trace, card, settings=Settings()):
        self.device, self.trace, self.card, self.settings = device, trace, card, settings
        self.reserved = 0
        self.addresses = AddressSpace(BASE_ADDRESS)
        self.pools = {}
        self.kept_pools = set()   # private pools in use: their cache is not released
        self.pending = []         # freed, but another stream may still read them
        self.gpu_idle = False

    # Allocation ------------------------------------------------------------------------------------

    def malloc(self, requested, stack, stream=0, pool_id=DEFAULT_POOL):
        self._process_events(stack)
        size = self.settings.round_size(requested)
        pool = self.pool(stream, size <= SMALL_LIMIT, pool_id)
        block = pool.best_fit(size, self.settings) or self._grow(pool, size, stack)
        if block is None:
            self._release_cached_blocks(stack)
            block = self._grow(pool, size, stack)
        if block is None:
            self._out_of_memory(size, stream, pool_id, stack)
        return self._hand_out(block, size, requested, stack)

    def pool(self, stream, small, pool_id):
        key = (pool_id, stream, small)
        if key not in self.pools:
            self.pools[key] = Pool(self, stream, small, pool_id)
        return self.pools[key]

    def has_room(self, size):
        return self.reserved + size <= self.card.usable

    def _grow(self, pool, size, stack):
        """alloc_block: cudaMalloc, or more pages for an expandable segment."""
        if self.settings.expandable and pool.pool_id == DEFAULT_POOL:
            return expandable.grow(self, pool, size, stack)
        wanted = segment_size(size)
        if not self.has_room(wanted):
            return None
        region = Region(pool, self.addresses.take(wanted), wanted, stack=stack)
        pool.regions.append(region)
        pool.free.add(region.first)
        self.reserved += wanted
        self.note("segment_alloc", region.address, wanted, pool, stack)
        return region.first

    def _hand_out(self, block, size, requested, stack):
        """alloc_found_block: split when worth it, then mark as allocated."""
        pool = block.region.pool
        pool.free.discard(block)
        if self.settings.may_split(block.size, size, pool.small):
            rest, block = block, block.split(size)
            pool.free.add(rest)
        block.state, block.requested, block.stack = ACTIVE, requested, stack
        self.note("alloc", block.address, requested, pool, stack)
        return block

    def _out_of_memory(self, size, stream, pool_id, stack):
        free = self.card.usable - self.reserved
        self.trace.record("oom", free, size, stream, pool_id, stack, place="device_free")
        raise OutOfMemory(f"tried to allocate {size} bytes, {free} free")

    # Release ---------------------------------------------------------------------------------------

    def record_stream(self, block, stream):
        """Tensor.record_stream: `stream` reads the block, so a free must wait for it."""
        if stream != block.region.pool.stream:
            block.streams.add(stream)

    def free(self, block, stack):
        self.note("free_requested", block.address, block.requested, block.region.pool, stack)
        if block.streams:
            block.state = PENDING
            self.pending.append(block)
            self.gpu_idle = False
        else:
            self._free_block(block, stack)

    def streams_done(self):
        """The GPU has finished what the other streams did; the next malloc notices."""
        self.gpu_idle = True

    def _process_events(self, stack):
        """process_events runs inside malloc, so late frees carry the stack of that malloc."""
        if self.gpu_idle:
            waiting, self.pending = self.pending, []
            for block in waiting:
                self._free_block(block, stack)

    def _free_block(self, block, stack):
        pool = block.region.pool
        self.note("free_completed", block.address, block.requested, pool, stack)
        block.streams.clear()
        self.make_free(block)

    def make_free(self, block):
        """Puts a block among the free ones, joined with free neighbours."""
        block.state, block.stack = FREE, None
        pool = block.region.pool
        for neighbour in (block.prev, block.next):
            if neighbour and neighbour.state == FREE:
                pool.free.discard(neighbour)
                block.absorb(neighbour)
        pool.free.add(block)

    def empty_cache(self, stack):
        """torch.cuda.empty_cache(): what an allocation that fails does before it gives up."""
        self._release_cached_blocks(stack)

    def _release_cached_blocks(self, stack):
        """Waits for the GPU, then returns every whole free segment: first the large pools, then the small."""
        self.gpu_idle = True
        self._process_events(stack)
        for pool in sorted(self.pools.values(), key=lambda pool: (pool.pool_id, pool.small, pool.stream)):
            if pool.pool_id not in self.kept_pools:
                self._release_pool(pool, stack)

    def _release_pool(self, pool, stack):
        for block in sorted(pool.free, key=lambda block: block.address):
            if block.region.expandable:
                expandable.unmap(self, block, stack)
            elif block.prev is None and block.next is None:
                self._cuda_free(pool, block, stack)

    def _cuda_free(self, pool, block, stack):
        self.note("segment_free", block.address, block.size, pool, stack)
        pool.free.discard(block)
        pool.regions.remove(block.region)
        self.addresses.give_back(block.address)
        self.reserved -= block.size

    def note(self, action, address, size, pool, stack):
        self.trace.record(action, address, size, pool.stream, pool.pool_id, stack)
