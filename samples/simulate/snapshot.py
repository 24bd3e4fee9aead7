"""Builds the dict that torch.cuda.memory._snapshot() returns, with its key order and types."""
from simulate.blocks import ACTIVE, FREE, UNMAPPED
from simulate.settings import POWER2_KEYS


def allocator_settings(settings, era, traces):
    tree = {
        "PYTORCH_CUDA_ALLOC_CONF": settings.conf,
        "max_split_size": settings.max_split_size,
        "garbage_collection_threshold": settings.gc_threshold,
        "expandable_segments": settings.expandable,
        "pinned_num_register_threads": 1,
        "release_lock_on_cudamalloc": False,
        "pinned_use_cuda_host_register": False,
    }
    if era.compile_context:
        tree["graph_capture_record_stream_reuse"] = False
    tree["roundup_power2_divisions"] = {str(key): settings.power2_divisions for key in POWER2_KEYS}
    if era.overflow:
        tree["trace_alloc_overflowed"] = any(trace.overflowed for trace in traces)
        limits = [trace.max_entries for trace in traces if trace.max_entries]
        tree["trace_alloc_max_entries"] = max(limits, default=(1 << 64) - 1)
    return tree


def segments(allocator):
    found = []
    for pool in allocator.pools.values():
        for region in pool.regions:
            found += [_segment(allocator, region, run) for run in _mapped_runs(region)]
    return sorted(found, key=lambda segment: segment["address"])


def _mapped_runs(region):
    """An expandable region shows one segment for each contiguous mapped range."""
    runs, current = [], []
    for block in region.blocks():
        if block.state == UNMAPPED:
            runs.append(current)
            current = []
        else:
            current.append(block)
    runs.append(current)
    return [run for run in runs if run]


def _segment(allocator, region, run):
    pool = region.pool
    active = [block for block in run if block.state != FREE]
    segment = {
        "device": allocator.device,
        "address": run[0].address,
        "total_size": sum(block.size for block in run),
        "allocated_size": sum(block.size for block in run if block.state == ACTIVE),
        "active_size": sum(block.size for block in active),
        "requested_size": sum(block.requested for block in active),
        "stream": pool.stream,
        "segment_type": "small" if pool.small else "large",
        "segment_pool_id": tuple(pool.pool_id),
        "is_expandable": region.expandable,
    }
    blocks = [_block(block) for block in run]
    if region.stack is None:
        return segment | {"frames": [], "blocks": blocks}
    return segment | {"blocks": blocks, "frames": region.stack}


def _block(block):
    return {
        "address": block.address,
        "size": block.size,
        "requested_size": block.requested,
        "state": block.state,
        "frames": block.stack if block.stack is not None else [],
    }
