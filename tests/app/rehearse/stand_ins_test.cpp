#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/rehearse/simulated_gpu.h"

namespace highwater::rehearse {

using test::kCudaSuccess;
using test::kMebibyte;
using test::kSmallMemory;
using test::SimulatedGpu;

namespace {

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kNotReady = 600;

std::size_t freeBytes(const SimulatedGpu& gpu)
{
    std::size_t free = 0;
    std::size_t total = 0;
    gpu("cudaMemGetInfo", &free, &total);
    return free;
}

/// CUmemAllocationProp for a device.
struct Properties
{
    int type = 1, handles = 0, locationType = 1, location = 0;
    void* win32 = nullptr;
    unsigned char flags[8] = {};
};

std::uint64_t create(const SimulatedGpu& gpu, std::size_t bytes)
{
    const Properties properties;
    std::uint64_t handle = 0;
    EXPECT_EQ(gpu("cuMemCreate", &handle, bytes, &properties, 0ULL), kCudaSuccess);
    return handle;
}

std::uint64_t reserve(const SimulatedGpu& gpu, std::size_t bytes)
{
    std::uint64_t address = 0;
    EXPECT_EQ(
        gpu("cuMemAddressReserve", &address, bytes, std::size_t{0}, std::uint64_t{0}, 0ULL), kCudaSuccess);
    return address;
}

} // namespace

TEST(StandIns, GiveAddressesThatAreAlignedAndApart)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* first = nullptr;
    void* second = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &first, 3 * kMebibyte), kCudaSuccess);
    ASSERT_EQ(gpu("cudaMalloc", &second, kMebibyte), kCudaSuccess);
    const auto a = reinterpret_cast<std::uintptr_t>(first);
    const auto b = reinterpret_cast<std::uintptr_t>(second);
    EXPECT_EQ(a % (2 * kMebibyte), 0u);
    EXPECT_EQ(b % (2 * kMebibyte), 0u);
    EXPECT_TRUE(b + 2 * kMebibyte <= a || a + 4 * kMebibyte <= b);
}

TEST(StandIns, FillRegionsInTheirOrderFromTheBottomUp)
{
    const SimulatedGpu gpu("memory=67108864;regions=600000-c00000,0-400000");
    std::uintptr_t at[4] = {};
    for (int i = 0; i < 4; ++i) {
        void* block = nullptr;
        ASSERT_EQ(gpu("cudaMalloc", &block, (i == 1 ? 4 : 2) * kMebibyte), kCudaSuccess);
        at[i] = reinterpret_cast<std::uintptr_t>(block);
    }
    EXPECT_EQ(at[1], at[0] + 2 * kMebibyte);
    EXPECT_EQ(at[2], at[0] - 6 * kMebibyte);
    EXPECT_EQ(at[3], at[0] - 4 * kMebibyte);
    void* none = nullptr;
    EXPECT_EQ(gpu("cudaMalloc", &none, 2 * kMebibyte), kOutOfMemory);
}

TEST(StandIns, TakeWholePagesFromTheDevice)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 3 * kMebibyte), kCudaSuccess);
    EXPECT_EQ(freeBytes(gpu), 60 * kMebibyte);
    ASSERT_EQ(gpu("cudaFree", block), kCudaSuccess);
    EXPECT_EQ(freeBytes(gpu), 64 * kMebibyte);
}

TEST(StandIns, RunOutOfMemoryAtTheDevicesCapacity)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    EXPECT_EQ(gpu("cudaMalloc", &block, 65 * kMebibyte), kOutOfMemory);
    EXPECT_EQ(block, nullptr);
    EXPECT_EQ(gpu("cudaMalloc", &block, 64 * kMebibyte), kCudaSuccess);
}

TEST(StandIns, CountWhatLiesOutsideOfPyTorchOnceTheDeviceIsUsed)
{
    const SimulatedGpu gpu("memory=67108864;outside=8388608");
    EXPECT_EQ(freeBytes(gpu), 56 * kMebibyte);
    EXPECT_EQ(freeBytes(gpu), 56 * kMebibyte);
}

TEST(StandIns, KeepTheLastErrorUntilItIsFetched)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    gpu("cudaMalloc", &block, 65 * kMebibyte);
    EXPECT_EQ(gpu("cudaPeekAtLastError"), kOutOfMemory);
    EXPECT_EQ(gpu("cudaGetLastError"), kOutOfMemory);
    EXPECT_EQ(gpu("cudaGetLastError"), kCudaSuccess);
}

