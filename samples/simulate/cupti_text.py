"""CUPTI memory records as text, small enough to be checked by hand: as NVIDIA's sample `cuda_memory_trace` prints them, and as a table."""
import csv
import io

PROCESS, CONTEXT, POOL, NO_STREAM = 4242, 1, 0x5600A0000000, 0xFFFFFFFF
START = 7_000_000_000  # nanoseconds of CUPTI's own clock
MIB = 2**20


def record(at, operation, kind, address, size, correlation, stream=7, pool=None):
    """`pool`: its size and what of it is in use."""
    return {"time": START + at * 1000, "operation": operation, "kind": kind, "address": address, "size": size, "correlation": correlation,
            "stream": stream, "pool": pool}


def pool_record(at, operation, size, utilized, correlation):
    return {"time": START + at * 1000, "pool_operation": operation, "size": size, "utilized": utilized, "correlation": correlation}


def records():
    yield record(1, "ALLOCATE", "DEVICE", 0x7F1000000000, 4 * MIB, 101)
    yield record(2, "ALLOCATE", "PINNED", 0x7F2000000000, 65536, 105, NO_STREAM)
    yield record(3, "ALLOCATE", "DEVICE", 0x7F1000400000, 2 * MIB, 110)
    yield record(4, "RELEASE", "DEVICE", 0x7F0FFF000000, MIB, 115)  # older than the recording
    yield pool_record(5, "MEM_POOL_CREATED", 0, 0, 119)
    yield record(6, "ALLOCATE", "DEVICE", 0x7F3000000000, MIB, 120, 13, (32 * MIB, MIB))
    yield record(7, "ALLOCATE", "MANAGED", 0x7F4000000000, 524288, 124)
    yield record(8, "RELEASE", "DEVICE", 0x7F1000400000, 2 * MIB, 130)
    yield record(9, "RELEASE", "DEVICE", 0x7F3000000000, MIB, 135, 13, (32 * MIB, 0))
    yield record(10, "RELEASE", "PINNED", 0x7F2000000000, 65536, 140, NO_STREAM)
    yield pool_record(11, "MEM_POOL_TRIMMED", 0, 0, 144)
    yield record(12, "ALLOCATE", "DEVICE", 0x7F1000400000, MIB, 150)


def pool_fields(item):
    """Type, address, threshold, and what follows for a pool of the process's own."""
    if item["pool"] is None:
        return "<unknown>", 0, ""
    size, utilized = item["pool"]
    return "LOCAL", POOL, f", memoryPoolSize: {size}, memoryPoolUtilizedSize: {utilized}"


def in_one_line(item):
    """CUDA 11."""
    start = f"[ {item['time']} ]"
    if "pool_operation" in item:
        return (f"  MEMORY_POOL {start} memoryPoolOperationType {item['pool_operation']}, memoryPoolType LOCAL, address {POOL}, "
                f"size {item['size']}, utilizedSize {item['utilized']}, devId 0, procId {PROCESS}, corrId {item['correlation']}, releaseThreshold 0\n")
    kind, address, more = pool_fields(item)
    return (f"  MEMORY2 {start} memoryOperationType {item['operation']}, address {item['address']}, size {item['size']}, pc 0, "
            f"memoryKind {item['kind']}, devId 0, ctxId {CONTEXT}, procId {PROCESS}, corrId {item['correlation']}, streamId {item['stream']}, "
            f"isAsync {int(item['pool'] is not None)}, memoryPoolType {kind}, memoryPoolAddress {address}, memoryPoolThreshold 0{more}\n")


def in_three_lines(item, permuted):
    """CUDA 12; the sample of 12.4 prints three of the numbers under each other's names."""
    start = f"[ {item['time']} ]"
    if "pool_operation" in item:
        return (f"MEMORY_POOL {start} memoryPoolOperation {item['pool_operation']}, memoryPool LOCAL, address {POOL}, size {item['size']}, "
                f"utilizedSize {item['utilized']}, releaseThreshold 0,\n  deviceId 0, processId {PROCESS}, correlationId {item['correlation']}\n")
    kind, address, more = pool_fields(item)
    numbers = item["stream"], PROCESS, item["correlation"]
    stream, process, correlation = numbers[1:] + numbers[:1] if permuted else numbers
    return (f"MEMORY2 {start} memoryOperationType {item['operation']}, memoryKind {item['kind']}, size {item['size']}, address {item['address']}, pc 0,\n"
            f"  deviceId 0, contextId {CONTEXT}, streamId {stream}, processId {process}, correlationId {correlation}, "
            f"isAsync {int(item['pool'] is not None)},\n  memoryPool {kind}, memoryPoolAddress {address},  memoryPoolThreshold 0{more}\n")


def table():
    """Columns in an order of their own, addresses in hexadecimal."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Process ID", "Timestamp (ns)", "Operation", "Kind", "Address", "Bytes", "Device ID", "Stream ID", "memoryPoolAddress",
                     "memoryPoolSize", "memoryPoolUtilizedSize", "Correlation ID"])
    for item in records():
        if "pool_operation" in item:
            continue
        pool = (hex(POOL), *item["pool"]) if item["pool"] else ("", "", "")
        writer.writerow([PROCESS, item["time"], item["operation"].title(), item["kind"].title(), hex(item["address"]), item["size"], 0,
                         item["stream"], *pool, item["correlation"]])
    return out.getvalue().encode()


def printed(lines):
    return ("Device Name: Simulated GPU\n" + "".join(lines) + "Activity buffer size = 8388608 bytes.\n").encode()


def files():
    yield "tiny-cuda-11.txt", printed(map(in_one_line, records()))
    yield "tiny-cuda-12.txt", printed(in_three_lines(item, False) for item in records())
    yield "tiny-cuda-12.4.txt", printed(in_three_lines(item, True) for item in records())
    yield "tiny-table.csv", table()


def broken_files():
    data = printed(in_three_lines(item, True) for item in records())
    yield "cupti-cut.txt", data[:len(data) * 3 // 5]
    unreadable = b"MEMORY2 [ 7000003500 ] memoryOperationType ALLOCATE, memoryKind DEVICE, size lots, address 5, pc 0,\n"
    yield "cupti-unreadable.txt", data.replace(b"MEMORY2 [ 7000004000", unreadable + b"MEMORY2 [ 7000004000")
