/* cuBLAS and cuBLASLt: handles, settings, and the computations that return something to the host. All others
   are left to written functions that succeed. */
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/words.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kBlasSuccess = 0,
    kBlasNoMemory = 3,
    kBlasInvalidValue = 7
};

typedef struct BlasHandle
{
    void* stream;
    int math_mode, pointer_mode, atomics_mode;
    int device;
} BlasHandle;

/* Makes a handle. Each caller gets its own, since PyTorch keeps one workspace for each handle and stream. */
STAND_IN int cublasCreate_v2(BlasHandle** result)
{
    touchDevice(currentDevice());
    *result = calloc(1, sizeof **result);
    if (!*result)
        return kBlasNoMemory;
    (*result)->device = currentDevice();
    return kBlasSuccess;
}

STAND_IN int cublasDestroy_v2(BlasHandle* handle)
{
    free(handle);
    return kBlasSuccess;
}

STAND_IN int cublasSetStream_v2(BlasHandle* handle, void* stream)
{
    handle->stream = stream;
    return kBlasSuccess;
}

STAND_IN int cublasGetStream_v2(const BlasHandle* handle, void** stream)
{
    *stream = handle->stream;
    return kBlasSuccess;
}

STAND_IN int cublasSetWorkspace_v2(BlasHandle* handle, void* workspace, size_t bytes)
{
    (void)handle, (void)workspace, (void)bytes;
    return kBlasSuccess;
}

STAND_IN int cublasSetMathMode(BlasHandle* handle, int mode)
{
    handle->math_mode = mode;
    return kBlasSuccess;
}

STAND_IN int cublasGetMathMode(const BlasHandle* handle, int* mode)
{
    *mode = handle->math_mode;
    return kBlasSuccess;
}

STAND_IN int cublasSetPointerMode_v2(BlasHandle* handle, int mode)
{
    handle->pointer_mode = mode;
    return kBlasSuccess;
}

STAND_IN int cublasGetPointerMode_v2(const BlasHandle* handle, int* mode)
{
    *mode = handle->pointer_mode;
    return kBlasSuccess;
}

STAND_IN int cublasSetAtomicsMode(BlasHandle* handle, int mode)
{
    handle->atomics_mode = mode;
    return kBlasSuccess;
}

STAND_IN int cublasGetAtomicsMode(const BlasHandle* handle, int* mode)
{
    *mode = handle->atomics_mode;
    return kBlasSuccess;
}

STAND_IN int cublasSetSmCountTarget(BlasHandle* handle, int count)
{
    (void)handle, (void)count;
    return kBlasSuccess;
}

STAND_IN int cublasGetVersion_v2(const BlasHandle* handle, int* version)
{
    (void)handle;
    *version = profile()->cuda_version * 10;
    return kBlasSuccess;
}

STAND_IN const char* cublasGetStatusString(int status)
{
    return status == kBlasSuccess ? "success" : "error of the simulated cuBLAS";
}

STAND_IN const char* cublasGetStatusName(int status)
{
    return status == kBlasSuccess ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_NOT_SUPPORTED";
}

/* Completes a decomposition. One of many small matrices reports for each matrix if it succeeded; all succeed.
   `info_at`, `infos_at` and `batch_at` are the positions of the result of the call, of the results of the
   matrices and of the number of matrices among the arguments; 0 means none. */
static int decomposed(BlasHandle* handle, const Words* words, int info_at, int infos_at, int batch_at)
{
    launchOn(handle->stream);
    if (info_at)
        *(int*)words->at[info_at] = 0;
    if (infos_at)
        setKnownZero((void*)words->at[infos_at], sizeAt(words, batch_at) * sizeof(int));
    return kBlasSuccess;
}

#define DECOMPOSES_ONE(name, info_at, infos_at, batch_at)                                                    \
    STAND_IN int cublas##name(BlasHandle* handle, ...)                                                       \
    {                                                                                                        \
        WORDS(batch_at);                                                                                     \
        return decomposed(handle, &words, info_at, infos_at, batch_at);                                      \
    }
