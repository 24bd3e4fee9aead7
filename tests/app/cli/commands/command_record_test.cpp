#include <gtest/gtest.h>

#include "app/loading/recording_recipes.h"
#include "core/base/json.h"
#include "tests/support/run_program.h"

namespace highwater {

using test::runHighwater;

namespace {

class Record : public testing::TestWithParam<std::string>
{
};

bool says(const std::string& text, std::string_view words)
{
    return text.find(words) != std::string::npos;
}

} // namespace

TEST_P(Record, PrintsLinesThatUseThePackageAndSayHowToGetIt)
{
    const std::string text = runHighwater({"record", "--for", GetParam()}).out;
    EXPECT_TRUE(says(text, "highwater_gpu."));
    EXPECT_TRUE(says(text, "install the wheel highwater_gpu"));
    EXPECT_TRUE(says(text, "highwater record --standalone > record_memory.py"));
}

TEST_P(Record, PrintsTheSameLinesAsJsonWithTheFile)
{
    const auto document = parseJson(runHighwater({"record", "--for", GetParam(), "--json"}).out);
    EXPECT_EQ(document.at("for"), GetParam());
    EXPECT_EQ(document.at("lines"), recordingLines(GetParam()).value_or(""));
    EXPECT_EQ(document.at("file"), "record_memory.py");
    EXPECT_EQ(document.at("text"), standAloneRecorder());
}

std::string frameworkName(const testing::TestParamInfo<std::string>& info)
{
    return info.param;
}

INSTANTIATE_TEST_SUITE_P(Frameworks, Record, testing::ValuesIn(recordingFrameworks()), frameworkName);

TEST(RecordCommand, IsForPlainTorchWhereNothingIsSaid)
{
    EXPECT_EQ(runHighwater({"record"}).out, runHighwater({"record", "--for", "torch"}).out);
}

TEST(RecordCommand, PrintsTheRecorderAsOneFile)
{
    const std::string text = runHighwater({"record", "--standalone"}).out;
    EXPECT_EQ(text, standAloneRecorder());
    EXPECT_TRUE(text.starts_with("\"\"\"Records PyTorch's GPU memory"));
    for (const std::string_view part :
        {"class record(", "class Signals:", "def transformers_callback(", "def main("})
        EXPECT_TRUE(says(text, part)) << part;
    EXPECT_FALSE(says(text, "\nfrom ."));
}

TEST(RecordCommand, RefusesAFrameworkThatItDoesNotKnow)
{
    EXPECT_EQ(runHighwater({"record", "--for", "keras"}).exitCode, 2);
}

} // namespace highwater
