#include "app/loading/summary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

TEST(SummaryFile, LeavesStandardInputUnread)
{
    const test::TemporaryFolder folder;
    const int file = ::open(folder.write("rank0.pickle", "0123456789").c_str(), O_RDONLY | O_CLOEXEC);
    const int input = ::dup(STDIN_FILENO);
    ::dup2(file, STDIN_FILENO);
    const Result<bool> isSummary = isSummaryFile("-");
    const off_t place = ::lseek(file, 0, SEEK_CUR); // shared with standard input
    ::dup2(input, STDIN_FILENO);
    ::close(input);
    ::close(file);
    ASSERT_TRUE(isSummary);
    EXPECT_FALSE(*isSummary);
    EXPECT_EQ(place, 0);
}

} // namespace highwater
