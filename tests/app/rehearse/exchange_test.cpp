#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "tests/app/rehearse/simulated_gpu.h"
#include "tests/support/sample_files.h"

namespace highwater::rehearse {

using test::kCudaSuccess;
using test::kMebibyte;
using test::kSmallMemory;
using test::SimulatedGpu;

namespace {

constexpr int kInt32 = 2;
constexpr int kSum = 0;
constexpr int kMax = 2;

struct UniqueId
{
    char bytes[128];
};

/// A child process that loads the library again.
class Rank
{
public:
    Rank(int rank, int ranks, const UniqueId& id)
        : m_gpu(kSmallMemory)
    {
        EXPECT_EQ(m_gpu("ncclCommInitRank", &m_communicator, ranks, id, rank), kCudaSuccess);
        EXPECT_EQ(m_gpu("cudaMalloc", &m_block, 2 * kMebibyte), kCudaSuccess);
    }

    void bring(std::int32_t value)
    {
        m_gpu("cudaMemcpy", m_block, static_cast<const void*>(&value), sizeof value, 1);
    }
    void broadcast(int root)
    {
        m_gpu("ncclBroadcast", static_cast<const void*>(m_block), m_block, std::size_t{1}, kInt32, root,
            m_communicator, static_cast<void*>(nullptr));
    }
    void reduce(int operation)
    {
        m_gpu("ncclAllReduce", static_cast<const void*>(m_block), m_block, std::size_t{1}, kInt32, operation,
            m_communicator, static_cast<void*>(nullptr));
    }
    bool isKnown() const
    {
        return m_gpu("highwaterKnowsBytes", static_cast<const void*>(m_block), sizeof(std::int32_t)) != 0;
    }
    std::int32_t value() const
    {
        std::int32_t got = -1;
        m_gpu("cudaMemcpy", static_cast<void*>(&got), static_cast<const void*>(m_block), sizeof got, 2);
        return got;
    }

private:
    SimulatedGpu m_gpu;
    void* m_communicator = nullptr;
    void* m_block = nullptr;
};

/// Two ranks whose files are in a folder of the test.
class RanksExchange : public testing::Test
{
protected:
    ~RanksExchange() override { ::unsetenv("HIGHWATER_REHEARSAL"); }

    void both(const std::function<void(Rank&)>& work)
    {
        std::thread other([&] { work(m_second); });
        work(m_first);
        other.join();
    }

    test::TemporaryFolder m_folder;
    int m_isSet = ::setenv("HIGHWATER_REHEARSAL", (m_folder.path() / "settings.json").c_str(), 1);
    Rank m_first{0, 2, {}};
    Rank m_second{1, 2, {}};
};

} // namespace

TEST_F(RanksExchange, WhatTheRootBroadcasts)
{
    m_first.bring(300'000);
    both([](Rank& rank) { rank.broadcast(0); });
    EXPECT_EQ(m_second.value(), 300'000);
    EXPECT_TRUE(m_second.isKnown());
}

TEST_F(RanksExchange, TheSumOfWhatAllBrought)
{
    m_first.bring(4);
    m_second.bring(5);
    both([](Rank& rank) { rank.reduce(kSum); });
    EXPECT_EQ(m_first.value(), 9);
    EXPECT_EQ(m_second.value(), 9);
    both([](Rank& rank) { rank.reduce(kMax); });
    EXPECT_EQ(m_second.value(), 9);
}

TEST_F(RanksExchange, NothingWhereOneOfThemDoesNotKnow)
{
    m_first.bring(4);
    both([](Rank& rank) { rank.reduce(kSum); });
    EXPECT_FALSE(m_first.isKnown());
    EXPECT_FALSE(m_second.isKnown());
}

} // namespace highwater::rehearse