#define DECOMPOSES(name, ...)                                                                                \
    DECOMPOSES_ONE(S##name, __VA_ARGS__)                                                                     \
    DECOMPOSES_ONE(D##name, __VA_ARGS__)                                                                     \
    DECOMPOSES_ONE(C##name, __VA_ARGS__)                                                                     \
    DECOMPOSES_ONE(Z##name, __VA_ARGS__)
DECOMPOSES(getrfBatched, 0, 5, 6)
DECOMPOSES(getrsBatched, 9, 0, 10)
DECOMPOSES(geqrfBatched, 6, 0, 7)
DECOMPOSES(gelsBatched, 9, 10, 11)

/* cuBLASLt. Its descriptions need no content: nothing reads back what was set. */
typedef struct Description
{
    unsigned char bytes[256];
} Description;

static int create(Description** result)
{
    *result = calloc(1, sizeof **result);
    return *result ? kBlasSuccess : kBlasNoMemory;
}

STAND_IN int cublasLtCreate(Description** result)
{
    return create(result);
}

STAND_IN int cublasLtDestroy(Description* handle)
{
    free(handle);
    return kBlasSuccess;
}

STAND_IN size_t cublasLtGetVersion(void)
{
    return (size_t)profile()->cuda_version * 10;
}

STAND_IN int cublasLtMatmulDescCreate(Description** result, int compute_type, int scale_type)
{
    (void)compute_type, (void)scale_type;
    return create(result);
}

STAND_IN int cublasLtMatmulDescDestroy(Description* description)
{
    free(description);
    return kBlasSuccess;
}

STAND_IN int cublasLtMatmulDescSetAttribute(
    Description* description, int attribute, const void* value, size_t bytes)
{
    (void)description, (void)attribute, (void)value, (void)bytes;
    return kBlasSuccess;
}

STAND_IN int cublasLtMatrixLayoutCreate(
    Description** result, int type, size_t rows, size_t columns, long stride)
{
    (void)type, (void)rows, (void)columns, (void)stride;
    return create(result);
}

STAND_IN int cublasLtMatrixLayoutDestroy(Description* layout)
{
    free(layout);
    return kBlasSuccess;
}

STAND_IN int cublasLtMatrixLayoutSetAttribute(
    Description* description, int attribute, const void* value, size_t bytes)
{
    (void)description, (void)attribute, (void)value, (void)bytes;
    return kBlasSuccess;
}

STAND_IN int cublasLtMatmulPreferenceCreate(Description** result)
{
    return create(result);
}

STAND_IN int cublasLtMatmulPreferenceDestroy(Description* preference)
{
    free(preference);
    return kBlasSuccess;
}

STAND_IN int cublasLtMatmulPreferenceSetAttribute(
    Description* description, int attribute, const void* value, size_t bytes)
{
    (void)description, (void)attribute, (void)value, (void)bytes;
    return kBlasSuccess;
}

typedef struct HeuristicResult
{
    unsigned long long algorithm[8];
    size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
} HeuristicResult;

/* Offers one algorithm, which needs no workspace. */
STAND_IN int cublasLtMatmulAlgoGetHeuristic(Description* handle, Description* what, Description* a,
    Description* b, Description* c, Description* d, Description* preference, int wanted,
    HeuristicResult* results, int* found)
{
    (void)handle, (void)what, (void)a, (void)b, (void)c, (void)d, (void)preference;
    if (wanted < 1)
        return kBlasInvalidValue;
    memset(results, 0, sizeof *results);
    *found = 1;
    return kBlasSuccess;
}

STAND_IN int cublasLtMatmulAlgoCheck(Description* handle, Description* what, Description* a, Description* b,
    Description* c, Description* d, const void* algorithm, HeuristicResult* result)
{
    (void)handle, (void)what, (void)a, (void)b, (void)c, (void)d, (void)algorithm;
    memset(result, 0, sizeof *result);
    return kBlasSuccess;
}

STAND_IN int cublasLtMatmul(Description* handle, Description* what, const void* alpha, const void* a,
    Description* a_layout, const void* b, Description* b_layout, const void* beta, const void* c,
    Description* c_layout, void* d, Description* d_layout, const void* algorithm, void* workspace,
    size_t workspace_bytes, void* stream)
{
    (void)handle, (void)what, (void)alpha, (void)a, (void)a_layout, (void)b, (void)b_layout, (void)beta;
    (void)c, (void)c_layout, (void)d, (void)d_layout, (void)algorithm, (void)workspace;
    (void)workspace_bytes;
    launchOn(stream);
    return kBlasSuccess;
}