TEST(StandIns, RefuseToFreeWhatTheyDidNotGive)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 4 * kMebibyte), kCudaSuccess);
    EXPECT_EQ(gpu("cudaFree", static_cast<void*>(static_cast<char*>(block) + 512)), kInvalidValue);
    ASSERT_EQ(gpu("cudaFree", block), kCudaSuccess);
    EXPECT_EQ(gpu("cudaFree", block), kInvalidValue);
}

TEST(StandIns, HaveMemoryOfItsOwnForEachDevice)
{
    const SimulatedGpu gpu("devices=2;memory=67108864");
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 64 * kMebibyte), kCudaSuccess);
    ASSERT_EQ(gpu("cudaSetDevice", 1), kCudaSuccess);
    EXPECT_EQ(freeBytes(gpu), 64 * kMebibyte);
    EXPECT_NE(gpu("cudaSetDevice", 2), kCudaSuccess);
}

TEST(StandIns, FinishWorkAtOnceUnlessKernelsTakeTime)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* event = nullptr;
    gpu("cudaEventCreateWithFlags", &event, 0u);
    void* stream = nullptr;
    gpu("cudaStreamCreateWithPriority", &stream, 0u, 0);
    gpu("cudaMemsetAsync", static_cast<void*>(nullptr), 0, std::size_t{0}, stream);
    gpu("cudaEventRecord", event, stream);
    EXPECT_EQ(gpu("cudaEventQuery", event), kCudaSuccess);
}

TEST(StandIns, FinishEventsLateWhereKernelsTakeTime)
{
    const SimulatedGpu gpu("memory=67108864;kernel_ns=50000000");
    void* event = nullptr;
    gpu("cudaEventCreateWithFlags", &event, 0u);
    void* stream = nullptr;
    gpu("cudaStreamCreateWithPriority", &stream, 0u, 0);
    gpu("cudaMemsetAsync", static_cast<void*>(nullptr), 0, std::size_t{0}, stream);
    gpu("cudaEventRecord", event, stream);
    EXPECT_EQ(gpu("cudaEventQuery", event), kNotReady);
    EXPECT_EQ(gpu("cudaStreamSynchronize", stream), kCudaSuccess);
    EXPECT_EQ(gpu("cudaEventQuery", event), kCudaSuccess);
}

TEST(StandIns, MakeAStreamWaitForAnothersEvent)
{
    const SimulatedGpu gpu("memory=67108864;kernel_ns=50000000");
    void* event = nullptr;
    gpu("cudaEventCreateWithFlags", &event, 0u);
    void* busy = nullptr;
    void* idle = nullptr;
    gpu("cudaStreamCreateWithPriority", &busy, 0u, 0);
    gpu("cudaStreamCreateWithPriority", &idle, 0u, 0);
    gpu("cudaMemsetAsync", static_cast<void*>(nullptr), 0, std::size_t{0}, busy);
    gpu("cudaEventRecord", event, busy);
    EXPECT_EQ(gpu("cudaStreamQuery", idle), kCudaSuccess);
    gpu("cudaStreamWaitEvent", idle, event, 0u);
    EXPECT_EQ(gpu("cudaStreamQuery", idle), kNotReady);
}

TEST(StandIns, CountTheLaunchesOfACapture)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* stream = nullptr;
    gpu("cudaStreamCreateWithPriority", &stream, 0u, 0);
    ASSERT_EQ(gpu("cudaStreamBeginCapture", stream, 0), kCudaSuccess);
    int capturing = 0;
    gpu("cudaStreamIsCapturing", stream, &capturing);
    EXPECT_EQ(capturing, 1);
    gpu("cudaMemsetAsync", static_cast<void*>(nullptr), 0, std::size_t{0}, stream);
    void* graph = nullptr;
    ASSERT_EQ(gpu("cudaStreamEndCapture", stream, &graph), kCudaSuccess);
    std::size_t nodes = 0;
    gpu("cudaGraphGetNodes", graph, static_cast<void*>(nullptr), &nodes);
    EXPECT_EQ(nodes, 1u);
}

