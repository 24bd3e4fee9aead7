#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

json segmentsOf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"segments", samplePath(sample), "--json"});
    return parseJson(runHighwater(options).out);
}

} // namespace

TEST(Segments, AnswerForTheOutOfMemoryEventByDefault)
{
    const json answer = segmentsOf("pytorch-snapshot/oom-fragmentation.pickle.zst");
    EXPECT_EQ(answer["out_of_memory"]["verdict"], "fragmentation");
    EXPECT_EQ(answer["out_of_memory"]["requested_bytes"], 943'718'400);
    EXPECT_EQ(answer["out_of_memory"]["serving_largest_free_bytes"], 174'063'616);
    EXPECT_EQ(answer["event"], 139);
    EXPECT_EQ(answer["active_bytes"].get<std::int64_t>() + answer["free_bytes"].get<std::int64_t>(),
        answer["reserved_bytes"].get<std::int64_t>());
}

TEST(Segments, AnswerForAnyOtherEvent)
{
    const json answer = segmentsOf("pytorch-snapshot/tiny-hand-checked.pickle.zst", {"--at", "20"});
    EXPECT_EQ(answer["event"], 20);
    EXPECT_EQ(answer["reserved_bytes"], 23'068'672);
    EXPECT_EQ(answer["pending_free_bytes"], 1'024);
    EXPECT_EQ(answer["out_of_memory"], nullptr);
    EXPECT_EQ(answer["pools"].size(), 2u);
    EXPECT_EQ(answer["exact"], true);
}

TEST(Segments, AnswerForThePeakOfARunThatDidNotFail)
{
    EXPECT_EQ(segmentsOf("pytorch-snapshot/tiny-hand-checked.pickle.zst")["event"], 10);
}

TEST(Segments, CutTheListOfPinnedOnesAndSayHowManyThereAre)
{
    const json answer = segmentsOf("pytorch-snapshot/private-pool.pickle.zst", {"--top", "1", "--at", "100"});
    EXPECT_LE(answer["pinned"].size(), 1u);
    EXPECT_GE(answer["pinned_segments"], answer["pinned"].size());
}

TEST(Segments, AnswerForATimeSinceTheFirstEvent)
{
    const std::string sample = "pytorch-snapshot/training-6-steps-annotated.pickle.zst";
    EXPECT_EQ(segmentsOf(sample, {"--at", "12.5ms"})["event"], 771);
}

TEST(Segments, NameEveryOwnerOfAnAddressWithItsStack)
{
    const json answer = segmentsOf(
        "pytorch-snapshot/tiny-hand-checked.pickle.zst", {"--address", "0x7f3a00600000", "--at", "10"});
    EXPECT_EQ(answer["address"], "0x7f3a00600000");
    EXPECT_EQ(answer["event"], 10);
    EXPECT_EQ(answer["use"], "in_use");
    EXPECT_EQ(answer["segment"]["address"], "0x7f3a00000000");
    EXPECT_EQ(answer["of_owners"], 2);
    ASSERT_EQ(answer["owners"].size(), 2u);
    const json& first = answer["owners"][0];
    EXPECT_EQ(first["alloc_event"], 6);
    EXPECT_EQ(first["free_event"], 14);
    EXPECT_EQ(first["live"], true);
    EXPECT_EQ(first["offset_bytes"], 0);
    EXPECT_NE(first["stack"].get<std::string>().find("tiny.py:9"), std::string::npos);
    const json& second = answer["owners"][1];
    EXPECT_EQ(second["alloc_event"], 15);
    EXPECT_EQ(second["live"], false);
    EXPECT_EQ(second["offset_bytes"], 0x200000);
}

TEST(Segments, CutTheOwnersOfAnAddressToThoseBeforeTheMoment)
{
    const std::string sample = "pytorch-snapshot/tiny-hand-checked.pickle.zst";
    const json atEnd = segmentsOf(sample, {"--address", "0x7f3a00600000", "--top", "1"});
    EXPECT_EQ(atEnd["skipped"], 1);
    EXPECT_EQ(atEnd["owners"][0]["alloc_event"], 15);
    const json earlier = segmentsOf(sample, {"--address", "0x7f3a00600000", "--top", "1", "--at", "10"});
    EXPECT_EQ(earlier["skipped"], 0);
    EXPECT_EQ(earlier["owners"][0]["alloc_event"], 6);
}

TEST(Segments, TellAPersonWhoOwnedAnAddress)
{
    const std::string sample = samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst");
    EXPECT_TRUE(test::hasParts(runHighwater({"segments", sample, "--address", "0x7F3A00600000"}).out,
        {"in use, in a segment of 20 MiB", "2 allocations contained this address", "12 MiB at 0x7f3a00600000",
            "freed at event 14", "byte 2,097,152", "never freed", "tiny.py:9"}));
    const auto nowhere = runHighwater({"segments", sample, "--address", "0x10"});
    EXPECT_EQ(nowhere.exitCode, 0);
    EXPECT_TRUE(test::hasParts(nowhere.out, {"in no segment", "No allocation"}));
}

TEST(Segments, RefuseWhatIsNoAddress)
{
    const auto run = runHighwater(
        {"segments", samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"), "--address", "7f3a"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(test::hasParts(run.err, {"7f3a is not an address"}));
}

TEST(Segments, RefuseAnEventThatThereIsNot)
{
    const auto run = runHighwater(
        {"segments", samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"), "--at", "22"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(test::hasParts(run.err, {"event 22", "0 to 21"}));
}

TEST(Segments, TellAPersonTheVerdictWithItsArithmetic)
{
    const std::string out
        = runHighwater({"segments", samplePath("pytorch-snapshot/oom-too-big.pickle.zst")}).out;
    EXPECT_TRUE(test::hasParts(out,
        {"too big", "2.25 GiB requested", "6 GiB in use on a GPU of at least 7.53 GiB", "732 MiB",
            "default · stream 0 · large"}));
}

TEST(Segments, CountWhatIsFreeOnce)
{
    const std::string out
        = runHighwater({"segments", samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst")}).out;
    EXPECT_FALSE(contains(out, "Segments with free memory")) << "the table of free blocks has it";
    EXPECT_FALSE(contains(out, "Free blocks by size")) << out;
}

TEST(Segments, SayWhichPoolsAndActionsWereRecorded)
{
    const json answer = segmentsOf("pytorch-snapshot/private-pool.pickle.zst");
    EXPECT_EQ(answer["skipped_actions"], json::array());
    EXPECT_GT(answer["segment_events"], 0);
    for (const json& pool : answer["pools"]) {
        EXPECT_EQ(pool["pool_recorded"], true);
        EXPECT_EQ(pool["pool_id"].size(), 2u);
    }
}

TEST(Segments, SayThatAPoolWasNotRecorded)
{
    const json answer = segmentsOf("encodings/tiny-torch-2.0-dict.pickle");
    ASSERT_FALSE(answer["pools"].empty());
    EXPECT_EQ(answer["pools"][0]["pool_recorded"], false);
    EXPECT_EQ(answer["pools"][0]["pool_id"], nullptr);
}

TEST(Segments, OfAFileWithoutSegmentsSayWhatIsNotKnown)
{
    const auto run = runHighwater({"segments", samplePath("broken/truncated.pickle"), "--json"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(parseJson(run.out).contains("reservations"));
}

} // namespace highwater
