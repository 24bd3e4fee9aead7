// Tests of ranks merged from their summaries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/ranks/evidence_of_run.h"
#include "core/analysis/ranks/merged_rank.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

RankSummary rankOf(std::int64_t rank, Bytes peak, std::optional<std::int64_t> stage = {})
{
    RankSummary summary;
    summary.identity.rank = rank;
    summary.identity.pp = stage;
    summary.device.label = "cuda:0";
    summary.device.events = 100;
    summary.device.peakBytes = peak;
    summary.device.peakEvent = 45;
    summary.sites = {{"model (train.py:3)", peak, 4}};
    for (std::int64_t i = 0; i < 10; ++i) {
        SummaryStep step;
        step.name = "ProfilerStep#" + std::to_string(100 + i);
        step.source = "profiler-step";
        step.peakPhase = "backward";
        step.begin = 10 * i;
        step.end = 10 * i + 10;
        step.peakBytes = i == 4 ? peak : peak / 2;
        step.peakEvent = 10 * i + 5;
        summary.steps.push_back(step);
    }
    summary.settings = {{"expandable_segments", "False"}};
    return summary;
}

std::string pathOf(std::int64_t rank)
{
    return "run/rank" + std::to_string(rank) + ".hws";
}

void add(RankMerge& merge, const std::string& path, RankSummary summary)
{
    MainCandidate facts = mainCandidate(path, summary);
    merge.add(std::move(facts), std::move(summary));
}

/// Returns ranks of two stages, which differ by design.
RankMerge twelveRanks()
{
    RankMerge merge;
    for (std::int64_t rank = 0; rank < 12; ++rank)
        add(merge, pathOf(rank), rankOf(rank, (rank % 2 == 0 ? 100 : 200) * kMiB, rank % 2));
    return merge;
}

bool says(const RunRanks& run, std::string_view words)
{
    for (const std::string& sentence : run.sentences)
        if (contains(sentence, words))
            return true;
    return false;
}

} // namespace

TEST(RankMerge, TellsWhoPeaksInWhichStepAndPhase)
{
    RankMerge merge = twelveRanks();
    add(merge, pathOf(12), rankOf(12, 300 * kMiB, 0));
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.ranks.size(), 13u);
    EXPECT_EQ(run.nameOf(run.highest), "rank 12");
    EXPECT_EQ(run.ranks[run.highest].peakStep, "ProfilerStep#104");
    EXPECT_EQ(run.ranks[run.highest].peakPhase, "backward");
    EXPECT_TRUE(says(run, "), in the backward of ProfilerStep#104."));
}

TEST(RankMerge, CallsFilesOfUnknownRankFiles)
{
    RankMerge merge;
    for (std::int64_t i = 0; i < 3; ++i) {
        RankSummary summary = rankOf(i, (100 + i) * kMiB);
        summary.identity.rank.reset();
        add(merge, fmt::format("run/dump_{}.hws", "abc"[i]), std::move(summary));
    }
    EXPECT_TRUE(says(merge.finish(), "Of 3 files, dump_c.hws has the highest peak, 102 MiB"));
}

TEST(RankMerge, NamesNoHighestOfOneFile)
{
    RankMerge merge;
    add(merge, pathOf(0), rankOf(0, 100 * kMiB));
    EXPECT_FALSE(says(merge.finish(), "has the highest peak"));
}

TEST(RankMerge, ComparesOnlyRanksOfOneStage)
{
    const RunRanks alike = twelveRanks().finish();
    EXPECT_TRUE(std::ranges::none_of(alike.table.rows, &RankRow::isOutlier));
    RankMerge merge = twelveRanks();
    add(merge, pathOf(12), rankOf(12, 200 * kMiB, 0)); // usual for the other stage
    const RunRanks run = merge.finish();
    const auto row = std::ranges::find_if(run.table.rows, &RankRow::isOutlier);
    ASSERT_NE(row, run.table.rows.end());
    EXPECT_EQ(row->aboveMedian, 100 * kMiB);
    EXPECT_EQ(run.table.groups[row->group].rankCount, 7u);
    EXPECT_EQ(run.table.groups[row->group].stage, 0);
    EXPECT_TRUE(says(run, "Rank 12 peaks 100 MiB above"));
}

TEST(RankMerge, NamesAStageOfWhichEveryRankLeaks)
{
    RankMerge merge;
    for (std::int64_t rank = 0; rank < 12; ++rank) {
        RankSummary summary = rankOf(rank, 100 * kMiB, rank % 3);
        if (rank % 3 == 1) {
            SummaryFinding finding;
            finding.rule = "growth";
            summary.findings.push_back(finding);
            summary.growthPerStep = 7 * kMiB;
        }
        add(merge, pathOf(rank), std::move(summary));
    }
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.leaks.size(), 1u);
    EXPECT_EQ(run.leaks[0].stage, 1);
    EXPECT_EQ(run.leaks[0].leaking.size(), 4u);
    EXPECT_EQ(run.leaks[0].rankCount, 4u);
    EXPECT_EQ(run.leaks[0].medianPerStep, 7 * kMiB);
    EXPECT_TRUE(says(run, "Stage 1 leaks"));
}