TEST(StandIns, MapPhysicalMemoryIntoReservedAddresses)
{
    const SimulatedGpu gpu(kSmallMemory);
    const std::uint64_t address = reserve(gpu, 256 * kMebibyte); // reserving addresses costs nothing
    EXPECT_EQ(freeBytes(gpu), 64 * kMebibyte);
    const std::uint64_t handle = create(gpu, 20 * kMebibyte);
    EXPECT_EQ(freeBytes(gpu), 44 * kMebibyte);
    EXPECT_EQ(gpu("cuMemMap", address, 20 * kMebibyte, std::size_t{0}, handle, 0ULL), kCudaSuccess);
    EXPECT_EQ(gpu("cuMemSetAccess", address, 20 * kMebibyte, static_cast<void*>(nullptr), std::size_t{1}),
        kCudaSuccess);
}

TEST(StandIns, KeepPhysicalMemoryWhileItIsMapped)
{
    const SimulatedGpu gpu(kSmallMemory);
    const std::uint64_t address = reserve(gpu, 64 * kMebibyte);
    const std::uint64_t handle = create(gpu, 20 * kMebibyte);
    gpu("cuMemMap", address, 20 * kMebibyte, std::size_t{0}, handle, 0ULL);
    gpu("cuMemRelease", handle);
    EXPECT_EQ(freeBytes(gpu), 44 * kMebibyte);
    EXPECT_EQ(gpu("cuMemUnmap", address, 20 * kMebibyte), kCudaSuccess);
    EXPECT_EQ(freeBytes(gpu), 64 * kMebibyte);
}

TEST(StandIns, RefuseMappingsThatCannotBe)
{
    const SimulatedGpu gpu(kSmallMemory);
    const std::uint64_t address = reserve(gpu, 32 * kMebibyte);
    const std::uint64_t handle = create(gpu, 20 * kMebibyte);
    EXPECT_EQ(gpu("cuMemMap", address + 20 * kMebibyte, 20 * kMebibyte, std::size_t{0}, handle, 0ULL),
        kInvalidValue);
    ASSERT_EQ(gpu("cuMemMap", address, 20 * kMebibyte, std::size_t{0}, handle, 0ULL), kCudaSuccess);
    EXPECT_EQ(gpu("cuMemMap", address, 20 * kMebibyte, std::size_t{0}, handle, 0ULL), kInvalidValue);
    EXPECT_EQ(gpu("cuMemUnmap", address, 10 * kMebibyte), kInvalidValue);
    EXPECT_EQ(gpu("cuMemSetAccess", address, 32 * kMebibyte, static_cast<void*>(nullptr), std::size_t{1}),
        kInvalidValue);
}

TEST(StandIns, RefusePhysicalMemoryBeyondTheCapacity)
{
    const SimulatedGpu gpu(kSmallMemory);
    const Properties properties;
    std::uint64_t handle = 0;
    EXPECT_EQ(gpu("cuMemCreate", &handle, 66 * kMebibyte, &properties, 0ULL), kOutOfMemory);
}

TEST(StandIns, HaveTheDevicesThatTheEnvironmentLeaves)
{
    const auto devicesWith = [](const char* list) {
        ::setenv("CUDA_VISIBLE_DEVICES", list, 1);
        const SimulatedGpu gpu("memory=67108864;devices=4");
        int count = -1;
        gpu("cudaGetDeviceCount", &count);
        ::unsetenv("CUDA_VISIBLE_DEVICES");
        return count;
    };
    EXPECT_EQ(devicesWith("0,1,2,3"), 4);
    EXPECT_EQ(devicesWith("6,7"), 2); // on a machine with eight
    EXPECT_EQ(devicesWith("GPU-1234,MIG-5"), 2);
    EXPECT_EQ(devicesWith("1,-1,2"), 1);
    EXPECT_EQ(devicesWith("0,1,2,3,4,5"), 4);
    EXPECT_EQ(devicesWith("-1"), 0);
    EXPECT_EQ(devicesWith(""), 0);
}

TEST(StandIns, GiveEachBlasHandleAnAddressOfItsOwn)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* first = nullptr;
    void* second = nullptr;
    gpu("cublasCreate_v2", &first);
    gpu("cublasCreate_v2", &second);
    EXPECT_NE(first, nullptr);
    EXPECT_NE(first, second);
}

