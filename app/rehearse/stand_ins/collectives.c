/* NCCL: collectives that complete at once. Ranks exchange small tensors that came from the host
   (exchange.h); of all other tensors, a rank sees its own data in place of the others'. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/exchange.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kNcclSuccess = 0,
    kNcclSystemError = 2,
    kNcclInvalidArgument = 4
};

typedef struct UniqueId
{
    char bytes[128];
} UniqueId;

typedef struct Communicator
{
    int rank, ranks, device;
    Exchange exchange;
} Communicator;

static size_t bytesOf(int type)
{
    /* int8, uint8, int32, uint32, int64, uint64, fp16, fp32, fp64, bf16, fp8, fp8 */
    static const size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return type >= 0 && type < 12 ? bytes[type] : 4;
}

STAND_IN int ncclGetVersion(int* version)
{
    *version = profile()->nccl_version;
    return kNcclSuccess;
}

STAND_IN int ncclGetUniqueId(UniqueId* id)
{
    memset(id, 7, sizeof *id);
    newExchangeId((unsigned char*)id->bytes);
    return kNcclSuccess;
}

static int join(Communicator** to, int rank, int ranks, int device)
{
    *to = calloc(1, sizeof **to);
    if (!*to)
        return kNcclSystemError;
    **to = (Communicator){rank, ranks, device, {{0}, false, rank, ranks, 0}};
    return kNcclSuccess;
}

STAND_IN int ncclCommInitRank(Communicator** to, int ranks, UniqueId id, int rank)
{
    const int error = join(to, rank, ranks, currentDevice());
    if (error == kNcclSuccess) {
        memcpy((*to)->exchange.id, id.bytes, kIdBytes);
        (*to)->exchange.is_usable = ranks > 1 && getenv("HIGHWATER_REHEARSAL");
        joinExchange(&(*to)->exchange);
    }
    return error;
}

STAND_IN int ncclCommInitRankConfig(Communicator** to, int ranks, UniqueId id, int rank, void* config)
{
    (void)config;
    return ncclCommInitRank(to, ranks, id, rank);
}

STAND_IN int ncclCommInitRankScalable(
    Communicator** to, int ranks, int rank, int id_count, UniqueId* ids, void* config)
{
    (void)id_count, (void)ids, (void)config;
    return join(to, rank, ranks, currentDevice());
}

STAND_IN int ncclCommInitAll(Communicator** to, int count, const int* devices)
{
    for (int i = 0; i < count; i++)
        if (join(&to[i], i, count, devices ? devices[i] : i) != kNcclSuccess)
            return kNcclSystemError;
    return kNcclSuccess;
}

/* The colours of the other ranks are unknown, so the new communicator has all of them. */
STAND_IN int ncclCommSplit(Communicator* from, int colour, int key, Communicator** to, void* config)
{
    (void)key, (void)config;
    *to = NULL;
    return colour < 0 ? kNcclSuccess : join(to, from->rank, from->ranks, from->device);
}

STAND_IN int ncclCommFinalize(Communicator* communicator)
{
    (void)communicator;
    return kNcclSuccess;
}

STAND_IN int ncclCommDestroy(Communicator* communicator)
{
    free(communicator);
    return kNcclSuccess;
}

STAND_IN int ncclCommAbort(Communicator* communicator)
{
    return ncclCommDestroy(communicator);
}

STAND_IN int ncclCommCount(const Communicator* communicator, int* count)
{
    *count = communicator->ranks;
    return kNcclSuccess;
}

STAND_IN int ncclCommUserRank(const Communicator* communicator, int* rank)
{
    *rank = communicator->rank;
    return kNcclSuccess;
}

STAND_IN int ncclCommCuDevice(const Communicator* communicator, int* device)
{
    *device = communicator->device;
    return kNcclSuccess;
}

STAND_IN int ncclCommGetAsyncError(Communicator* communicator, int* error)
{
    (void)communicator;
    *error = kNcclSuccess;
    return kNcclSuccess;
}

