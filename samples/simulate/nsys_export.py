"""Plays CUDA programs under Nsight Systems and writes the SQLite export of their report."""
import os
import sqlite3
import tempfile

from simulate.nsys_schema import ENUMS, KINDS, tables_of, version_of

HOST = 1 << 48
PAGE_BYTES = 1024  # of the file: small tables should not take 4 KiB each
MARK, PUSH_POP, START_END, DOMAIN = 34, 59, 60, 75
MICROSECOND, MILLISECOND = 1_000, 1_000_000


class Process:
    """One process of the report. Times are nanoseconds since the start of the capture."""

    def __init__(self, export, pid, name):
        self.export, self.pid, self.name = export, pid, name
        self.global_pid = HOST | pid << 24
        self.correlation = 100  # counts from the same number in every process: it is unique within one only
        export.add("PROCESSES", globalPid=self.global_pid, pid=pid, name=name)

    def thread(self, tid=None):
        return self.global_pid | (self.pid if tid is None else tid)

    def call(self, at, api, tid=None, took=20 * MICROSECOND, chain=None, returned=0):
        """A call into the CUDA runtime; gives its correlation id."""
        self.correlation += 1
        self.export.add("CUPTI_ACTIVITY_KIND_RUNTIME", start=at, end=at + took, eventClass=0, globalTid=self.thread(tid),
                        correlationId=self.correlation, nameId=self.export.text(api), returnValue=returned,
                        callchainId=self.export.chain(chain) if chain else None)
        return self.correlation

    def memory(self, at, operation, address, size, kind="Device", device=0, context=1, api=None, tid=None, chain=None, stream=None,
               pool=None, name=None):
        """`pool`: (address, size, utilized) of the pool after the operation."""
        correlation = self.call(at - 5 * MICROSECOND, api, tid, chain=chain) if api else None
        row = dict(start=at, globalPid=self.global_pid, deviceId=device, contextId=context, address=address, pc=0, bytes=size,
                   memKind=KINDS.index(kind), memoryOperationType=int(operation == "free"), name=name, correlationId=correlation)
        if stream is not None and self.export.newer:
            row["streamId"] = stream
        if pool:
            row |= dict(localMemoryPoolAddress=pool[0], localMemoryPoolSize=pool[1], localMemoryPoolUtilizedSize=pool[2])
        self.export.add("CUDA_GPU_MEMORY_USAGE_EVENTS", **row)

    def range(self, begin, end, name, tid=None, registered=False, kind=PUSH_POP, **fields):
        text = dict(textId=self.export.text(name)) if registered else dict(text=name)
        self.export.add("NVTX_EVENTS", start=begin, end=end, eventType=kind, globalTid=self.thread(tid), domainId=0, **text, **fields)

    def mark(self, at, name):
        self.range(at, None, name, kind=MARK)

    def kernel(self, at, took, name, device=0, stream=7):
        self.export.add("CUPTI_ACTIVITY_KIND_KERNEL", start=at, end=at + took, deviceId=device, contextId=1, streamId=stream,
                        correlationId=self.call(at - 10 * MICROSECOND, "cudaLaunchKernel_v7000"), globalPid=self.global_pid,
                        demangledName=self.export.text(f"void {name}<float>(float*, int)"), shortName=self.export.text(name),
                        gridX=80, gridY=1, gridZ=1, blockX=256, blockY=1, blockZ=1)

    def copy(self, at, took, size, kind=1, device=0):
        self.export.add("CUPTI_ACTIVITY_KIND_MEMCPY", start=at, end=at + took, deviceId=device, contextId=1, streamId=7,
                        correlationId=self.call(at - 10 * MICROSECOND, "cudaMemcpyAsync_v3020"), globalPid=self.global_pid, bytes=size,
                        copyKind=kind, srcKind=1, dstKind=2)

    def clear(self, at, took, size, device=0):
        self.export.add("CUPTI_ACTIVITY_KIND_MEMSET", start=at, end=at + took, deviceId=device, contextId=1, streamId=7,
                        correlationId=self.call(at - 10 * MICROSECOND, "cudaMemsetAsync_v3020"), globalPid=self.global_pid, value=0,
                        bytes=size, memKind=2)