TEST(StandIns, FindOneEngineForAConvolutionThatNeedsNoWorkspace)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* heuristics = nullptr;
    ASSERT_EQ(gpu("cudnnBackendCreateDescriptor", 5, &heuristics), kCudaSuccess);
    const std::int64_t sent[2] = {7, 8};
    std::int64_t got[2] = {};
    std::int64_t count = 0;
    const auto get = [&](int name, int type, std::int64_t wanted) {
        return gpu(
            "cudnnBackendGetAttribute", heuristics, name, type, wanted, &count, static_cast<void*>(got));
    };
    gpu("cudnnBackendSetAttribute", heuristics, 900, 3, std::int64_t{2}, static_cast<const void*>(sent));
    EXPECT_EQ(get(900, 3, 1), kCudaSuccess); // returns the attribute that was set, cut to the available space
    EXPECT_EQ(count, 2);
    EXPECT_EQ(got[0], 7);
    EXPECT_EQ(got[1], 0);
    EXPECT_EQ(get(402, 3, 1), kCudaSuccess); // workspace of a plan
    EXPECT_EQ(got[0], 0);
    get(202, 15, 0); // results of the heuristics
    EXPECT_EQ(count, 1);
}

TEST(StandIns, GatherARanksOwnDataInEveryPlace)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* communicator = nullptr;
    struct
    {
        char bytes[128];
    } id = {};
    ASSERT_EQ(gpu("ncclCommInitRank", &communicator, 2, id, 1), kCudaSuccess);
    void* block = nullptr;
    gpu("cudaMalloc", &block, 2 * kMebibyte);
    char* to = static_cast<char*>(block) + 512;
    const int sent = 7;
    gpu("cudaMemcpy", block, static_cast<const void*>(&sent), sizeof sent, 1);
    gpu("ncclAllGather", static_cast<const void*>(block), static_cast<void*>(to), std::size_t{1}, 2,
        communicator, static_cast<void*>(nullptr));
    int got[2] = {};
    gpu("cudaMemcpy", static_cast<void*>(got), static_cast<const void*>(to), sizeof got, 2);
    EXPECT_EQ(got[0], 7);
    EXPECT_EQ(got[1], 7);
}

TEST(StandIns, TellTheProfileInTheLayoutOfEachCuda)
{
    const SimulatedGpu twelve("name=L4;cuda=12040;major=8;minor=9;multiprocessors=58;memory=67108864");
    const SimulatedGpu thirteen("name=L4;cuda=13020;major=8;minor=9;multiprocessors=58;memory=67108864");
    std::vector<char> bytes(2048, '\x7f');
    const auto intAt = [&](std::size_t offset) {
        int value = 0;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    };
    ASSERT_EQ(twelve("cudaGetDeviceProperties_v2", static_cast<void*>(bytes.data()), 0), kCudaSuccess);
    EXPECT_STREQ(bytes.data(), "L4");
    EXPECT_EQ(intAt(360), 8); // major
    EXPECT_EQ(intAt(388), 58); // multiprocessors
    EXPECT_EQ(intAt(640), 164 << 10); // shared memory of a multiprocessor, and its registers
    EXPECT_EQ(intAt(648), 65536);
    EXPECT_EQ(bytes[1032], '\x7f');
    bytes.assign(2048, '\x7f');
    ASSERT_EQ(thirteen("cudaGetDeviceProperties", static_cast<void*>(bytes.data()), 0), kCudaSuccess);
    EXPECT_EQ(intAt(360), 8);
    EXPECT_EQ(intAt(384), 58);
    EXPECT_EQ(intAt(624), 164 << 10);
    EXPECT_EQ(intAt(632), 65536);
    EXPECT_EQ(bytes[1008], '\x7f');
}

TEST(StandIns, FindDriverFunctionsByNameAndReportThoseTheyLack)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* function = nullptr;
    int status = 9;
    EXPECT_EQ(gpu("cudaGetDriverEntryPointByVersion", "cuMemCreate", &function, 12040u, 0ULL, &status),
        kCudaSuccess);
    EXPECT_EQ(status, 0);
    ASSERT_EQ(gpu("cudaGetDriverEntryPointByVersion", "cuNoSuchCall", &function, 12040u, 0ULL, &status),
        kCudaSuccess);
    ::testing::internal::CaptureStderr();
    EXPECT_NE(reinterpret_cast<int (*)()>(function)(), kCudaSuccess);
    reinterpret_cast<int (*)()>(function)();
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("cuNoSuchCall"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "once for two calls: " << said;
}

} // namespace highwater::rehearse
