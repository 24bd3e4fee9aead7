/* cuSOLVER: the size of a decomposition's work space, and that every decomposition succeeded: its "info"
   is 0. */
#include <stdlib.h>

#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/words.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kSolverSuccess = 0,
    kSolverNoMemory = 2,
    kPanelColumns = 64,
    kHandleBytes = 256,
    kOneMatrix = 0
};

static int newHandle(void** result)
{
    *result = calloc(1, kHandleBytes);
    return *result ? kSolverSuccess : kSolverNoMemory;
}

static int dropHandle(void* handle)
{
    free(handle);
    return kSolverSuccess;
}

#define HANDLE(create, destroy)                                                                              \
    STAND_IN int create(void** result)                                                                       \
    {                                                                                                        \
        return newHandle(result);                                                                            \
    }                                                                                                        \
    STAND_IN int destroy(void* handle)                                                                       \
    {                                                                                                        \
        return dropHandle(handle);                                                                           \
    }
HANDLE(cusolverDnCreate, cusolverDnDestroy)
HANDLE(cusolverDnCreateParams, cusolverDnDestroyParams)
HANDLE(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo)
HANDLE(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo)

STAND_IN int cusolverDnSetStream(void** handle, void* stream)
{
    *handle = stream;
    return kSolverSuccess;
}

#define SETTING(name)                                                                                        \
    STAND_IN int name(void)                                                                                  \
    {                                                                                                        \
        return kSolverSuccess;                                                                               \
    }
SETTING(cusolverDnXgesvdjSetTolerance)
SETTING(cusolverDnXgesvdjSetMaxSweeps)
SETTING(cusolverDnXgesvdjSetSortEig)
SETTING(cusolverDnXsyevjSetSortEig)

/* The sizes are not documented. A blocked factorization works on a panel of columns; for
   eigenvalues and singular values, twice the matrix is assumed. */
static size_t panel(size_t rows, size_t columns)
{
    return (rows > columns ? rows : columns) * kPanelColumns;
}

static size_t wholeMatrix(size_t rows, size_t columns)
{
    return 2 * rows * columns + 64;
}

static size_t estimatedRoom(size_t (*room)(size_t, size_t), const Words* words, int rows_at, int columns_at)
{
    reportNote("the work space of cuSOLVER is estimated");
    return room(sizeAt(words, rows_at), sizeAt(words, columns_at));
}

/* The size is in elements of the matrix's type. */
#define ROOM(name, room, rows_at, columns_at, result_at)                                                     \
    STAND_IN int cusolverDn##name##_bufferSize(void* handle, ...)                                            \
    {                                                                                                        \
        WORDS(result_at);                                                                                    \
        *(int*)words.at[result_at] = (int)estimatedRoom(room, &words, rows_at, columns_at);                  \
        return kSolverSuccess;                                                                               \
    }
/* The sizes are in bytes, on the device and on the host. */
#define ROOM_BYTES(name, room, rows_at, columns_at, result_at)                                               \
    STAND_IN int cusolverDn##name##_bufferSize(void* handle, ...)                                            \
    {                                                                                                        \
        WORDS(result_at + 1);                                                                                \
        *(size_t*)words.at[result_at] = estimatedRoom(room, &words, rows_at, columns_at) * sizeof(double);   \
        *(size_t*)words.at[result_at + 1] = 0;                                                               \
        return kSolverSuccess;                                                                               \
    }
/* Sets one info, or with batch_at as many as there are matrices. */
static int solved(void** handle, const Words* words, int info_at, int batch_at)
{
    launchOn(*handle);
    setKnownZero((void*)words->at[info_at], (batch_at ? sizeAt(words, batch_at) : 1) * sizeof(int));
    return kSolverSuccess;
}

#define SOLVES(name, info_at, batch_at)                                                                      \
    STAND_IN int cusolverDn##name(void* handle, ...)                                                         \
    {                                                                                                        \
        WORDS(batch_at > info_at ? batch_at : info_at);                                                      \
        return solved(handle, &words, info_at, batch_at);                                                    \
    }

