#include "app/cli/console/exit_code.h"

#include <gtest/gtest.h>

namespace highwater::cli {

TEST(ExitCode, IsThatOfTheManual)
{
    EXPECT_EQ(exitCodeOf({ErrorCode::CannotRead, "", {}}), 3);
    EXPECT_EQ(exitCodeOf({ErrorCode::UnknownFormat, "", {}}), 3);
    EXPECT_EQ(exitCodeOf({ErrorCode::Refused, "", {}}), 3);
    EXPECT_EQ(exitCodeOf({ErrorCode::LimitExceeded, "", {}}), 3);
    EXPECT_EQ(exitCodeOf({ErrorCode::BadRequest, "", {}}), 2);
    EXPECT_EQ(exitCodeOf({ErrorCode::Cancelled, "", {}}), 130);
}

TEST(ExitCode, OfSeveralOutcomesTheWorstCounts)
{
    EXPECT_EQ(worse(Done, Incomplete), Incomplete);
    EXPECT_EQ(worse(CannotRead, Incomplete), CannotRead);
    EXPECT_EQ(worse(Incomplete, CannotRead), CannotRead);
    EXPECT_EQ(worse(Done, CheckFailed), CheckFailed);
    EXPECT_EQ(worse(CannotRead, Interrupted), Interrupted);
    EXPECT_EQ(worse(Done, Done), Done);
}

} // namespace highwater::cli
