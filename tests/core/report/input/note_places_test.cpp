#include "core/report/input/note_places.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using test::reportOf;
using test::RunOfReport;

namespace {

const char* const kRun = R"(
    stack a = model.py:1 forward
    stack b = model.py:2 loss
    alloc x 4MiB @a
    alloc y 1MiB @b
    free_once x
    alloc z 1MiB @a
    end
)";

Note at(NotePlace place)
{
    Note note;
    note.title = "note";
    note.place = std::move(place);
    return note;
}

std::string whereOf(const RunOfReport& run, const Note& note)
{
    return test::blocksOf<ReportNote>(reportOf(run, {note})).front().where;
}

std::string where(const NotePlace& place)
{
    return whereOf(RunOfReport(test::traceFromText(kRun)), at(place));
}

NotedDevice device(const RunOfReport& run)
{
    return {*run.parts.device, run.parts.name};
}

} // namespace

TEST(PlaceWords, TellWhatWasLiveAtAMoment)
{
    EXPECT_TRUE(test::hasParts(where(NotedMoment{1}), {"event 1, forward", "5 MiB (requested)"}));
    EXPECT_TRUE(test::hasParts(where(NotedMoment{-1}), {"before the first event", "0 B (requested)"}));
}

TEST(PlaceWords, TellTheHighestOfARange)
{
    EXPECT_TRUE(test::hasParts(where(NotedRange{0, 3}), {"events 0 to 2", "5 MiB (requested)", "(event 1)"}));
    EXPECT_TRUE(test::hasParts(
        where(NotedRange{2, 99}), {"events 2 to 3 (the file ends", "2 MiB (requested)", "(event 3)"}));
}

TEST(PlaceWords, TellAnAllocationWithItsLife)
{
    EXPECT_TRUE(test::hasParts(where(NotedAllocation{0, 0}),
        {"event 0", "4 MiB (requested)", "forward (model.py:1)", "in use at the peak"}));
    EXPECT_TRUE(test::hasParts(
        where(NotedAllocation{3, 0}), {"event 3", "1 MiB (requested)", "forward (model.py:1)", "not freed"}));
}

TEST(PlaceWords, TellWhatACallSiteHoldsAtThePeak)
{
    EXPECT_TRUE(test::hasParts(where(NotedSite{"forward (model.py:1)"}),
        {"forward (model.py:1)", "4 MiB (requested) in 1 allocation"}));
}

TEST(PlaceWords, SayThatThereIsNoSuchPlace)
{
    const char* const missing = "not in the file";
    EXPECT_TRUE(test::hasParts(where(NotedMoment{4}), {"event 4", missing}));
    EXPECT_TRUE(test::hasParts(where(NotedAllocation{2, 0}), {"allocation of event 2", missing}));
    EXPECT_TRUE(test::hasParts(where(NotedSite{"nobody"}), {"site nobody", missing}));
    EXPECT_TRUE(test::hasParts(where(NotedStep{9}), {"step 9", missing}));
    EXPECT_TRUE(test::hasParts(where(NotedLine{7}), {"line 7", missing}));
}

TEST(PlaceWords, SayWhatTheReportDoesNotShow)
{
    Note other = at(NotedMoment{1});
    other.file = "rank1.pickle";
    const RunOfReport run(test::traceFromText(kRun));
    EXPECT_TRUE(test::hasParts(whereOf(run, other), {"rank1.pickle, event 1", "cuda:0 of run.pickle"}));
    Note before = at(NotedMoment{1});
    before.run = NoteRun::Before;
    EXPECT_TRUE(test::hasParts(whereOf(run, before), {"before", "event 1", "one run"}));
}

TEST(PlaceWords, QuoteTheLineOfALog)
{
    const RunOfReport log(openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace, "train.err");
    EXPECT_TRUE(test::hasParts(whereOf(log, at(NotedLine{7})),
        {"train.err, line 7", "“torch.OutOfMemoryError: ", "allocate 17.66 GiB.”"}));
}

