// Checks that all commands agree about a snapshot that is cut off, and that none contradicts the complete
// file.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;

namespace {

/// The first part of a sample as a separate file.
class CutSample
{
public:
    CutSample(const std::string& name, std::size_t percent)
    {
        const std::string bytes = test::readDecompressed(test::samplePath(name));
        m_path = m_folder.write("cut.pickle", bytes.substr(0, bytes.size() * percent / 100));
    }

    const std::string& path() const { return m_path; }
    json answer(const std::string& command) const
    {
        const test::ProgramRun run = runHighwater({command, m_path, "--json"});
        EXPECT_EQ(run.exitCode, 4) << command;
        return parseJson(run.out);
    }
    json device() const { return answer("info")["files"][0]["devices"][0]; }

private:
    test::TemporaryFolder m_folder;
    std::string m_path;
};

const char* const kTraining = "pytorch-snapshot/training-6-steps-bare.pickle.zst";

json findingOf(const json& findings, const std::string& rule)
{
    for (const json& finding : findings)
        if (finding["rule"] == rule)
            return finding;
    return nullptr;
}

} // namespace

TEST(CutOffOutput, SaysHowMuchCouldBeReadAndWhatTheFiguresAre)
{
    const json device = CutSample(kTraining, 70).device();
    const json& cut = device["cut_off"];
    EXPECT_EQ(cut["events"], "part");
    EXPECT_EQ(cut["segments"], "whole");
    EXPECT_EQ(cut["figures"]["peak_bytes"], "at-least");
    EXPECT_EQ(cut["figures"]["final_bytes"], "exact");
    EXPECT_GE(cut["peak_at_least_bytes"], device["peak_bytes"]);
    EXPECT_GE(cut["peak_at_least_bytes"], device["final_bytes"]);
}

TEST(CutOffOutput, HasNoFiguresThatAreNotKnown)
{
    const json device = CutSample(kTraining, 5).device(); // cut within the segments, which come first
    EXPECT_EQ(device["cut_off"]["figures"]["initial_bytes"], "unknown");
    EXPECT_EQ(device["initial_bytes"], nullptr);
    EXPECT_EQ(device["reserved_initial_bytes"], nullptr);
    EXPECT_FALSE(device["final_bytes"].is_null());
}

TEST(CutOffOutput, ShowsWhatWasLiveAtTheEndAsThePeakWhereNoEventHasMore)
{
    const std::string out = runHighwater({"info", CutSample(kTraining, 8).path()}).out;
    const std::string row = out.substr(out.find("in use at the peak"));
    EXPECT_TRUE(test::hasParts(row.substr(0, row.find('\n')), {"208", "the end"})) << out;
    EXPECT_NE(out.find("highest readable total"), std::string::npos) << out;
}

TEST(CutOffOutput, SaysWhyItHasNoSegments)
{
    const std::string out = runHighwater({"segments", CutSample(kTraining, 70).path()}).out;
    EXPECT_NE(out.find("cut off within its events"), std::string::npos) << out;
}

TEST(CutOffOutput, IsAbsentForAWholeFile)
{
    const json info = parseJson(runHighwater({"info", test::samplePath(kTraining), "--json"}).out);
    EXPECT_FALSE(info["files"][0]["devices"][0].contains("cut_off"));
    const json peaks = parseJson(runHighwater({"peaks", test::samplePath(kTraining), "--json"}).out);
    EXPECT_FALSE(peaks.contains("cut_off"));
    EXPECT_EQ(peaks["live"]["at_least"], false);
}

TEST(CutOffOutput, IsTheSameSentenceEverywhere)
{
    const CutSample cut(kTraining, 70);
    const std::string sentence = cut.device()["cut_off"]["text"];
    const json peaks = cut.answer("peaks");
    EXPECT_EQ(peaks["cut_off"]["text"], sentence);
    EXPECT_EQ(peaks["live"]["at_least"], true);
    EXPECT_EQ(peaks["steps"].back()["complete"], false);
    const json finding = findingOf(cut.answer("findings")["findings"], "capture-quality");
    ASSERT_FALSE(finding.is_null());
    EXPECT_TRUE(sentence.ends_with(finding["evidence"][0].get<std::string>())) << finding;
    for (const char* command : {"info", "peaks"})
        EXPECT_NE(runHighwater({command, cut.path()}).out.find(sentence), std::string::npos) << command;
    EXPECT_NE(
        runHighwater({"report", cut.path(), "-o", "-", "--json"}).out.find(sentence), std::string::npos);
}

TEST(CutOffOutput, DoesNotPassALimitThatTheFileCannotRuleOut)
{
    const CutSample cut(kTraining, 70);
    const auto checked = [&](const char* limit) {
        return parseJson(runHighwater({"check", cut.path(), limit, "1TiB", "--json"}).out)["ok"];
    };
    EXPECT_EQ(checked("--max-peak"), false);
    EXPECT_EQ(checked("--max-reserved"), false);
    const auto broken = parseJson(runHighwater({"check", cut.path(), "--max-peak", "1", "--json"}).out);
    EXPECT_GT(broken["files"][0]["devices"][0]["checks"][0]["observed_bytes"], 1);
}

TEST(CutOffOutput, RefusesAReplay)
{
    const test::ProgramRun run = runHighwater({"what-if", CutSample(kTraining, 70).path(), "--json"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("the file is cut off"), std::string::npos);
}

TEST(StepOutput, NamesTheSourceOfEachStep)
{
    const auto path = test::realFilePath("repro/steps-profiler-window.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const json peaks = parseJson(runHighwater({"peaks", *path, "--json"}).out);
    std::vector<std::string> sources;
    for (const json& step : peaks["steps"])
        sources.push_back(step["source"]);
    EXPECT_EQ(sources,
        (std::vector<std::string>{"optimizer-annotation", "optimizer-annotation", "profiler-step",
            "profiler-step", "optimizer-annotation", "optimizer-annotation"}));
}

} // namespace highwater