TEST(RankMerge, TellsWhoRanOutFirstByTimeAndElseByStep)
{
    const auto failing = [](std::int64_t rank, Nanoseconds time, std::int64_t step) {
        RankSummary summary = rankOf(rank, 100 * kMiB);
        summary.ooms.push_back({45, time, 5 * kMiB, -1, step, kNoSummaryStack, "softmax (f.py:7)"});
        return summary;
    };
    RankMerge byTime = twelveRanks();
    add(byTime, pathOf(12), failing(12, 2'000'000'000, 3));
    add(byTime, pathOf(13), failing(13, 1'000'000'000, 5));
    const RunRanks timed = byTime.finish();
    ASSERT_EQ(timed.failures.size(), 2u);
    EXPECT_EQ(timed.failures[0].at.step, 105);
    EXPECT_TRUE(says(timed, "Rank 13 ran out of memory first"));
    RankMerge byStep = twelveRanks();
    add(byStep, pathOf(12), failing(12, 0, 6));
    add(byStep, pathOf(13), failing(13, 0, 2));
    const RunRanks run = byStep.finish();
    ASSERT_EQ(run.failures.size(), 2u);
    EXPECT_EQ(run.nameOf(run.failures[0].rank), "rank 13");
    EXPECT_EQ(run.nameOf(run.failures[1].rank), "rank 12");
    EXPECT_EQ(run.failures[0].requestedBytes, 5 * kMiB);
    EXPECT_EQ(run.failures[0].site, "softmax (f.py:7)");
    EXPECT_TRUE(says(run, "softmax (f.py:7)"));
}

TEST(RankMerge, TheMainRankRanOutOfMemoryFirstElsePeaksHighest)
{
    RankMerge above = twelveRanks();
    add(above, pathOf(12), rankOf(12, 300 * kMiB, 0));
    const RunRanks higher = above.finish();
    EXPECT_EQ(higher.nameOf(higher.main), "rank 12");
    RankMerge failed = twelveRanks();
    add(failed, pathOf(12), rankOf(12, 300 * kMiB, 0));
    RankSummary failing = rankOf(13, 100 * kMiB, 0);
    failing.ooms.push_back({45, 0, 5 * kMiB, -1, 3, kNoSummaryStack, "softmax (f.py:7)"});
    add(failed, pathOf(13), std::move(failing));
    const RunRanks run = failed.finish();
    EXPECT_EQ(run.nameOf(run.main), "rank 13");
}

TEST(RankMerge, NamesSettingsThatDifferAndWhoHasThem)
{
    RankMerge merge = twelveRanks();
    RankSummary other = rankOf(12, 100 * kMiB, 0);
    other.settings = {{"expandable_segments", "True"}};
    add(merge, pathOf(12), std::move(other));
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.settings.size(), 1u);
    EXPECT_EQ(run.settings[0].values[0].rankCount, 12u);
    EXPECT_EQ(run.settings[0].name, "expandable_segments");
    EXPECT_EQ(run.settings[0].values[0].value, "False");
    EXPECT_EQ(run.settings[0].values[1].value, "True");
    EXPECT_TRUE(says(run, "True on rank 12"));
}

TEST(RankMerge, DoesNotCompareSettingsOfARecordingThatEndsBeforeThem)
{
    RankMerge merge = twelveRanks();
    RankSummary cut = rankOf(12, 100 * kMiB, 0);
    cut.settings.clear();
    cut.source.cutOff = "the file ends early";
    add(merge, pathOf(12), std::move(cut));
    const RunRanks run = merge.finish();
    EXPECT_TRUE(run.settings.empty());
    EXPECT_TRUE(run.ranks.back().cutOff);
    EXPECT_TRUE(says(run, "rank 12 is incomplete"));
}

TEST(RankMerge, NamesDuplicatesForeignAndMissingFiles)
{
    RankMerge merge = twelveRanks();
    add(merge, "copy/rank3.hws", rankOf(3, 900 * kMiB, 1));
    RankSummary foreign = rankOf(14, 100 * kMiB, 0);
    foreign.sites = {{"other (program.py:1)", 100 * kMiB, 1}};
    add(merge, pathOf(14), std::move(foreign));
    add(merge, pathOf(13), rankOf(13, 200 * kMiB, 1));
    merge.addTrouble({RankTrouble::Kind::Damaged, pathOf(15), 15, "ends too early"});
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.troubles.size(), 3u);
    EXPECT_EQ(run.ranks.size(), 13u);
    const auto pathOfTrouble = [&run](RankTrouble::Kind kind) {
        const auto trouble = std::ranges::find(run.troubles, kind, &RankTrouble::kind);
        return trouble == run.troubles.end() ? std::string() : trouble->path;
    };
    EXPECT_EQ(pathOfTrouble(RankTrouble::Kind::Damaged), pathOf(15));
    EXPECT_EQ(pathOfTrouble(RankTrouble::Kind::Foreign), pathOf(14));
    EXPECT_TRUE(pathOfTrouble(RankTrouble::Kind::Duplicate).ends_with("/rank3.hws"));
    for (const char* file : {"rank15.hws: ends too early", "rank14.hws: ", "rank3.hws: "})
        EXPECT_TRUE(says(run, file)) << file;
    EXPECT_EQ(run.missing, (std::vector<std::int64_t>{12}));
}

TEST(RankMerge, KeepsARankThatIsInstalledElsewhere)
{
    RankMerge merge = twelveRanks();
    RankSummary elsewhere = rankOf(12, 100 * kMiB, 0);
    elsewhere.sites = {{"model (/home/worker7/venv/train.py:4)", 100 * kMiB, 4}};
    add(merge, pathOf(12), std::move(elsewhere));
    const RunRanks run = merge.finish();
    EXPECT_EQ(run.ranks.size(), 13u);
    EXPECT_TRUE(run.troubles.empty());
}

TEST(RankMerge, KeepsARankWithoutStacksAndSaysSo)
{
    RankMerge merge = twelveRanks();
    RankSummary bare = rankOf(12, 100 * kMiB, 0);
    bare.sites = {{"(no stack: stacks were not recorded in this file)", 100 * kMiB, 4}};
    add(merge, pathOf(12), std::move(bare));
    const RunRanks run = merge.finish();
    EXPECT_EQ(run.ranks.size(), 13u);
    EXPECT_EQ(run.ranks.back().code, SharedCode::NotRecorded);
    EXPECT_TRUE(says(run, "Rank 12 has no stacks"));
}

TEST(RankMerge, KeepsARankOfOtherCodeThatRanOutOfMemoryAndSaysSo)
{
    RankMerge merge = twelveRanks();
    RankSummary failed = rankOf(12, 100 * kMiB, 0);
    failed.sites = {{"other (program.py:1)", 100 * kMiB, 1}};
    failed.ooms.push_back({99, 0, 1 * kGiB, -1, -1, kNoSummaryStack, ""});
    add(merge, pathOf(12), std::move(failed));
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.failures.size(), 1u);
    EXPECT_EQ(run.nameOf(run.failures[0].rank), "rank 12");
    EXPECT_EQ(run.ranks.back().code, SharedCode::Other);
    EXPECT_TRUE(says(run, "Rank 12 shares no code"));
}

TEST(RankMerge, KeepsTheOnlyRankOfAPipelineStageWhateverItsCode)
{
    RankMerge merge = twelveRanks();
    RankSummary last = rankOf(12, 100 * kMiB, 2);
    last.sites = {{"loss (head.py:1)", 100 * kMiB, 1}};
    add(merge, pathOf(12), std::move(last));
    EXPECT_EQ(merge.finish().ranks.size(), 13u);
}

TEST(RankMerge, UsesOfTwoFilesOfARankTheOneThatRanOutOfMemory)
{
    RankMerge merge = twelveRanks();
    RankSummary failed = rankOf(3, 150 * kMiB, 1);
    failed.ooms.push_back({99, 0, 1 * kGiB, -1, -1, kNoSummaryStack, ""});
    add(merge, "oom/rank3.hws", std::move(failed));
    const RunRanks run = merge.finish();
    ASSERT_EQ(run.failures.size(), 1u);
    ASSERT_EQ(run.troubles.size(), 1u);
    EXPECT_EQ(run.troubles[0].path, pathOf(3));
    EXPECT_EQ(run.deviceOf(run.ranks[3])->peakBytes, 150 * kMiB);
}

TEST(RankMerge, SaysHowItIsKnownWhoWroteTheFiles)
{
    RankMerge merge;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
        RankSummary summary = rankOf(rank, 100 * kMiB, 0);
        summary.identity.found = {{"rank", rank == 0 ? "content" : "file name"}, {"pp", "folder"}};
        add(merge, pathOf(rank), std::move(summary));
    }
    const RunRanks run = merge.finish();
    for (const char* way : {"Ranks are taken from the files' contents (1 rank)", "file names (2 ranks)",
             "pp ranks from folders."})
        EXPECT_TRUE(says(run, way)) << way;
}

