#include "core/base/memory_limit.h"

#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/column.h"
#include "tests/support/sanitizers.h"

namespace highwater {

namespace {

constexpr std::size_t kMebibyte = 1024 * 1024;

/// Sets a limit this far above the currently allocated memory, and removes it at the end.
class MemoryLimitTest : public testing::Test
{
protected:
    void allowMore(std::size_t bytes)
    {
        setMemoryLimit(static_cast<std::uint64_t>(allocatedBytes()) + bytes);
    }
    ~MemoryLimitTest() override { setMemoryLimit(0); }

    const MemoryLimitScope m_limited;
};

} // namespace

TEST_F(MemoryLimitTest, CountsWhatIsAllocatedAndFreed)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "a sanitizer has its own operator new";
    const std::int64_t before = allocatedBytes();
    auto memory = std::make_unique<std::vector<char>>(32 * kMebibyte);
    EXPECT_NEAR(static_cast<double>(allocatedBytes() - before), 32.0 * kMebibyte, 1.0 * kMebibyte);
    memory.reset();
    EXPECT_NEAR(static_cast<double>(allocatedBytes() - before), 0, 1.0 * kMebibyte);
}

TEST_F(MemoryLimitTest, CountsColumnsWhereverTheyMove)
{
    const std::int64_t before = allocatedBytes();
    Column<int> column;
    for (int i = 0; i < 4 * static_cast<int>(kMebibyte); ++i)
        column.push_back(i);
    EXPECT_GE(allocatedBytes() - before, static_cast<std::int64_t>(16 * kMebibyte));
    column = Column<int>();
    EXPECT_NEAR(static_cast<double>(allocatedBytes() - before), 0, 1.0 * kMebibyte);
}

TEST_F(MemoryLimitTest, RefusesWhatWouldExceedItAndNothingElse)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "a sanitizer has its own operator new";
    allowMore(16 * kMebibyte);
    EXPECT_THROW(std::vector<char>(32 * kMebibyte), std::bad_alloc);
    EXPECT_EQ(new (std::nothrow) char[32 * kMebibyte], nullptr);
    Column<char> column;
    EXPECT_THROW(column.resize(32 * kMebibyte), std::bad_alloc);
    EXPECT_NO_THROW(std::vector<char>(8 * kMebibyte));
}

TEST_F(MemoryLimitTest, KeepsAColumnThatMayNotGrow)
{
    Column<int> column;
    column.push_back(7);
    allowMore(kMebibyte);
    EXPECT_THROW(column.reserve(kMebibyte), std::bad_alloc);
    EXPECT_EQ(column[0], 7);
    EXPECT_EQ(column.size(), 1u);
}

TEST_F(MemoryLimitTest, HoldsOnlyForThreadsInsideAScope)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "a sanitizer has its own operator new";
    allowMore(kMebibyte);
    bool refused = true;
    std::thread([&] { refused = !std::unique_ptr<char[]>(new (std::nothrow) char[8 * kMebibyte]); }).join();
    EXPECT_FALSE(refused);
    EXPECT_EQ(new (std::nothrow) char[8 * kMebibyte], nullptr);
}

TEST_F(MemoryLimitTest, CanBeReportedOutsideTheScopeThatRanOutOfMemory)
{
    const MemoryLimitScope outside(false);
    setMemoryLimit(1);
    std::string text;
    try {
        const MemoryLimitScope limited;
        Column<char>().reserve(kMebibyte);
    } catch (const std::bad_alloc&) {
        text = outOfMemoryText();
    }
    setMemoryLimit(0);
    EXPECT_EQ(text, "needs more memory than --max-memory allows (1 B)");
}

TEST_F(MemoryLimitTest, NamesTheLimitOrTheSystem)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "a sanitizer has its own operator new";
    allowMore(16 * kMebibyte);
    EXPECT_EQ(new (std::nothrow) char[32 * kMebibyte], nullptr);
    EXPECT_NE(outOfMemoryText().find("--max-memory"), std::string::npos);
    setMemoryLimit(0);
    EXPECT_EQ(new (std::nothrow) char[std::size_t{1} << 60], nullptr);
    EXPECT_EQ(outOfMemoryText(), "needs more memory than the system has");
}

} // namespace highwater
