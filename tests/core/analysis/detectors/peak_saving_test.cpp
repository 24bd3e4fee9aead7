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
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {}), 0);
}

TEST(PeakSaving, EndsAtTheNextHighestMoment)
{
    // Without a: 0, 200, 200, 200, 250 in place of a peak of 300.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0}}), 50);
}

TEST(PeakSaving, OfEverythingIsThePeak)
{
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0}, {1}, {2}}), 300);
}

TEST(PeakSaving, CountsACutOnlyWhereItHolds)
{
    // a is gone from event 1 on, when b is born: 100, 200, …; the peak is 250 at the end.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{0, 1}}), 50);
    // b is gone while a lives, and back before c comes.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{1, -1, 4}}), 50);
    // b is back right after event 1 already: nothing is saved.
    EXPECT_EQ(peakSaving(test::DetectorCase(kThree).study, {{1, -1, 1}}), 0);
}

} // namespace highwater
