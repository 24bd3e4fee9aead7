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

static int join(Communicator** result, int rank, int ranks, int device)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return kNcclSystemError;
    **result = (Communicator){rank, ranks, device, {{0}, false, rank, ranks, 0}};
    return kNcclSuccess;
}

STAND_IN int ncclCommInitRank(Communicator** result, int ranks, UniqueId id, int rank)
{
    const int error = join(result, rank, ranks, currentDevice());
    if (error == kNcclSuccess) {
        memcpy((*result)->exchange.id, id.bytes, kIdBytes);
        (*result)->exchange.is_usable = ranks > 1 && getenv("HIGHWATER_REHEARSAL");
        joinExchange(&(*result)->exchange);
    }
    return error;
}

STAND_IN int ncclCommInitRankConfig(Communicator** result, int ranks, UniqueId id, int rank, void* config)
{
    (void)config;
    return ncclCommInitRank(result, ranks, id, rank);
}

STAND_IN int ncclCommInitRankScalable(
    Communicator** result, int ranks, int rank, int id_count, UniqueId* ids, void* config)
{
    (void)id_count, (void)ids, (void)config;
    return join(result, rank, ranks, currentDevice());
}

STAND_IN int ncclCommInitAll(Communicator** result, int count, const int* devices)
{
    for (int i = 0; i < count; i++)
        if (join(&result[i], i, count, devices ? devices[i] : i) != kNcclSuccess)
            return kNcclSystemError;
    return kNcclSuccess;
}

