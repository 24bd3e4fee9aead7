/* cuFFT: plans, and the size of their work space. */
#include <stddef.h>

#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kFourierSuccess = 0,
    kFourierInvalidPlan = 1,
    kMaxPlans = 1 << 16
};

/* Plans are numbers; this is the stream of each. */
static void* streams[kMaxPlans];
static int plan_count;

static bool isPlan(int plan)
{
    return plan >= 0 && plan < plan_count;
}

STAND_IN int cufftCreate(int* plan)
{
    if (plan_count == kMaxPlans)
        return kFourierInvalidPlan;
    *plan = __atomic_fetch_add(&plan_count, 1, __ATOMIC_RELAXED);
    return kFourierSuccess;
}

STAND_IN int cufftDestroy(int plan)
{
    return isPlan(plan) ? kFourierSuccess : kFourierInvalidPlan;
}

STAND_IN int cufftSetAutoAllocation(int plan, int on)
{
    (void)on;
    return isPlan(plan) ? kFourierSuccess : kFourierInvalidPlan;
}

STAND_IN int cufftSetStream(int plan, void* stream)
{
    if (!isPlan(plan))
        return kFourierInvalidPlan;
    streams[plan] = stream;
    return kFourierSuccess;
}

STAND_IN int cufftSetWorkArea(int plan, void* area)
{
    (void)area;
    return isPlan(plan) ? kFourierSuccess : kFourierInvalidPlan;
}

/* Returns the size of a complex number in bytes by cudaDataType: real and complex numbers of half, single
   and double precision. */
static size_t complexBytes(int type)
{
    switch (type) {
    case 1:
    case 5: return 16;
    case 2:
    case 6:
    case 14:
    case 15: return 4;
    default: return 8;
    }
}

/* Makes a plan. The documentation of cufftEstimateMany gives the size of the transformed numbers as the
   minimum work space of a plan, and eight times that as the maximum; the minimum is returned. Small powers
   of two need none in truth. */
STAND_IN int cufftXtMakePlanMany(int plan, int rank, const long long* sizes, const long long* inputs,
    long long input_stride, long long input_distance, int input_type, const long long* outputs,
    long long output_stride, long long output_distance, int output_type, long long batch, size_t* bytes,
    int type)
{
    (void)inputs, (void)input_stride, (void)input_distance, (void)input_type, (void)outputs;
    (void)output_stride, (void)output_distance, (void)output_type;
    if (!isPlan(plan))
        return kFourierInvalidPlan;
    reportNote("the work space of cuFFT is estimated");
    size_t count = (size_t)batch;
    for (int i = 0; i < rank; i++)
        count *= (size_t)sizes[i];
    *bytes = count * complexBytes(type);
    return kFourierSuccess;
}

STAND_IN int cufftXtExec(int plan, void* input, void* output, int direction)
{
    (void)input, (void)output, (void)direction;
    if (!isPlan(plan))
        return kFourierInvalidPlan;
    launchOn(streams[plan]);
    return kFourierSuccess;
}
