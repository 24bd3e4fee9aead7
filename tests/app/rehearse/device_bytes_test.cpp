#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/rehearse/simulated_gpu.h"

namespace highwater::rehearse {

using test::kCudaSuccess;
using test::kMebibyte;
using test::kSmallMemory;
using test::SimulatedGpu;

namespace {

char* allocate(const SimulatedGpu& gpu, std::size_t bytes)
{
    void* block = nullptr;
    EXPECT_EQ(gpu("cudaMalloc", &block, bytes), kCudaSuccess);
    return static_cast<char*>(block);
}

void bring(const SimulatedGpu& gpu, char* to, const std::vector<char>& bytes)
{
    gpu("cudaMemcpy", static_cast<void*>(to), static_cast<const void*>(bytes.data()), bytes.size(), 1);
}

std::vector<char> readBack(const SimulatedGpu& gpu, const char* from, std::size_t bytes)
{
    std::vector<char> got(bytes, '?');
    gpu("cudaMemcpy", static_cast<void*>(got.data()), static_cast<const void*>(from), bytes, 2);
    return got;
}

/// Reports an allocation as PyTorch's allocator does; negative bytes report a free.
void report(const SimulatedGpu& gpu, char* block, std::int64_t bytes)
{
    gpu.call<void>("_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE", static_cast<void*>(block),
        static_cast<long>(bytes), std::size_t{0}, std::size_t{0}, std::uint16_t{1});
}

} // namespace

TEST(StandIns, ReadBackWhatSmallCopiesBrought)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 4 * kMebibyte), kCudaSuccess);
    const std::vector<int> sent{1, 2, 3};
    std::vector<int> got(4, 9);
    gpu("cudaMemcpy", block, static_cast<const void*>(sent.data()), sizeof(int) * 3, 1);
    gpu("cudaMemcpy", static_cast<void*>(got.data()), static_cast<const void*>(block), sizeof(int) * 4, 2);
    EXPECT_EQ(got, (std::vector<int>{1, 2, 3, 0}));
}

TEST(StandIns, ReadZerosWhereNothingWasCopied)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 4 * kMebibyte), kCudaSuccess);
    std::vector<char> got(kMebibyte, 'x');
    gpu("cudaMemcpy", static_cast<void*>(got.data()), static_cast<const void*>(block), got.size(), 2);
    EXPECT_EQ(got, std::vector<char>(kMebibyte, '\0'));
}

namespace {

std::vector<std::size_t> observedBytes;

void observe(void* to, std::size_t bytes)
{
    observedBytes.push_back(bytes);
    *static_cast<char*>(to) = 7;
}

} // namespace

TEST(StandIns, ShowAnObserverWhatIsReadThatNobodySent)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* const block = allocate(gpu, 4 * kMebibyte);
    bring(gpu, block, {1, 2});
    gpu.call<void>("highwaterObserveReads", &observe);
    observedBytes.clear();
    EXPECT_EQ(readBack(gpu, block, 2), (std::vector<char>{1, 2}));
    EXPECT_TRUE(observedBytes.empty());
    EXPECT_EQ(readBack(gpu, block, 3), (std::vector<char>{7, 2, 0}));
    EXPECT_EQ(readBack(gpu, block + kMebibyte, 4).front(), 7);
    EXPECT_EQ(observedBytes, (std::vector<std::size_t>{3, 4}));
}

TEST(StandIns, KnowWhichBytesTheProgramSent)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* const block = allocate(gpu, 4 * kMebibyte);
    const auto knows = [&](const char* from, std::size_t bytes) {
        return gpu.call<int>("highwaterKnowsBytes", static_cast<const void*>(from), bytes) != 0;
    };
    bring(gpu, block, {1, 0, 1});
    EXPECT_TRUE(knows(block, 3));
    EXPECT_FALSE(knows(block, 4));
    gpu("cudaMemcpy", static_cast<void*>(block + 512), static_cast<const void*>(block), std::size_t{4}, 3);
    EXPECT_FALSE(knows(block + 512, 4)); // a copy knows only the bytes that its source knew
    gpu.call<void>("highwaterForgetBytes", static_cast<const void*>(block), std::size_t{1});
    EXPECT_FALSE(knows(block, 3));
}