class Export:
    """`normalized`: exported with --ts-normalize true, so that times are absolute."""

    def __init__(self, version, product, epoch, normalized=False, collects="true"):
        self.version, self.epoch, self.normalized = version, epoch, normalized
        self.newer = version_of(version) >= (3, 16)
        self.tables = tables_of(version)
        self.rows = {name: [] for name in self.tables}
        self.texts, self.chains = {}, {}
        for table, values in ENUMS.items():
            self.rows[table] = [dict(id=i, name=name, label=label) for i, name, label in values]
        self.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=epoch, utcTime="2026-10-01T12:00:00", localTime="2026-10-01T12:00:00")
        self.describe("META_DATA_EXPORT", EXPORT_PRODUCT_NAME="NVIDIA Nsight Systems", EXPORT_PRODUCT_VERSION=product,
                      EXPORT_SCHEMA_VERSION=version, EXPORT_CONFIG_TIME_SHIFT=str(epoch if normalized else 0), EXPORT_HOST="node-17")
        self.describe("META_DATA_CAPTURE", **{"PROCESS_0:COMMAND": "python3", "PROCESS_0:ENVIRONMENT_VARIABLE": "API_TOKEN=not-for-you"})
        if collects is not None:
            self.describe("META_DATA_CAPTURE", **{"PROCESS_0:COLLECT_GPU_MEMORY_USAGE": collects})
        # The recorder stores environments of other processes among the texts: NUL-separated, referred to by nobody.
        self.text("LD_PRELOAD=\0API_TOKEN=not-for-you\0HOME=/home/someone-else")

    def add(self, table, **fields):
        self.rows[table].append(fields)

    def describe(self, table, **entries):
        for name, value in entries.items():
            self.add(table, name=name, value=value)

    def text(self, text):
        if text not in self.texts:
            self.texts[text] = len(self.texts) + 1
            self.add("StringIds", id=self.texts[text], value=text)
        return self.texts[text]

    def chain(self, frames):
        """`frames`: (symbol, module) innermost first; a symbol of None could not be resolved."""
        if frames not in self.chains:
            self.chains[frames] = len(self.chains) + 1
            for depth, (symbol, module) in enumerate(frames):
                self.add("CUDA_CALLCHAINS", id=self.chains[frames], symbol=self.text(symbol or "0x7f52a81c33d0"), module=self.text(module),
                         unresolved=int(symbol is None), originalIP=0x7F52A81C0000 + depth, stackDepth=depth)
        return self.chains[frames]

    def process(self, pid, name):
        return Process(self, pid, name)

    def gpu(self, number, name, memory):
        self.add("TARGET_INFO_GPU", vmId=HOST, id=number, name=name, totalMemory=memory, cuDevice=number, computeMajor=8, computeMinor=0)

    def write(self):
        """The file's bytes. Tables are lazy, as by default: none without rows. The large ones come last, as they do in real files:
        one that is cut off loses the end of them."""
        handle, path = tempfile.mkstemp(suffix=".sqlite")
        os.close(handle)
        try:
            connection = sqlite3.connect(path)
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            large = ("CUPTI", "NVTX")
            present = sorted((name for name, rows in self.rows.items() if rows), key=lambda name: (name.startswith(large), name))
            for name in present:
                columns = ", ".join(f'"{column}" {declared}' for column, declared in self.tables[name])
                key = ", PRIMARY KEY (id, stackDepth)" if name == "CUDA_CALLCHAINS" else ""
                connection.execute(f"CREATE TABLE {name} ({columns}{key})")
            for name in present:
                self._insert(connection, name)
            connection.commit()
            connection.close()
            with open(path, "rb") as file:
                return file.read()
        finally:
            os.remove(path)

    def _insert(self, connection, table):
        columns = [column for column, _ in self.tables[table]]
        shift = self.epoch if self.normalized else 0
        for row in self.rows[table]:
            unknown = set(row) - set(columns)
            assert not unknown, f"{table} has no {unknown} in {self.version}"
            values = [row[c] + shift if c in ("start", "end", "timestamp") and row.get(c) is not None else row.get(c) for c in columns]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", values)
