#include <gtest/gtest.h>

#include "app/loading/recording_recipes.h"
#include "core/base/json.h"
#include "tests/support/run_program.h"

namespace highwater {

using test::runHighwater;

namespace {

class Record : public testing::TestWithParam<std::string>
{
protected:
    std::string text() const { return runHighwater({"record", "--for", GetParam()}).out; }
    bool says(std::string_view words) const { return text().find(words) != std::string::npos; }
};

} // namespace

TEST_P(Record, PrintsAFileThatRecordsEveryRankAtOutOfMemoryAndOnASignal)
{
    EXPECT_TRUE(says("os.environ.get(\"RANK\")"));
    EXPECT_TRUE(says("_cuda_attach_out_of_memory_observer"));
    EXPECT_TRUE(says("signal.SIGUSR1"));
}

TEST_P(Record, ClearsTheHistoryBetweenFilesAndBoundsIt)
{
    EXPECT_TRUE(says("_record_memory_history(enabled=None)"));
    EXPECT_TRUE(says("max_entries=MAX_ENTRIES"));
}

TEST_P(Record, SaysWhatToWriteInTheScript)
{
    const std::string made = text();
    EXPECT_NE(made.find("\n# "), std::string::npos) << made;
    EXPECT_NE(made.find("record_memory"), std::string::npos);
}

std::string frameworkName(const testing::TestParamInfo<std::string>& info)
{
    return info.param;
}

INSTANTIATE_TEST_SUITE_P(Frameworks, Record, testing::ValuesIn(recordingFrameworks()), frameworkName);

TEST(RecordCommand, PrintsTheSameTextAsJson)
{
    const auto document = parseJson(runHighwater({"record", "--for", "trl", "--json"}).out);
    EXPECT_EQ(document.at("for"), "trl");
    EXPECT_EQ(document.at("file"), "record_memory.py");
    EXPECT_EQ(document.at("text"), runHighwater({"record", "--for", "trl"}).out);
}

TEST(RecordCommand, RefusesAFrameworkThatItDoesNotKnow)
{
    EXPECT_EQ(runHighwater({"record", "--for", "keras"}).exitCode, 2);
    EXPECT_EQ(runHighwater({"record"}).exitCode, 2);
}

} // namespace highwater