#define ROOM_OF_REAL(name, ...) ROOM(S##name, __VA_ARGS__) ROOM(D##name, __VA_ARGS__)
#define ROOM_OF_COMPLEX(name, ...) ROOM(C##name, __VA_ARGS__) ROOM(Z##name, __VA_ARGS__)
#define ROOM_OF_ALL(name, ...) ROOM_OF_REAL(name, __VA_ARGS__) ROOM_OF_COMPLEX(name, __VA_ARGS__)
#define REAL_SOLVES(name, ...) SOLVES(S##name, __VA_ARGS__) SOLVES(D##name, __VA_ARGS__)
#define COMPLEX_SOLVES(name, ...) SOLVES(C##name, __VA_ARGS__) SOLVES(Z##name, __VA_ARGS__)
#define ALL_SOLVE(name, ...) REAL_SOLVES(name, __VA_ARGS__) COMPLEX_SOLVES(name, __VA_ARGS__)

ROOM_OF_ALL(getrf, panel, 1, 2, 5)
ALL_SOLVE(getrf, 7, kOneMatrix)
ALL_SOLVE(getrs, 9, kOneMatrix)
ROOM_OF_ALL(potrf, panel, 2, 2, 5)
ALL_SOLVE(potrf, 7, kOneMatrix)
ALL_SOLVE(potrs, 8, kOneMatrix)
ALL_SOLVE(potrfBatched, 5, 6)
ALL_SOLVE(potrsBatched, 8, kOneMatrix)
ROOM_OF_ALL(geqrf, panel, 1, 2, 5)
ALL_SOLVE(geqrf, 8, kOneMatrix)
ROOM_OF_REAL(orgqr, panel, 1, 2, 7)
REAL_SOLVES(orgqr, 9, kOneMatrix)
ROOM_OF_COMPLEX(ungqr, panel, 1, 2, 7)
COMPLEX_SOLVES(ungqr, 9, kOneMatrix)
ROOM_OF_REAL(ormqr, panel, 3, 4, 11)
REAL_SOLVES(ormqr, 13, kOneMatrix)
ROOM_OF_COMPLEX(unmqr, panel, 3, 4, 11)
COMPLEX_SOLVES(unmqr, 13, kOneMatrix)
ROOM_OF_ALL(sytrf, panel, 1, 1, 4)
ALL_SOLVE(sytrf, 8, kOneMatrix)
ROOM_OF_ALL(gesvd, wholeMatrix, 1, 2, 3)
ALL_SOLVE(gesvd, 15, kOneMatrix)
ROOM_OF_ALL(gesvdj, wholeMatrix, 3, 4, 12)
ALL_SOLVE(gesvdj, 14, kOneMatrix)
ROOM_OF_ALL(gesvdjBatched, wholeMatrix, 2, 3, 11)
ALL_SOLVE(gesvdjBatched, 13, 15)
ROOM_OF_ALL(gesvdaStridedBatched, wholeMatrix, 3, 4, 16)
ALL_SOLVE(gesvdaStridedBatched, 18, 20)
ROOM_OF_REAL(syevd, wholeMatrix, 3, 3, 7)
REAL_SOLVES(syevd, 9, kOneMatrix)
ROOM_OF_COMPLEX(heevd, wholeMatrix, 3, 3, 7)
COMPLEX_SOLVES(heevd, 9, kOneMatrix)
ROOM_OF_REAL(syevj, wholeMatrix, 3, 3, 7)
REAL_SOLVES(syevj, 9, kOneMatrix)
ROOM_OF_COMPLEX(heevj, wholeMatrix, 3, 3, 7)
COMPLEX_SOLVES(heevj, 9, kOneMatrix)
ROOM_OF_REAL(syevjBatched, wholeMatrix, 3, 3, 7)
REAL_SOLVES(syevjBatched, 9, 11)
ROOM_OF_COMPLEX(heevjBatched, wholeMatrix, 3, 3, 7)
COMPLEX_SOLVES(heevjBatched, 9, 11)
ROOM_BYTES(Xpotrf, panel, 3, 3, 8)
SOLVES(Xpotrf, 12, kOneMatrix)
SOLVES(Xpotrs, 11, kOneMatrix)
ROOM_BYTES(Xgeqrf, panel, 2, 3, 10)
SOLVES(Xgeqrf, 14, kOneMatrix)
ROOM_BYTES(Xsyevd, wholeMatrix, 4, 4, 11)
SOLVES(Xsyevd, 15, kOneMatrix)
ROOM_BYTES(XsyevBatched, wholeMatrix, 4, 4, 11)
SOLVES(XsyevBatched, 15, 16)
ROOM_BYTES(Xgeev, wholeMatrix, 4, 4, 17)
SOLVES(Xgeev, 21, kOneMatrix)
ROOM_BYTES(Xsytrs, panel, 2, 2, 11)
SOLVES(Xsytrs, 15, kOneMatrix)