STAND_IN int ncclCommRegister(Communicator* communicator, void* buffer, size_t bytes, void** handle)
{
    (void)communicator, (void)bytes;
    *handle = buffer;
    return kNcclSuccess;
}

STAND_IN int ncclCommDeregister(Communicator* communicator, void* handle)
{
    (void)communicator, (void)handle;
    return kNcclSuccess;
}

STAND_IN const char* ncclGetErrorString(int error)
{
    return error == kNcclSuccess ? "no error" : "error of the simulated NCCL";
}

STAND_IN const char* ncclGetLastError(const Communicator* communicator)
{
    (void)communicator;
    return "";
}

STAND_IN int ncclGroupStart(void)
{
    return kNcclSuccess;
}

STAND_IN int ncclGroupEnd(void)
{
    return kNcclSuccess;
}

STAND_IN int ncclMemAlloc(void** to, size_t bytes)
{
    *to = allocateAddresses(currentDevice(), bytes, kCounted);
    return *to ? kNcclSuccess : kNcclSystemError;
}

STAND_IN int ncclMemFree(void* begin)
{
    return releaseAddresses(begin, kCounted) ? kNcclSuccess : kNcclInvalidArgument;
}

STAND_IN int ncclRedOpCreatePreMulSum(int* operation, void* scalar, int type, int residence, Communicator* of)
{
    (void)scalar, (void)type, (void)residence, (void)of;
    *operation = 9;
    return kNcclSuccess;
}

STAND_IN int ncclRedOpDestroy(int operation, Communicator* of)
{
    (void)operation, (void)of;
    return kNcclSuccess;
}

static int transfer(void* to, const void* from, size_t bytes, void* stream)
{
    if (to && from && to != from)
        copyBytes(to, from, bytes);
    launchOn(stream);
    return kNcclSuccess;
}

static bool isExchanged(const Communicator* of, size_t bytes)
{
    return of->exchange.is_usable && bytes && bytes * (size_t)of->ranks <= kMaxExchanged;
}

/* Offers the bytes that this rank knows of its own data. */
static void offer(Communicator* of, const void* from, size_t bytes)
{
    unsigned char own[kMaxExchanged];
    offerBytes(&of->exchange, own, readKnownBytes(own, from, bytes));
}

static void take(Communicator* of, int rank, void* to, size_t bytes)
{
    unsigned char other[kMaxExchanged];
    const size_t known = takeOffered(&of->exchange, rank, other, bytes);
    copyBytes(to, other, known);
    forgetBytes((char*)to + known, bytes - known);
}

enum
{
    kSum,
    kProduct,
    kMax,
    kMin,
    kAverage
};

#define COMBINE(name, number)                                                                                \
    static void name(int operation, void* into, const void* with, size_t count)                              \
    {                                                                                                        \
        number* const to = into;                                                                             \
        const number* const from = with;                                                                     \
        for (size_t i = 0; i < count; i++)                                                                   \
            to[i] = operation == kProduct ? (number)(to[i] * from[i])                                        \
                : operation == kMax       ? (to[i] > from[i] ? to[i] : from[i])                              \
                : operation == kMin       ? (to[i] < from[i] ? to[i] : from[i])                              \
                                          : (number)(to[i] + from[i]);                                             \
    }

COMBINE(combineInt8, int8_t)
COMBINE(combineUint8, uint8_t)
COMBINE(combineInt32, int32_t)
COMBINE(combineUint32, uint32_t)
COMBINE(combineInt64, int64_t)
COMBINE(combineUint64, uint64_t)
COMBINE(combineFloat, float)
COMBINE(combineDouble, double)

typedef void Combine(int, void*, const void*, size_t);

