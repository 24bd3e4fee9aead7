#include "core/run/note.h"

#include <gtest/gtest.h>

namespace highwater {
namespace {

TEST(Note, everyColorIsFoundByItsName)
{
    for (std::size_t i = 0; i < kNoteColorCount; ++i) {
        const auto color = static_cast<NoteColor>(i);
        EXPECT_EQ(noteColorFromText(toText(color)), color);
    }
    EXPECT_EQ(noteColorFromText("pink"), std::nullopt);
}

TEST(Note, theMomentBeforeTheFirstEventHasNoNumber)
{
    EXPECT_EQ(placeText(NotedMoment{-1}), "before the first event");
    EXPECT_EQ(placeText(NotedMoment{5701}), "event 5,701");
}

TEST(Note, aRangeIsNamedByItsFirstAndItsLastEvent)
{
    EXPECT_EQ(placeText(NotedRange{10, 100}), "events 10–99");
}

TEST(Note, anAllocationOlderThanTheTraceIsNamedByItsAddress)
{
    EXPECT_EQ(placeText(NotedAllocation{12, 0x7f00}), "allocation of event 12");
    EXPECT_EQ(placeText(NotedAllocation{-1, 0x7f00}), "allocation at 0x7f00");
}

TEST(Note, aRowOfStacksIsNamedByItsFirstLine)
{
    EXPECT_EQ(placeText(NotedRow{"stack", "a.py:1 f\nb.py:2 g"}), "stack a.py:1 f");
}

TEST(Note, aNoteOnTheWholeRunHasNoPlace)
{
    EXPECT_EQ(placeText(std::monostate{}), "");
}

} // namespace
} // namespace highwater
