#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kFragmentedSample;
using test::runHighwater;
using test::samplePath;

namespace {

json whatIf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"what-if", samplePath(sample), "--json"});
    return parseJson(runHighwater(options).out);
}

} // namespace

TEST(WhatIfCommand, SaysFirstHowFarTheReplayCanBeTrusted)
{
    const auto run = runHighwater({"what-if", samplePath(kFragmentedSample)});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_LT(run.out.find("the replay with these settings"), run.out.find("as recorded")) << run.out;
}

TEST(WhatIfCommand, SaysWhatIsExactAndWhatItAssumes)
{
    EXPECT_TRUE(test::hasParts(runHighwater({"what-if", samplePath(kFragmentedSample)}).out,
        {"the replay with these settings reproduces every recorded address and reserved byte",
            "the replay assumes that the GPU has 7.53 GiB, the least that it can have"}));
}

TEST(WhatIfCommand, CountsTheSettingsThatDoNotHelp)
{
    const auto run = runHighwater({"what-if", samplePath(kFragmentedSample)});
    EXPECT_NE(run.out.find("4 other settings do not help"), std::string::npos) << run.out;
}

TEST(WhatIfCommand, GivesAdviceWithItsProof)
{
    const json answer = whatIf(kFragmentedSample);
    EXPECT_EQ(answer["fidelity"]["trusted"], true);
    EXPECT_EQ(answer["fidelity"]["exact_calls"], answer["fidelity"]["calls"]);
    EXPECT_EQ(answer["replay"]["reserved_peak_bytes"], answer["recorded_reserved_peak_bytes"]);
    EXPECT_EQ(answer["replay"]["out_of_memory"][0]["fits"], false);
    EXPECT_EQ(answer["advice"][0]["change"], "expandable_segments:True");
    EXPECT_EQ(answer["advice"][0]["result"]["out_of_memory"][0]["fits"], true);
    EXPECT_EQ(answer["what_if"], nullptr);
}

TEST(WhatIfCommand, AnswersForASettingThatIsGiven)
{
    const json answer
        = whatIf(kFragmentedSample, {"--set", "expandable_segments=true", "--set", "max_split_size_mb=128"});
    const json& result = answer["what_if"];
    EXPECT_EQ(result["configuration"], "expandable_segments:True,max_split_size_mb:128");
    EXPECT_EQ(result["saved_bytes"].get<std::int64_t>(),
        answer["replay"]["reserved_peak_bytes"].get<std::int64_t>()
            - result["reserved_peak_bytes"].get<std::int64_t>());
    EXPECT_EQ(result["reserved"][0][0], -1);
    EXPECT_TRUE(answer["advice"].empty());
}

TEST(WhatIfCommand, LeavesOutTheAllocationsOfACallSite)
{
    const json all
        = whatIf("pytorch-snapshot/training-6-steps-bare.pickle.zst", {"--set", "expandable_segments=false"});
    const json without
        = whatIf("pytorch-snapshot/training-6-steps-bare.pickle.zst", {"--remove-site", "backward"});
    EXPECT_GT(without["what_if"]["removed_allocations"], 0);
    EXPECT_LT(without["what_if"]["allocated_peak_bytes"], all["what_if"]["allocated_peak_bytes"]);
}

TEST(WhatIfCommand, RefusesASiteThatThereIsNot)
{
    const auto run
        = runHighwater({"what-if", samplePath(kFragmentedSample), "--remove-site", "nowhere at all"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("'nowhere at all'"), std::string::npos) << run.err;
}

TEST(WhatIfCommand, RefusesASettingThatTheAllocatorRefuses)
{
    const auto run = runHighwater({"what-if", samplePath(kFragmentedSample), "--set", "max_split_size_mb=5"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(test::hasParts(run.err, {"max_split_size_mb", "at least 20"}));
}

TEST(WhatIfCommand, SaysThatAThresholdAloneDoesNothing)
{
    const auto run = runHighwater(
        {"what-if", samplePath(kFragmentedSample), "--set", "garbage_collection_threshold=0.5"});
    EXPECT_NE(run.out.find("garbage_collection_threshold has no effect"), std::string::npos) << run.out;
}

TEST(WhatIfCommand, SaysWhichRecordedOptionsItDoesNotFollow)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("options.json", R"({"segments": [], "device_traces": [[
        {"action": "segment_alloc", "addr": 1048576, "size": 2097152, "stream": 0},
        {"action": "alloc", "addr": 1048576, "size": 512, "stream": 0}]],
        "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF":
            "large_segment_size_mb:40,roundup_bypass_threshold_mb:9,tomorrows_option:7"}})");
    const auto text = runHighwater({"what-if", path});
    EXPECT_EQ(text.exitCode, 0) << text.err;
    EXPECT_TRUE(test::hasParts(text.out,
        {"large_segment_size_mb:40,roundup_bypass_threshold_mb:9,tomorrows_option:7",
            "tomorrows_option:7 is not understood"}));
    const json answer = parseJson(runHighwater({"what-if", path, "--json"}).out);
    EXPECT_EQ(answer["recorded_options"]["not_understood"], json::array({"tomorrows_option:7"}));
    EXPECT_EQ(answer["recorded_options"]["not_replayed"], json::array({"roundup_bypass_threshold_mb:9"}));
    EXPECT_EQ(answer["recorded_configuration"], "large_segment_size_mb:40");
}

TEST(WhatIfCommand, RefusesARunOfAnotherAllocator)
{
    const auto path = test::realFilePath("repro/whatif-backend-async.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto run = runHighwater({"what-if", *path});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("backend:cudaMallocAsync"), std::string::npos) << run.err;
}

TEST(WhatIfCommand, RefusesAFileWithoutEvents)
{
    const auto run = runHighwater({"what-if", samplePath("encodings/tiny-segments-only.pickle")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("has no events to replay"), std::string::npos) << run.err;
}

} // namespace highwater