/* Returns NULL if the result is not computed here. */
static Combine* combineOf(int type, int operation)
{
    static Combine* const all[] = {combineInt8, combineUint8, combineInt32, combineUint32, combineInt64,
        combineUint64, NULL, combineFloat, combineDouble};
    return type >= 0 && type < 9 && operation >= kSum && operation < kAverage ? all[type] : NULL;
}

static void reduceKnown(const void* from, void* to, size_t count, int type, int operation, Communicator* of)
{
    unsigned char sum[kMaxExchanged], other[kMaxExchanged];
    const size_t bytes = count * bytesOf(type);
    Combine* const combine = combineOf(type, operation);
    bool are_known = combine != NULL;
    offer(of, from, bytes);
    for (int rank = 0; rank < of->ranks && are_known; rank++) {
        are_known = takeOffered(&of->exchange, rank, rank ? other : sum, bytes) == bytes;
        if (are_known && rank)
            combine(operation, sum, other, count);
    }
    if (are_known)
        copyBytes(to, sum, bytes);
    else
        forgetBytes(to, bytes);
}

STAND_IN int ncclAllReduce(
    const void* from, void* to, size_t count, int type, int operation, Communicator* of, void* stream)
{
    if (!isExchanged(of, count * bytesOf(type)))
        return transfer(to, from, count * bytesOf(type), stream);
    reduceKnown(from, to, count, type, operation, of);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclReduce(const void* from, void* to, size_t count, int type, int operation, int root,
    Communicator* of, void* stream)
{
    (void)operation;
    return transfer(of->rank == root ? to : NULL, from, count * bytesOf(type), stream);
}

STAND_IN int ncclBroadcast(
    const void* from, void* to, size_t count, int type, int root, Communicator* of, void* stream)
{
    const size_t bytes = count * bytesOf(type);
    if (!isExchanged(of, bytes))
        return transfer(to, from, bytes, stream);
    if (of->rank == root) {
        offer(of, from, bytes);
        return transfer(to, from, bytes, stream);
    }
    of->exchange.turn++;
    take(of, root, to, bytes);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclBcast(void* buffer, size_t count, int type, int root, Communicator* of, void* stream)
{
    return ncclBroadcast(buffer, buffer, count, type, root, of, stream);
}

STAND_IN int ncclAllGather(const void* from, void* to, size_t count, int type, Communicator* of, void* stream)
{
    const size_t bytes = count * bytesOf(type);
    if (isExchanged(of, bytes)) {
        offer(of, from, bytes);
        for (int rank = 0; rank < of->ranks; rank++)
            take(of, rank, (char*)to + (size_t)rank * bytes, bytes);
        return transfer(NULL, NULL, 0, stream);
    }
    for (int rank = 0; rank < of->ranks; rank++)
        if ((char*)to + (size_t)rank * bytes != from)
            copyBytes((char*)to + (size_t)rank * bytes, from, bytes);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclGather(
    const void* from, void* to, size_t count, int type, int root, Communicator* of, void* stream)
{
    return of->rank == root ? ncclAllGather(from, to, count, type, of, stream)
                            : transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclReduceScatter(
    const void* from, void* to, size_t count, int type, int operation, Communicator* of, void* stream)
{
    (void)operation;
    const size_t bytes = count * bytesOf(type);
    return transfer(to, (const char*)from + (size_t)of->rank * bytes, bytes, stream);
}

STAND_IN int ncclAlltoAll(const void* from, void* to, size_t count, int type, Communicator* of, void* stream)
{
    return transfer(to, from, count * bytesOf(type) * (size_t)of->ranks, stream);
}

STAND_IN int ncclSend(const void* from, size_t count, int type, int peer, Communicator* of, void* stream)
{
    (void)from, (void)count, (void)type, (void)peer, (void)of;
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclRecv(void* to, size_t count, int type, int peer, Communicator* of, void* stream)
{
    (void)peer, (void)of;
    forgetBytes(to, count * bytesOf(type));
    return transfer(NULL, NULL, 0, stream);
}
