"""A simulated process: devices, clock, annotations, stacks. What scenarios talk to."""
from contextlib import contextmanager

from simulate import snapshot
from simulate.allocator import DEFAULT_POOL, Allocator
from simulate.recorder import Annotations, Clock, Trace
from simulate.settings import A100_40, TORCH_2_10, Settings
from simulate.stacks import Stacks


class Program:
    def __init__(self, seed, card=A100_40, settings=Settings(), era=TORCH_2_10, devices=1, max_entries=None):
        self.era, self.settings = era, settings
        self.clock = Clock(seed)
        self.stacks = Stacks()
        self.annotations = Annotations(self.clock)
        self.traces = [Trace(self.clock, era, max_entries) for _ in range(devices)]
        self.allocators = [Allocator(index, trace, card, settings) for index, trace in enumerate(self.traces)]
        self.host_segments, self.host_trace = [], Trace(self.clock, era)
        self.current = 0

    @property
    def allocator(self):
        return self.allocators[self.current]

    @contextmanager
    def device(self, index):
        """torch.cuda.device(index)."""
        previous, self.current = self.current, index
        try:
            yield
        finally:
            self.current = previous

    # Tensors ---------------------------------------------------------------------------------------

    def tensor(self, size, op, site, stream=0, pool_id=DEFAULT_POOL):
        """A tensor made by an operator that Python called."""
        self.clock.tick(20)
        return self.allocator.malloc(size, self.stacks.alloc(op, site), stream, pool_id)

    def gradient(self, size, op, node, stream=0):
        """A tensor made by an autograd node."""
        self.clock.tick(20)
        return self.allocator.malloc(size, self.stacks.alloc_backward(op, node), stream)

    def drop(self, block, site):
        """Python lets go of the last reference."""
        self.clock.tick(3)
        block.region.pool.owner.free(block, self.stacks.free(site))

    def drop_backward(self, block):
        """The engine lets go of a saved tensor or of a gradient it has used."""
        self.clock.tick(3)
        block.region.pool.owner.free(block, self.stacks.free_backward())

    def empty_cache(self, site):
        self.allocator.empty_cache(self.stacks.empty_cache(site))

    def range(self, name):
        return self.annotations.range(name, self.current)

    def wait(self, microseconds):
        self.clock.tick(microseconds)

    def earlier_snapshot(self):
        """Someone called _snapshot() here: the entry holds the device's active bytes, rounded, and has no stack."""
        active = sum(segment["active_size"] for segment in snapshot.segments(self.allocator))
        self.allocator.trace.record("snapshot", 0, active)

    # Result ----------------------------------------------------------------------------------------

    def start_recording(self):
        """_record_memory_history(): what happened before is not in the trace and has no stacks."""
        for allocator in self.allocators:
            allocator.trace.entries.clear()
            for pool in allocator.pools.values():
                for region in pool.regions:
                    region.stack = None
                    for block in region.blocks():
                        block.stack = None

    def snapshot(self):
        segments = [segment for allocator in self.allocators for segment in snapshot.segments(allocator)]
        result = {
            "segments": segments,
            "device_traces": [trace.entries for trace in self.traces],
            "allocator_settings": snapshot.allocator_settings(self.settings, self.era, self.traces),
            "external_annotations": self.annotations.entries,
        }
        if self.era.host:
            result["host_segments"] = self.host_segments
            result["host_traces"] = [self.host_trace.entries]
        return result
