/* cuSPARSE: descriptions of matrices; products and solutions, whose work space counts as 0. The size of a
   product of two sparse matrices is missing, since only the values decide it. */
#include <stdlib.h>

#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/words.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kSparseSuccess = 0,
    kSparseNoMemory = 2,
    kSparseHandleBytes = 256
};

#define DESCRIBES(create, destroy)                                                                           \
    STAND_IN int create(void** result)                                                                       \
    {                                                                                                        \
        *result = calloc(1, kSparseHandleBytes);                                                             \
        return *result ? kSparseSuccess : kSparseNoMemory;                                                   \
    }                                                                                                        \
    STAND_IN int destroy(void* handle)                                                                       \
    {                                                                                                        \
        free(handle);                                                                                        \
        return kSparseSuccess;                                                                               \
    }
#define DESCRIBED_TOO(create)                                                                                \
    STAND_IN int create(void** result)                                                                       \
    {                                                                                                        \
        return cusparseCreateCsr(result);                                                                    \
    }
DESCRIBES(cusparseCreate, cusparseDestroy)
DESCRIBES(cusparseCreateMatDescr, cusparseDestroyMatDescr)
DESCRIBES(cusparseCreateDnMat, cusparseDestroyDnMat)
DESCRIBES(cusparseCreateDnVec, cusparseDestroyDnVec)
DESCRIBES(cusparseCreateCsr, cusparseDestroySpMat)
DESCRIBED_TOO(cusparseCreateCoo)
DESCRIBED_TOO(cusparseCreateCsc)
DESCRIBED_TOO(cusparseCreateBsr)
DESCRIBES(cusparseSpSV_createDescr, cusparseSpSV_destroyDescr)
DESCRIBES(cusparseSpSM_createDescr, cusparseSpSM_destroyDescr)
DESCRIBES(cusparseCreateBsrsv2Info, cusparseDestroyBsrsv2Info)
DESCRIBES(cusparseCreateBsrsm2Info, cusparseDestroyBsrsm2Info)

STAND_IN int cusparseSetStream(void** handle, void* stream)
{
    *handle = stream;
    return kSparseSuccess;
}

STAND_IN const char* cusparseGetErrorString(int error)
{
    return error ? "error of the simulated cuSPARSE" : "success";
}

STAND_IN int cusparseGetVersion(void* handle, int* version)
{
    (void)handle;
    *version = profile()->cuda_version;
    return kSparseSuccess;
}

#define SETS(name)                                                                                           \
    STAND_IN int name(void)                                                                                  \
    {                                                                                                        \
        return kSparseSuccess;                                                                               \
    }
SETS(cusparseSetPointerMode)
SETS(cusparseSetMatDiagType)
SETS(cusparseSetMatFillMode)
SETS(cusparseSetMatIndexBase)
SETS(cusparseSetMatType)
SETS(cusparseSpMatSetAttribute)
SETS(cusparseCsrSetPointers)
SETS(cusparseCsrSetStridedBatch)
SETS(cusparseDnMatSetStridedBatch)

/* Reports that the diagonal has no zero. */
#define PIVOT(name)                                                                                          \
    STAND_IN int name(void* handle, void* info, int* position)                                               \
    {                                                                                                        \
        (void)handle, (void)info;                                                                            \
        *position = -1;                                                                                      \
        return kSparseSuccess;                                                                               \
    }
PIVOT(cusparseXbsrsv2_zeroPivot)
PIVOT(cusparseXbsrsm2_zeroPivot)

static int noRoom(void* result, size_t result_bytes)
{
    reportNote("the work space of cuSPARSE counts as 0");
    if (result_bytes == sizeof(int))
        *(int*)result = 0;
    else
        *(size_t*)result = 0;
    return kSparseSuccess;
}

#define NO_ROOM(name, type, result_at)                                                                       \
    STAND_IN int cusparse##name(void* handle, ...)                                                           \
    {                                                                                                        \
        WORDS(result_at);                                                                                    \
        return noRoom((void*)words.at[result_at], sizeof(type));                                             \
    }
#define MULTIPLIES(name)                                                                                     \
    STAND_IN int cusparse##name(void** handle)                                                               \
    {                                                                                                        \
        launchOn(*handle);                                                                                   \
        return kSparseSuccess;                                                                               \
    }
#define ALL_NO_ROOM(name, ...)                                                                               \
    NO_ROOM(S##name, __VA_ARGS__)                                                                            \
    NO_ROOM(D##name, __VA_ARGS__) NO_ROOM(C##name, __VA_ARGS__) NO_ROOM(Z##name, __VA_ARGS__)
#define ALL_MULTIPLY(name) MULTIPLIES(S##name) MULTIPLIES(D##name) MULTIPLIES(C##name) MULTIPLIES(Z##name)

NO_ROOM(SpMM_bufferSize, size_t, 10)
MULTIPLIES(SpMM)
NO_ROOM(SpMV_bufferSize, size_t, 9)
MULTIPLIES(SpMV)
NO_ROOM(SDDMM_bufferSize, size_t, 10)
MULTIPLIES(SDDMM_preprocess)
MULTIPLIES(SDDMM)
NO_ROOM(SpSV_bufferSize, size_t, 9)
MULTIPLIES(SpSV_analysis)
MULTIPLIES(SpSV_solve)
NO_ROOM(SpSM_bufferSize, size_t, 10)
MULTIPLIES(SpSM_analysis)
MULTIPLIES(SpSM_solve)
NO_ROOM(Xcoosort_bufferSizeExt, size_t, 6)
MULTIPLIES(XcoosortByRow)
NO_ROOM(Xcsrsort_bufferSizeExt, size_t, 6)
MULTIPLIES(Xcsrsort)
MULTIPLIES(Xcoo2csr)
MULTIPLIES(CreateIdentityPermutation)
ALL_MULTIPLY(bsrmm)
ALL_MULTIPLY(bsrmv)
ALL_NO_ROOM(bsrsv2_bufferSize, int, 11)
ALL_MULTIPLY(bsrsv2_analysis)
ALL_MULTIPLY(bsrsv2_solve)
ALL_NO_ROOM(bsrsm2_bufferSize, int, 13)
ALL_MULTIPLY(bsrsm2_analysis)
ALL_MULTIPLY(bsrsm2_solve)