TEST(RankMerge, LaysTheStepsOfRanksBesideEachOtherByTheirNumbers)
{
    RankMerge merge = twelveRanks();
    RankSummary late = rankOf(12, 100 * kMiB);
    late.steps.erase(late.steps.begin(), late.steps.begin() + 3); // recording began later
    add(merge, pathOf(12), std::move(late));
    const StepHeat heat = merge.finish().heat;
    ASSERT_EQ(heat.steps.size(), 10u);
    EXPECT_EQ(heat.steps[0], 100);
    EXPECT_EQ(heat.at(12, 2), StepHeat::kNone);
    EXPECT_EQ(heat.at(12, 4), 100 * kMiB);
    EXPECT_EQ(heat.at(0, 4), 100 * kMiB);
}

TEST(RankMerge, JoinsStepsOfVeryLongRunsByTheirLargest)
{
    RankSummary summary = rankOf(0, 100 * kMiB);
    summary.steps.clear();
    for (std::int64_t i = 0; i < 5000; ++i) {
        SummaryStep step;
        step.name = "step " + std::to_string(i);
        step.source = "frames";
        step.peakBytes = i == 4321 ? 100 * kMiB : kMiB;
        summary.steps.push_back(step);
    }
    RankMerge merge;
    add(merge, pathOf(0), std::move(summary));
    const StepHeat heat = merge.finish().heat;
    EXPECT_LE(heat.steps.size(), kMaxStepsOfRank);
    EXPECT_EQ(*std::ranges::max_element(heat.peaks), 100 * kMiB);
}

