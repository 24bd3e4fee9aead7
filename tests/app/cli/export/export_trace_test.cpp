// Tests of export --what trace with auxiliary files of the run (--with).
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kStepsSample;
using test::runHighwater;
using test::samplePath;

namespace {

const char* const kKineto = "kineto/tiny-addresses.pt.trace.json";

json traceOf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"export", samplePath(sample), "--what", "trace", "-o", "-"});
    const auto run = runHighwater(options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out);
}

std::int64_t highest(const json& document, const std::string& counter)
{
    std::int64_t most = -1;
    for (const json& event : document["traceEvents"])
        if (event["ph"] == "C" && event["name"] == counter)
            most = std::max(most, event["args"]["bytes"].get<std::int64_t>());
    return most;
}

std::size_t countOf(const json& document, const std::string& phase, const std::string& start)
{
    std::size_t count = 0;
    for (const json& event : document["traceEvents"])
        count += event["ph"] == phase && event["name"].get<std::string>().starts_with(start);
    return count;
}

} // namespace

TEST(ExportTrace, HoldsThePeakOfInfoAndTheStepsOfPeaks)
{
    const json document = traceOf(kStepsSample);
    const json info
        = parseJson(runHighwater({"info", samplePath(kStepsSample), "--json"}).out)["files"][0]["devices"][0];
    EXPECT_EQ(highest(document, "requested bytes"), info["peak_bytes"]);
    EXPECT_EQ(highest(document, "reserved bytes"), info["reserved_peak_bytes"]);
    const json steps = parseJson(runHighwater({"peaks", samplePath(kStepsSample), "--json"}).out)["steps"];
    for (const json& step : steps)
        EXPECT_GE(countOf(document, "X", step["name"]), 1u);
}

TEST(ExportTrace, HoldsNoActivitiesUnlessAskedFor)
{
    EXPECT_EQ(countOf(traceOf(kKineto), "M", "process_name"), 1u);
}

TEST(ExportTrace, IsNeverCsv)
{
    const auto run = runHighwater({"export", samplePath(kKineto), "--what", "trace", "-o", "x.csv"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("trace can be written as JSON"), std::string::npos) << run.err;
}

TEST(ExportWith, IsRefusedWhereItWouldBePassedOver)
{
    const auto run = runHighwater(
        {"export", samplePath(kKineto), "--what", "events", "-o", "-", "--with", samplePath(kStepsSample)});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("--with and --offset need"), std::string::npos) << run.err;
}

TEST(ExportWith, SaysThatAFileTellsNothingOfTheDevice)
{
    const auto run = runHighwater(
        {"export", samplePath(kKineto), "--what", "curve", "-o", "-", "--with", samplePath(kKineto)});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.err.find("has no figures of GPU 0"), std::string::npos) << run.err;
}

TEST(ExportWith, FailsWithTheOtherFile)
{
    const auto run = runHighwater(
        {"export", samplePath(kKineto), "--what", "curve", "-o", "-", "--with", "missing.sqlite"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.err.find("missing.sqlite"), std::string::npos) << run.err;
}

} // namespace highwater
