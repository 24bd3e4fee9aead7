#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const char* const kTiny = "encodings/tiny-protocol-4.pickle";

json peaksOf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"peaks", samplePath(sample), "--json"});
    return json::parse(runHighwater(options).out);
}

std::int64_t sumOf(const json& live, const char* key)
{
    std::int64_t sum = live["rest"][key].get<std::int64_t>();
    for (const json& group : live["groups"])
        sum += group[key].get<std::int64_t>();
    return sum;
}

} // namespace

TEST(Peaks, ShowsThePeakByDefault)
{
    const json live = peaksOf(kTiny)["live"];
    EXPECT_EQ(live["event"], 10);
    EXPECT_EQ(live["bytes"], 23'069'672);
    EXPECT_EQ(live["blocks"], 5);
    EXPECT_EQ(live["group"], "stack");
    EXPECT_EQ(live["quantity"], "requested");
}

class PeaksBy : public testing::TestWithParam<const char*>
{
};

TEST_P(PeaksBy, AddUpExactly)
{
    for (const char* sample : {kTiny, "pytorch-snapshot/private-pool.pickle.zst"})
        for (const char* top : {"0", "2"}) {
            const json live = peaksOf(sample, {"--group", GetParam(), "--top", top})["live"];
            EXPECT_EQ(live["group"], GetParam());
            EXPECT_EQ(sumOf(live, "bytes"), live["bytes"].get<std::int64_t>()) << sample;
            EXPECT_EQ(sumOf(live, "count"), live["blocks"].get<std::int64_t>()) << sample;
        }
}

INSTANTIATE_TEST_SUITE_P(Groups, PeaksBy,
    testing::Values("stack", "site", "function", "file", "size", "stream", "pool", "allocation"));

TEST(Peaks, CutsToTheLargestGroups)
{
    const json live = peaksOf(kTiny, {"--group", "allocation", "--top", "2"})["live"];
    EXPECT_EQ(live["groups"].size(), 2u);
    EXPECT_EQ(live["groups"][0]["bytes"], 12'582'912);
    EXPECT_EQ(live["rest"]["groups"], 3);
}

TEST(Peaks, ShowsAnyOtherMoment)
{
    const json after = peaksOf(kTiny, {"--at", "21"})["live"];
    EXPECT_EQ(after["event"], 21);
    EXPECT_EQ(after["bytes"], 9'438'698);
    const json before = peaksOf(kTiny, {"--at", "-1"})["live"];
    EXPECT_EQ(before["event"], -1);
    EXPECT_EQ(before["bytes"], 0);
    EXPECT_EQ(before["groups"], json::array());
}

TEST(Peaks, NamesTheNodeOfBackwardWhereThereIsNoPython)
{
    const json live = peaksOf(kTiny, {"--group", "site", "--top", "0"})["live"];
    bool found = false;
    for (const json& group : live["groups"])
        found = found || (group["key"] == "backward · MmBackward0" && group["bytes"] == 4'194'304);
    EXPECT_TRUE(found) << live.dump(1);
}

TEST(Peaks, ChoosesTheDeviceWithTheLargestPeak)
{
    EXPECT_EQ(peaksOf("pytorch-snapshot/two-devices.pickle.zst")["device"], 1);
    EXPECT_EQ(peaksOf("pytorch-snapshot/host-pinned.pickle.zst")["kind"], "cuda");
}

TEST(Peaks, TakesADeviceByNumberOrName)
{
    EXPECT_EQ(
        peaksOf("pytorch-snapshot/two-devices.pickle.zst", {"--device", "0"})["live"]["bytes"], 75'057'152);
    EXPECT_EQ(peaksOf("pytorch-snapshot/two-devices.pickle.zst", {"--device", "cuda:0"})["live"]["bytes"],
        75'057'152);
    EXPECT_EQ(peaksOf("pytorch-snapshot/host-pinned.pickle.zst", {"--device", "host"})["kind"], "host");
}

TEST(Peaks, SaysWhichDevicesThereAre)
{
    const auto run
        = runHighwater({"peaks", samplePath("pytorch-snapshot/two-devices.pickle.zst"), "--device", "5"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("has no device 5 (it has: cuda:0, cuda:1)"), std::string::npos) << run.err;
}

TEST(Peaks, OfATruncatedFileAreThoseOfWhatWasRead)
{
    const auto run = runHighwater({"peaks", samplePath("broken/truncated.pickle"), "--json"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(json::parse(run.out).contains("live"));
}

TEST(Peaks, ShowsAPersonATableWithShares)
{
    const std::string out = runHighwater({"peaks", samplePath(kTiny), "--group", "site", "--top", "2"}).out;
    for (const char* text :
        {"22.00 MiB requested (23,069,672 B) in 5 allocations after event 10, the peak, by site", "share",
            " %", "more)"})
        EXPECT_NE(out.find(text), std::string::npos) << text << " in\n" << out;
}

TEST(Peaks, TakesOneFileOnly)
{
    EXPECT_EQ(runHighwater({"peaks", samplePath(kTiny), samplePath("encodings/tiny.json")}).exitCode, 2);
}

} // namespace highwater
