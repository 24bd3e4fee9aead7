// Tests of options for readable text, of folders as output, and of table widths.
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using nlohmann::json;
using test::ProgramRun;
using test::runHighwater;
using test::samplePath;

namespace {

const std::string kGrpo = samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst");
const std::string kLog = samplePath("logs/r4-verl-before.err");

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++times;
    return times;
}

} // namespace

TEST(FindingsText, OnlyFaultsHasNoFacts)
{
    const std::string out = runHighwater({"findings", kGrpo, "--only", "faults"}).out;
    EXPECT_NE(out.find("[growth"), std::string::npos);
    EXPECT_EQ(out.find("[peak-summary]"), std::string::npos);
    const json found = parseJson(runHighwater({"findings", kGrpo, "--only", "faults", "--json"}).out);
    for (const json& finding : found["findings"])
        EXPECT_EQ(finding["kind"], "fault");
}

TEST(FindingsText, OnlyARuleHasItAlone)
{
    const json found = parseJson(runHighwater({"findings", kGrpo, "--only", "growth", "--json"}).out);
    ASSERT_EQ(found["findings"].size(), 1u);
    EXPECT_EQ(found["findings"][0]["rule"], "growth");
}

TEST(FindingsText, BrieflyIsALineForEach)
{
    const std::string out = runHighwater({"findings", kGrpo, "--brief", "--only", "faults"}).out;
    const std::size_t faults
        = parseJson(runHighwater({"findings", kGrpo, "--only", "faults", "--json"}).out)["findings"].size();
    EXPECT_EQ(count(out, "\n"), faults) << out;
    EXPECT_NE(out.find("  14.89 GiB  certain  "), std::string::npos) << out;
}

TEST(InfoText, OfALogHasMemoryAloneUnlessAllIsAskedFor)
{
    const std::string log = samplePath("logs/r5-flan-t5-xl.log");
    const std::string out = runHighwater({"info", log}).out;
    EXPECT_NE(out.find("device used "), std::string::npos) << out;
    EXPECT_EQ(out.find("loss"), std::string::npos) << out;
    EXPECT_NE(out.find("2 more series"), std::string::npos) << out;
    EXPECT_NE(runHighwater({"info", log, "--all"}).out.find("loss"), std::string::npos);
}

TEST(InfoText, CountsOneAsOne)
{
    const ProgramRun run = runHighwater({"info", samplePath("nsys/two-ranks-two-cards-3.16.1.sqlite")});
    EXPECT_EQ(run.out.find(" 1 events"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find(" 1 blocks"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find(" 1 allocations"), std::string::npos) << run.out;
}

TEST(FigureOfALog, DrawsItsMemory)
{
    const ProgramRun run = runHighwater({"figure", kLog, "--kind", "timeline", "-o", "-"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with("<?xml"));
    EXPECT_NE(run.out.find("max_memory_allocated_gb"), std::string::npos);
}

TEST(Folder, IsItsMainFileWhereOneIsTaken)
{
    const ProgramRun run = runHighwater({"diff", samplePath("ranks"), samplePath("ranks"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(run.err.find("rank 2 (of 4 ranks)"), std::string::npos) << run.err;
    const json diff = parseJson(run.out);
    EXPECT_TRUE(diff["before"]["path"].get<std::string>().ends_with("rank2_snapshot.pickle.zst"));
    EXPECT_EQ(diff["delta_bytes"], 0);
}

TEST(Folder, IsASweepOfItsFilesWhereItStandsAlone)
{
    const ProgramRun run = runHighwater({"diff", samplePath("ranks"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(parseJson(run.out)["runs"].size(), 4u);
}

TEST(Folder, IsWrittenIntoAFolder)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "hwt").string();
    EXPECT_EQ(runHighwater({"convert", samplePath("ranks"), "-o", out}).exitCode, 0);
    EXPECT_EQ(parseJson(runHighwater({"peaks", out + "/rank2_snapshot.hwt", "--json"}).out)["live"]["bytes"],
        parseJson(runHighwater({"peaks", samplePath("ranks/rank2_snapshot.pickle.zst"), "--json"})
                      .out)["live"]["bytes"]);
    const std::string curves = (folder.path() / "curves").string();
    EXPECT_EQ(runHighwater({"export", samplePath("ranks"), "--what", "curve", "-o", curves}).exitCode, 0);
    EXPECT_TRUE(std::filesystem::exists(curves + "/rank0_snapshot-curve.csv"));
}

TEST(Folder, NeverHasItsOwnFilesReplaced)
{
    const test::TemporaryFolder folder;
    const std::string file
        = folder.write("run.hwt", test::readWholeFile(samplePath("encodings/tiny-protocol-4.pickle")));
    const std::string before = test::readWholeFile(file);
    const ProgramRun run
        = runHighwater({"convert", folder.path().string(), "-o", folder.path().string(), "--force"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("is one of the input files"), std::string::npos) << run.err;
    EXPECT_EQ(test::readWholeFile(file), before);
}

TEST(Tables, AreAsWideAsColumnsSays)
{
    const auto widest = [](const std::string& columns) {
        test::RunOptions options;
        options.environment = {{"COLUMNS", columns}};
        std::istringstream lines(
            runHighwater({"peaks", kGrpo, "--group", "stack", "--top", "3"}, options).out);
        std::ptrdiff_t most = 0;
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("  "))
                most = std::max(most, std::ranges::count_if(line, [](char c) {
                    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                }));
        return most;
    };
    EXPECT_LE(widest("60"), 60);
    EXPECT_GT(widest("60"), 50);
    EXPECT_GT(widest(""), 60);
}

} // namespace highwater::cli
