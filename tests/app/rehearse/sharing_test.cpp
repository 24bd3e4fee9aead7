#include <gtest/gtest.h>

#include "tests/app/rehearse/simulated_gpu.h"

namespace highwater::rehearse {

using test::kCudaSuccess;
using test::kMebibyte;
using test::kSmallMemory;
using test::SimulatedGpu;

TEST(StandIns, ShareMemoryWithOtherProcessesByAddressAlone)
{
    const SimulatedGpu one("memory=67108864");
    const SimulatedGpu other("memory=67108864");
    void* block = nullptr;
    one("cudaMalloc", &block, 32 * kMebibyte);
    struct Handle
    {
        char bytes[64];
    } handle = {};
    ASSERT_EQ(one("cudaIpcGetMemHandle", &handle, block), kCudaSuccess);
    const auto freeBytes = [&] {
        std::size_t free = 0;
        std::size_t total = 0;
        other("cudaMemGetInfo", &free, &total);
        return free;
    };
    const std::size_t before = freeBytes();
    void* seen = nullptr;
    ASSERT_EQ(other("cudaIpcOpenMemHandle", &seen, handle, 1u), kCudaSuccess);
    EXPECT_NE(seen, nullptr);
    EXPECT_EQ(freeBytes(), before); // shared memory counts only where it was allocated
    EXPECT_EQ(other("cudaIpcCloseMemHandle", seen), kCudaSuccess);
    EXPECT_NE(one("cudaIpcGetMemHandle", &handle, static_cast<void*>(&handle)), kCudaSuccess);
}

TEST(StandIns, DestroyWhatGraphsHoldWithItsLastReference)
{
    const SimulatedGpu gpu(kSmallMemory);
    int destroyed = 0;
    void* object = nullptr;
    const auto destroy = +[](void* count) { ++*static_cast<int*>(count); };
    ASSERT_EQ(
        gpu("cudaUserObjectCreate", &object, static_cast<void*>(&destroyed), destroy, 1u, 1u), kCudaSuccess);
    gpu("cudaGraphRetainUserObject", static_cast<void*>(nullptr), object, 1u, 0u);
    gpu("cudaUserObjectRelease", object, 1u);
    EXPECT_EQ(destroyed, 0);
    gpu("cudaUserObjectRelease", object, 1u);
    EXPECT_EQ(destroyed, 1);
}

} // namespace highwater::rehearse
