#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const std::string kWhole = samplePath(test::kStepsSample);
const std::string kTwoDevices = samplePath("pytorch-snapshot/two-devices.pickle.zst");

json jsonOf(std::vector<std::string> arguments)
{
    arguments.emplace_back("--json");
    return parseJson(runHighwater(arguments).out);
}

/// Cuts into a file in the folder and returns its path.
std::string cutInto(
    const test::TemporaryFolder& folder, const std::string& file, std::vector<std::string> options)
{
    const std::string out = (folder.path() / "part.pickle").string();
    options.insert(options.begin(), {"cut", file});
    options.insert(options.end(), {"-o", out, "--force"});
    const test::ProgramRun run = runHighwater(options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return out;
}

std::vector<std::int64_t> liveBytesCurve(const std::string& file, const std::string& device = "0")
{
    std::vector<std::int64_t> totals;
    const json curve = jsonOf({"export", file, "--what", "curve", "--device", device, "-o", "-"});
    for (const json& row : curve["curve"])
        totals.push_back(row["requested_bytes"]);
    return totals;
}

} // namespace

TEST(CutCommand, KeepsTheStepsThatAreAskedFor)
{
    const test::TemporaryFolder folder;
    const json whole = jsonOf({"peaks", kWhole})["steps"];
    const json part = jsonOf({"peaks", cutInto(folder, kWhole, {"--steps", "2:4"})})["steps"];
    ASSERT_EQ(part.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i)
        for (const char* key : {"start_bytes", "peak_bytes", "end_bytes"})
            EXPECT_EQ(part[i][key], whole[i + 2][key]) << key;
}

TEST(CutCommand, HasTheLiveBytesOfTheWholeAfterEveryEvent)
{
    const test::TemporaryFolder folder;
    const std::vector<std::int64_t> whole = liveBytesCurve(kWhole);
    const std::vector<std::int64_t> part = liveBytesCurve(cutInto(folder, kWhole, {"--events", "500:1200"}));
    ASSERT_EQ(part.size(), 701u);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 500));
}

TEST(CutCommand, HasTheReservedBytesOfTheWhole)
{
    const test::TemporaryFolder folder;
    const std::string file = samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst");
    const json whole = jsonOf({"export", file, "--what", "curve", "-o", "-"})["curve"];
    const json part = jsonOf(
        {"export", cutInto(folder, file, {"--events", "20:100"}), "--what", "curve", "-o", "-"})["curve"];
    ASSERT_EQ(part.size(), 81u);
    for (std::size_t i = 0; i < part.size(); ++i)
        ASSERT_EQ(part[i]["reserved_bytes"], whole[i + 20]["reserved_bytes"]) << i;
}

TEST(CutCommand, KeepsWhatHappenedInATimeOnAllDevices)
{
    const test::TemporaryFolder folder;
    const std::string part = cutInto(folder, kTwoDevices, {"--time", "0:1000000"});
    EXPECT_EQ(jsonOf({"info", part})["files"][0]["devices"].size(), 2u);
    for (const char* device : {"0", "1"})
        EXPECT_EQ(liveBytesCurve(part, device), liveBytesCurve(kTwoDevices, device)) << device;
}

TEST(CutCommand, KeepsOneDeviceWhereOneIsAskedFor)
{
    const test::TemporaryFolder folder;
    const std::string part = cutInto(folder, kTwoDevices, {"--device", "1"});
    const json devices = jsonOf({"info", part})["files"][0]["devices"];
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0]["device"], 1);
    EXPECT_EQ(liveBytesCurve(part, "1"), liveBytesCurve(kTwoDevices, "1"));
}

TEST(CutCommand, WithoutARangeIsTheWholeFile)
{
    const test::TemporaryFolder folder;
    const std::string part = cutInto(folder, kWhole, {});
    json before = jsonOf({"info", kWhole})["files"][0];
    json after = jsonOf({"info", part})["files"][0];
    EXPECT_EQ(after["devices"], before["devices"]);
    EXPECT_EQ(after["settings"], before["settings"]);
    EXPECT_EQ(after["spans"], before["spans"]);
}

TEST(CutCommand, LeavesUserNamesAndFoldersOutButKeepsCallSites)
{
    const test::TemporaryFolder folder;
    const std::string part = cutInto(folder, kWhole, {"--strip-paths"});
    const std::string bytes = test::readWholeFile(part);
    EXPECT_NE(test::readDecompressed(kWhole).find("/workspace/train"), std::string::npos);
    EXPECT_EQ(bytes.find("/workspace"), std::string::npos);
    EXPECT_NE(bytes.find("/site-packages/torch/"), std::string::npos);
    const json before = jsonOf({"peaks", kWhole, "--group", "function"})["live"]["groups"];
    const json after = jsonOf({"peaks", part, "--group", "function"})["live"]["groups"];
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_EQ(after[i]["bytes"], before[i]["bytes"]) << after[i] << before[i];
}

TEST(CutCommand, OfACompactFileIsThatOfTheSnapshot)
{
    const test::TemporaryFolder folder;
    const std::string compact = (folder.path() / "whole.hwt").string();
    runHighwater({"convert", kWhole, "-o", compact});
    const std::string first = test::readWholeFile(cutInto(folder, kWhole, {"--steps", "1"}));
    EXPECT_EQ(test::readWholeFile(cutInto(folder, compact, {"--steps", "1"})), first);
}

TEST(CutCommand, SaysThatItIsAPart)
{
    const test::TemporaryFolder folder;
    const json log
        = jsonOf({"info", cutInto(folder, kWhole, {"--events", "10:20"})})["files"][0]["import_log"];
    EXPECT_NE(log.dump().find("events 10 to 19 of"), std::string::npos) << log;
}

TEST(CutCommand, RefusesRangesThatTheFileDoesNotHave)
{
    for (const std::vector<std::string>& range : std::vector<std::vector<std::string>>{{"--steps", "5:90"},
             {"--steps", "x"}, {"--events", "7:3"}, {"--events", "0:99999999"}, {"--time", "2:1"},
             {"--time", "a"}, {"--steps", "1:2", "--events", "1:2"}}) {
        std::vector<std::string> arguments = {"cut", kWhole, "-o", "-"};
        arguments.insert(arguments.end(), range.begin(), range.end());
        EXPECT_EQ(runHighwater(arguments).exitCode, 2) << range[1];
    }
}

TEST(CutCommand, RefusesWhatIsNoSnapshot)
{
    const test::ProgramRun run = runHighwater({"cut", samplePath("logs/r4-verl-before.err"), "-o", "-"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("not a PyTorch memory snapshot"), std::string::npos) << run.err;
}

TEST(CutCommand, RefusesAFileThatEndsEarly)
{
    const test::TemporaryFolder folder;
    const std::string bytes = test::readDecompressed(kWhole);
    const std::string file = folder.write("early.pickle", bytes.substr(0, bytes.size() / 2));
    const test::ProgramRun run = runHighwater({"cut", file, "-o", "-"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("ends early"), std::string::npos) << run.err;
}

} // namespace highwater