/* Which ranks share the colour is unknown, so the new communicator has all ranks of its parent. */
STAND_IN int ncclCommSplit(Communicator* parent, int colour, int key, Communicator** result, void* config)
{
    (void)key, (void)config;
    *result = NULL;
    return colour < 0 ? kNcclSuccess : join(result, parent->rank, parent->ranks, parent->device);
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

STAND_IN int ncclMemAlloc(void** result, size_t bytes)
{
    *result = allocateAddresses(currentDevice(), bytes, kCounted);
    return *result ? kNcclSuccess : kNcclSystemError;
}

STAND_IN int ncclMemFree(void* begin)
{
    return releaseAddresses(begin, kCounted) ? kNcclSuccess : kNcclInvalidArgument;
}

STAND_IN int ncclRedOpCreatePreMulSum(
    int* operation, void* scalar, int type, int residence, Communicator* communicator)
{
    (void)scalar, (void)type, (void)residence, (void)communicator;
    *operation = 9;
    return kNcclSuccess;
}

STAND_IN int ncclRedOpDestroy(int operation, Communicator* communicator)
{
    (void)operation, (void)communicator;
    return kNcclSuccess;
}

static int transfer(void* target, const void* source, size_t bytes, void* stream)
{
    if (target && source && target != source)
        copyBytes(target, source, bytes);
    launchOn(stream);
    return kNcclSuccess;
}

static bool isExchanged(const Communicator* communicator, size_t bytes)
{
    return communicator->exchange.is_usable && bytes && bytes * (size_t)communicator->ranks <= kMaxExchanged;
}

/* Offers the bytes that this rank knows of its own data. */
static void offer(Communicator* communicator, const void* source, size_t bytes)
{
    unsigned char own[kMaxExchanged];
    offerBytes(&communicator->exchange, own, readKnownBytes(own, source, bytes));
}

static void take(Communicator* communicator, int rank, void* target, size_t bytes)
{
    unsigned char other[kMaxExchanged];
    const size_t known = takeOffered(&communicator->exchange, rank, other, bytes);
    copyBytes(target, other, known);
    forgetBytes((char*)target + known, bytes - known);
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
    static void name(int operation, void* results, const void* others, size_t count)                         \
    {                                                                                                        \
        number* const result = results;                                                                      \
        const number* const other = others;                                                                  \
        for (size_t i = 0; i < count; i++)                                                                   \
            result[i] = operation == kProduct ? (number)(result[i] * other[i])                               \
                : operation == kMax           ? (result[i] > other[i] ? result[i] : other[i])                \
                : operation == kMin           ? (result[i] < other[i] ? result[i] : other[i])                \
                                              : (number)(result[i] + other[i]);                                        \
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

static void reduceKnown(
    const void* source, void* target, size_t count, int type, int operation, Communicator* communicator)
{
    unsigned char reduced[kMaxExchanged], other[kMaxExchanged];
    const size_t bytes = count * bytesOf(type);
    Combine* const combine = combineOf(type, operation);
    bool are_known = combine != NULL;
    offer(communicator, source, bytes);
    for (int rank = 0; rank < communicator->ranks && are_known; rank++) {
        are_known = takeOffered(&communicator->exchange, rank, rank ? other : reduced, bytes) == bytes;
        if (are_known && rank)
            combine(operation, reduced, other, count);
    }
    if (are_known)
        copyBytes(target, reduced, bytes);
    else
        forgetBytes(target, bytes);
}

STAND_IN int ncclAllReduce(const void* source, void* target, size_t count, int type, int operation,
    Communicator* communicator, void* stream)
{
    if (!isExchanged(communicator, count * bytesOf(type)))
        return transfer(target, source, count * bytesOf(type), stream);
    reduceKnown(source, target, count, type, operation, communicator);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclReduce(const void* source, void* target, size_t count, int type, int operation, int root,
    Communicator* communicator, void* stream)
{
    (void)operation;
    return transfer(communicator->rank == root ? target : NULL, source, count * bytesOf(type), stream);
}

STAND_IN int ncclBroadcast(const void* source, void* target, size_t count, int type, int root,
    Communicator* communicator, void* stream)
{
    const size_t bytes = count * bytesOf(type);
    if (!isExchanged(communicator, bytes))
        return transfer(target, source, bytes, stream);
    if (communicator->rank == root) {
        offer(communicator, source, bytes);
        return transfer(target, source, bytes, stream);
    }
    communicator->exchange.turn++;
    take(communicator, root, target, bytes);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclBcast(
    void* buffer, size_t count, int type, int root, Communicator* communicator, void* stream)
{
    return ncclBroadcast(buffer, buffer, count, type, root, communicator, stream);
}

STAND_IN int ncclAllGather(
    const void* source, void* target, size_t count, int type, Communicator* communicator, void* stream)
{
    const size_t bytes = count * bytesOf(type);
    if (isExchanged(communicator, bytes)) {
        offer(communicator, source, bytes);
        for (int rank = 0; rank < communicator->ranks; rank++)
            take(communicator, rank, (char*)target + (size_t)rank * bytes, bytes);
        return transfer(NULL, NULL, 0, stream);
    }
    for (int rank = 0; rank < communicator->ranks; rank++)
        if ((char*)target + (size_t)rank * bytes != source)
            copyBytes((char*)target + (size_t)rank * bytes, source, bytes);
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclGather(const void* source, void* target, size_t count, int type, int root,
    Communicator* communicator, void* stream)
{
    return communicator->rank == root ? ncclAllGather(source, target, count, type, communicator, stream)
                                      : transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclReduceScatter(const void* source, void* target, size_t count, int type, int operation,
    Communicator* communicator, void* stream)
{
    (void)operation;
    const size_t bytes = count * bytesOf(type);
    return transfer(target, (const char*)source + (size_t)communicator->rank * bytes, bytes, stream);
}

STAND_IN int ncclAlltoAll(
    const void* source, void* target, size_t count, int type, Communicator* communicator, void* stream)
{
    return transfer(target, source, count * bytesOf(type) * (size_t)communicator->ranks, stream);
}

STAND_IN int ncclSend(
    const void* source, size_t count, int type, int peer, Communicator* communicator, void* stream)
{
    (void)source, (void)count, (void)type, (void)peer, (void)communicator;
    return transfer(NULL, NULL, 0, stream);
}

STAND_IN int ncclRecv(
    void* target, size_t count, int type, int peer, Communicator* communicator, void* stream)
{
    (void)peer, (void)communicator;
    forgetBytes(target, count * bytesOf(type));
    return transfer(NULL, NULL, 0, stream);
}
