"""Tables of a Nsight Systems SQLite export, as far as a memory viewer meets them. Columns are those of the real schema; they differ
from version to version. Not all columns of kernels and of the machine's description are written."""

MEMORY = ("start globalPid deviceId contextId address pc bytes memKind memoryOperationType name:TEXT? correlationId? "
          "{stream}localMemoryPoolAddress? localMemoryPoolReleaseThreshold? localMemoryPoolSize? localMemoryPoolUtilizedSize? "
          "importedMemoryPoolAddress? importedMemoryPoolProcessId?")

TABLES = {
    "StringIds": "id:KEY value:TEXT",
    "TARGET_INFO_SYSTEM_ENV": "globalVid? devStateName:TEXT name:TEXT nameEnum value:TEXT",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs? utcTime:TEXT? localTime:TEXT?",
    "ANALYSIS_DETAILS": "globalVid duration startTime stopTime",
    "TARGET_INFO_GPU": "vmId id name:TEXT? busLocation:TEXT? totalMemory? smCount? uuid:TEXT? cuDevice? computeMajor? computeMinor?",
    "META_DATA_CAPTURE": "name:TEXT value:TEXT?",
    "META_DATA_EXPORT": "name:TEXT value:TEXT?",
    "PROCESSES": "globalPid? pid? name:TEXT?",
    "ThreadNames": "nameId priority? globalTid?",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": MEMORY,
    "CUDA_GPU_MEMORY_POOL_EVENTS": ("start globalPid deviceId address operationType poolType correlationId? minBytesToKeep? "
                                    "localMemoryPoolReleaseThreshold? localMemoryPoolSize? localMemoryPoolUtilizedSize?"),
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start end eventClass globalTid? correlationId? nameId returnValue callchainId?",
    "CUDA_CALLCHAINS": "id symbol module unresolved? originalIP? stackDepth",
    "NVTX_EVENTS": ("start end? eventType rangeId? category? color? text:TEXT? globalTid? endGlobalTid? textId? domainId? uint64Value? "
                    "int64Value? doubleValue:REAL? uint32Value? int32Value? floatValue:REAL? jsonTextId? jsonText:TEXT?{binary}"),
    "CUPTI_ACTIVITY_KIND_KERNEL": ("start end deviceId contextId {green}streamId correlationId? globalPid? demangledName shortName "
                                   "gridX gridY gridZ blockX blockY blockZ"),
    "CUPTI_ACTIVITY_KIND_MEMCPY": ("start end deviceId contextId {green}streamId correlationId? globalPid? bytes copyKind srcKind? "
                                   "dstKind?"),
    "CUPTI_ACTIVITY_KIND_MEMSET": "start end deviceId contextId {green}streamId correlationId? globalPid? value bytes memKind?",
    "MPI_RANKS": "globalTid rank",
}
NEWER_TABLES = {
    "TARGET_INFO_CUDA_DEVICE": "gpuId cudaId pid uuid:TEXT? numMultiprocessors?",
    "DIAGNOSTIC_EVENT": "timestamp timestampType source severity text:TEXT globalPid?",
}

KINDS = ("Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown")
ENUMS = {
    "ENUM_CUDA_DEV_MEM_EVENT_OPER": [(0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation"),
                                     (1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation")],
    "ENUM_CUDA_MEM_KIND": [(i, "CUDA_MEMOPR_MEMORY_KIND_" + kind.upper().replace(" ", "_"), kind) for i, kind in enumerate(KINDS)],
    "ENUM_CUDA_MEMPOOL_OPER": [(i, "CUDA_MEMPOOL_OPERATION_TYPE_" + name.upper(), name)
                               for i, name in enumerate(("Invalid", "Created", "Destroyed", "Trimmed"))],
    "ENUM_CUDA_MEMPOOL_TYPE": [(i, "CUDA_MEMPOOL_TYPE_" + name.upper(), name) for i, name in enumerate(("Invalid", "Local", "Imported"))],
    "ENUM_NSYS_EVENT_TYPE": [(33, "NvtxCategory", "NvtxCategory"), (34, "NvtxMark", "NvtxMark"), (59, "NvtxPushPopRange", "NvtxPushPopRange"),
                             (60, "NvtxStartEndRange", "NvtxStartEndRange"), (75, "NvtxDomainCreate", "NvtxDomainCreate")],
}


def version_of(text):
    return tuple(int(part) for part in text.split("."))


def tables_of(version):
    """Name → list of columns (name, declaration) of a schema version such as "3.7.2"."""
    newer = version_of(version) >= (3, 16)
    parts = {"stream": "streamId? " if newer else "", "binary": " binaryData:TEXT?" if newer else "", "green": "greenContextId? " if newer else ""}
    specs = TABLES | (NEWER_TABLES if newer else {})
    tables = {name: [_column(word) for word in spec.format(**parts).split()] for name, spec in specs.items()}
    return tables | {name: [_column("id:KEY"), _column("name:TEXT?"), _column("label:TEXT?")] for name in ENUMS}


def _column(word):
    name, _, kind = word.rstrip("?").partition(":")
    declared = {"": "INTEGER", "KEY": "INTEGER"}.get(kind, kind)
    return name, declared + ("" if word.endswith("?") else " NOT NULL") + (" PRIMARY KEY" if kind == "KEY" else "")