TEST(RankMerge, AbsorbsAnotherAsIfItsRanksHadBeenAdded)
{
    RankMerge whole;
    RankMerge first;
    RankMerge second;
    for (std::int64_t rank = 0; rank < 12; ++rank) {
        RankSummary summary = rankOf(rank, (rank + 1) * kMiB);
        summary.settings = {{"a", rank < 7 ? "1" : "2"}, {"b" + std::to_string(rank), "x"}};
        add(whole, pathOf(rank), summary);
        add(rank % 2 == 0 ? first : second, pathOf(rank), summary);
    }
    add(second, "copy", rankOf(4, kMiB)); // the other merge has this rank too
    first.absorb(std::move(second));
    const RunRanks one = whole.finish();
    const RunRanks both = first.finish();
    ASSERT_EQ(both.ranks.size(), 12u);
    EXPECT_EQ(both.highest, one.highest);
    EXPECT_EQ(both.heat.peaks, one.heat.peaks);
    ASSERT_EQ(both.settings.size(), one.settings.size());
    for (std::size_t i = 0; i < one.settings.size(); ++i)
        EXPECT_EQ(both.settings[i].values.back().first, one.settings[i].values.back().first);
    ASSERT_EQ(both.troubles.size(), 1u);
    EXPECT_EQ(both.troubles[0].kind, RankTrouble::Kind::Duplicate);
}

TEST(RankMerge, MissesNoRankThatIsStillToBeRead)
{
    RankMerge merge;
    for (const std::int64_t rank : {0, 1, 3, 5})
        add(merge, pathOf(rank), rankOf(rank, kMiB));
    merge.expect(2);
    EXPECT_EQ(merge.finish().missing, (std::vector<std::int64_t>{4}));
}

TEST(RankMerge, AbsorbsTheRanksThatAreStillToBeRead)
{
    RankMerge merge;
    for (const std::int64_t rank : {0, 1, 3, 5})
        add(merge, pathOf(rank), rankOf(rank, kMiB));
    RankMerge other;
    other.expect(2);
    merge.absorb(std::move(other));
    EXPECT_EQ(merge.finish().missing, (std::vector<std::int64_t>{4}));
}

TEST(RankMerge, DoesNotTakeLocalRanksOfTwoNodesForRanks)
{
    RankMerge merge;
    for (const char* launch : {"a", "b"})
        for (std::int64_t local = 0; local < 2; ++local) {
            RankSummary summary = rankOf(local, kGiB);
            summary.identity.found.emplace_back("rank", kLocalRankSource);
            const std::string path
                = "logs/" + std::string(launch) + "/attempt_0/" + std::to_string(local) + "/dump.hws";
            MainCandidate facts = mainCandidate(path, summary);
            facts.evidence.clock = Clock::Unix;
            facts.evidence.times = TimeRange{1'000'000, 2'000'000};
            merge.add(std::move(facts), std::move(summary));
        }
    const RunRanks run = merge.finish();
    EXPECT_EQ(run.ranks.size(), 4u) << "none is a second file of another's rank";
    for (const MergedRank& rank : run.ranks)
        EXPECT_FALSE(rank.identity.rank);
}

} // namespace highwater
