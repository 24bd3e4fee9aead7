#include <gtest/gtest.h>

#include "importers/nsys/runtime_calls.h"

namespace highwater::nsys {

TEST(RuntimeCallName, LosesTheVersionButNotAShortNumber)
{
    EXPECT_EQ(withoutVersion("cudaMalloc_v3020"), "cudaMalloc");
    EXPECT_EQ(withoutVersion("cudaMallocAsync_v11020"), "cudaMallocAsync");
    EXPECT_EQ(withoutVersion("cuMemAlloc_v2"), "cuMemAlloc_v2");
    EXPECT_EQ(withoutVersion("cudaStreamGetCaptureInfo_v2_v11030"), "cudaStreamGetCaptureInfo_v2");
    EXPECT_EQ(withoutVersion("my_vector"), "my_vector");
}

TEST(RuntimeCallName, TellsWhatTakesAndGivesMemory)
{
    for (const char* name :
        {"cudaMalloc", "cudaMallocManaged", "cudaFreeAsync", "cudaHostAlloc", "cuMemAlloc_v2", "cuMemCreate"})
        EXPECT_TRUE(isMemoryCall(name)) << name;
    for (const char* name : {"cudaMemcpyAsync", "cudaMemsetAsync", "cuMemcpyHtoD_v2", "cudaLaunchKernel", ""})
        EXPECT_FALSE(isMemoryCall(name)) << name;
}

} // namespace highwater::nsys