TEST(StandIns, ForgetContentWithItsMemory)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* block = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &block, 64 * kMebibyte), kCudaSuccess);
    const int sent = 5;
    gpu("cudaMemcpy", block, static_cast<const void*>(&sent), sizeof sent, 1);
    gpu("cudaFree", block);
    void* again = nullptr;
    ASSERT_EQ(gpu("cudaMalloc", &again, 64 * kMebibyte), kCudaSuccess);
    ASSERT_EQ(again, block);
    int got = 9;
    gpu("cudaMemcpy", static_cast<void*>(&got), static_cast<const void*>(block), sizeof got, 2);
    EXPECT_EQ(got, 0);
}

TEST(StandIns, ForgetContentWhenTheAllocatorTakesOrGivesTheBlock)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* block = allocate(gpu, 4 * kMebibyte);
    for (const std::int64_t bytes : {512, -512}) {
        bring(gpu, block, {5, 6});
        EXPECT_EQ(readBack(gpu, block, 2), (std::vector<char>{5, 6}));
        report(gpu, block, bytes);
        EXPECT_EQ(readBack(gpu, block, 2), (std::vector<char>{0, 0}));
    }
}

TEST(StandIns, KeepContentBesideTheBlock)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* segment = allocate(gpu, 64 * kMebibyte);
    bring(gpu, segment, {1});
    bring(gpu, segment + 4 * kMebibyte - 1, {2, 3});
    bring(gpu, segment + 40 * kMebibyte + 511, {4, 5});
    report(gpu, segment + 4 * kMebibyte, 36 * kMebibyte + 512);
    EXPECT_EQ(readBack(gpu, segment, 1), (std::vector<char>{1}));
    EXPECT_EQ(readBack(gpu, segment + 4 * kMebibyte - 1, 2), (std::vector<char>{2, 0}));
    EXPECT_EQ(readBack(gpu, segment + 40 * kMebibyte + 511, 2), (std::vector<char>{0, 5}));
}

TEST(StandIns, ForgetTheRangeThatTheRecorderNames)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* block = allocate(gpu, 4 * kMebibyte);
    bring(gpu, block, {1, 2, 3, 4});
    gpu.call<void>("highwaterForgetBytes", static_cast<const void*>(block + 1), std::size_t{2});
    EXPECT_EQ(readBack(gpu, block, 4), (std::vector<char>{1, 0, 0, 4}));
}

/// The stand-ins keep at most 32 MiB of content; forgotten content makes room.
TEST(StandIns, HaveRoomForNewContentWhereTheOldIsForgotten)
{
    const SimulatedGpu gpu(kSmallMemory);
    char* segment = allocate(gpu, 64 * kMebibyte);
    const std::vector<char> part(32 << 10, 7);
    for (char* block : {segment, segment + 24 * kMebibyte}) {
        for (std::size_t at = 0; at < 24 * kMebibyte; at += part.size())
            bring(gpu, block + at, part);
        EXPECT_EQ(readBack(gpu, block + 24 * kMebibyte - part.size(), part.size()), part);
        for (std::size_t at = 0; at < 24 * kMebibyte; at += part.size())
            report(gpu, block + at, static_cast<std::int64_t>(part.size()));
    }
}

/// For example, a model's weights are copied before its first batch.
TEST(StandIns, RememberTheLastCopiesWhereThereWereTooMany)
{
    const SimulatedGpu gpu("memory=268435456");
    char* const weights = allocate(gpu, 100 * kMebibyte);
    for (std::size_t i = 0; i < 100; ++i)
        bring(gpu, weights + i * kMebibyte, std::vector<char>(kMebibyte, 'w'));
    char* const batch = allocate(gpu, 2 * kMebibyte);
    bring(gpu, batch, {'b'});
    EXPECT_EQ(readBack(gpu, batch, 1), std::vector<char>{'b'});
    EXPECT_EQ(readBack(gpu, weights + 99 * kMebibyte, 1), std::vector<char>{'w'});
    EXPECT_EQ(readBack(gpu, weights, 1), std::vector<char>{'\0'});
}

} // namespace highwater::rehearse