TEST(PlaceWords, TellBothSidesOfARow)
{
    const RunOfReport before(test::traceFromText(kRun), "a.pickle");
    const RunOfReport after(test::traceFromText(kRun), "b.pickle");
    for (const char* group : {"site", "category", "file"}) {
        const std::string key = std::string(group) == "site" ? "forward (model.py:1)"
            : std::string(group) == "file"                   ? "model.py"
                                           : std::string(toText(before.parts.device->categories.of(0)));
        const Report report = reportOf(before, after, {at(NotedRow{group, key})});
        EXPECT_NE(test::blocksOf<ReportNote>(report).front().where.find("before"), std::string::npos)
            << group;
    }
    const Report report = reportOf(before, after, {at(NotedRow{"site", "forward (model.py:1)"})});
    EXPECT_TRUE(test::hasParts(test::blocksOf<ReportNote>(report).front().where,
        {"forward (model.py:1)", "4 MiB (requested) before", "4 MiB (requested) after", "(0 B)"}));
}

TEST(NoteFlags, HaveTheNumbersOfTheNotes)
{
    const RunOfReport run(test::traceFromText(kRun));
    const Notes notes{at(NotedSite{"x"}), at(NotedMoment{2}), at(NotedRange{1, 3}), at(NotedMoment{77})};
    const std::vector<NoteFlag> flags = eventFlags(notes, device(run));
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_EQ(flags[0].number, 2);
    EXPECT_EQ(flags[0].first, 2);
    EXPECT_EQ(flags[0].last, 2);
    EXPECT_EQ(flags[1].number, 3);
    EXPECT_EQ(flags[1].first, 1);
    EXPECT_EQ(flags[1].last, 3);
}

TEST(NoteFlags, AreThoseOfTheirOwnRun)
{
    const RunOfReport run(test::traceFromText(kRun));
    Note before = at(NotedMoment{1});
    before.run = NoteRun::Before;
    EXPECT_TRUE(eventFlags({before}, device(run)).empty());
    EXPECT_EQ(eventFlags({before}, {*run.parts.device, "run.pickle", NoteRun::Before}).size(), 1u);
    Note elsewhere = at(NotedMoment{1});
    elsewhere.device = "cuda:7";
    EXPECT_TRUE(eventFlags({elsewhere}, device(run)).empty());
}

TEST(NoteFlags, StandInTheStepsThatTheyAreIn)
{
    const RunOfReport run(
        openTrace(test::samplePath("pytorch-snapshot/training-6-steps-annotated.pickle.zst"), {})->trace);
    const Step& third = run.parts.device->steps.steps[2];
    const std::vector<NoteFlag> flags = stepFlags(
        {at(NotedStep{2}), at(NotedRange{third.begin, third.end + 1}), at(NotedMoment{third.begin})},
        device(run));
    ASSERT_EQ(flags.size(), 3u);
    EXPECT_EQ(flags[0].first, 2);
    EXPECT_EQ(flags[0].last, 2);
    EXPECT_EQ(flags[1].first, 2);
    EXPECT_EQ(flags[1].last, 3);
    EXPECT_EQ(flags[2].first, 2);
}

TEST(NoteFlags, OfTwoRunsStandAtThePairsOfTheirSteps)
{
    const RunOfReport run(
        openTrace(test::samplePath("pytorch-snapshot/training-6-steps-annotated.pickle.zst"), {})->trace);
    AlignedSteps moved;
    moved.pairs.push_back({std::size_t{0}, {}});
    for (std::size_t i = 1; i < run.parts.device->steps.steps.size(); ++i)
        moved.pairs.push_back({i, i - 1});
    Note before = at(NotedStep{2});
    before.run = NoteRun::Before;
    const std::vector<NoteFlag> flags = stepPairFlags({before, at(NotedStep{2})},
        {*run.parts.device, "a", NoteRun::Before}, {*run.parts.device, "b"}, moved);
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_EQ(flags[0].first, 2);
    EXPECT_EQ(flags[1].first, 3);
}

TEST(NoteFlags, NeverStandWhereThereIsNothing)
{
    const RunOfReport run(test::traceFromText(kRun));
    const Notes notes{at(NotedMoment{-2}), at(NotedMoment{4}), at(NotedRange{-5, 2}), at(NotedRange{3, 3}),
        at(NotedRange{4, 9}), at(NotedStep{-1}), at(NotedStep{5}), at(NotedAllocation{2, 0}),
        at(NotedAllocation{-1, 77})};
    EXPECT_TRUE(eventFlags(notes, device(run)).empty());
    EXPECT_TRUE(stepFlags(notes, device(run)).empty());
    ASSERT_EQ(eventFlags({at(NotedMoment{-1})}, device(run)).size(), 1u) << "before the first event";
}

} // namespace highwater
