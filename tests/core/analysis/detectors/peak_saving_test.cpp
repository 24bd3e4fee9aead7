#include "core/analysis/detectors/peak_saving.h"

#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

constexpr const char* kThree = R"(
alloc a 100
alloc b 200
free a
alloc c 50
end
)";

} // namespace

TEST(PeakSaving, IsNothingWithoutCuts)
{
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {}).bytes, 0);
}

TEST(PeakSaving, EndsAtTheNextHighestMoment)
{
    // Without a: 0, 200, 200, 200, 250 instead of a peak of 300.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0}}).bytes, 50);
}

TEST(PeakSaving, OfEverythingIsThePeak)
{
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0}, {1}, {2}}).bytes, 300);
}

TEST(PeakSaving, CountsACutOnlyWhereItHolds)
{
    // a is freed at event 1, when b is allocated: 100, 200, …; the peak is 250 at the end.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0, 1}}).bytes, 50);
    // b is missing while a lives, and is back before c is allocated.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{1, -1, 4}}).bytes, 50);
    // b is back directly after event 1, so nothing is saved.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{1, -1, 1}}).bytes, 0);
}

} // namespace highwater
