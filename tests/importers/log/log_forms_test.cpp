// Tests every entry of the pattern table with its own line, and with other people's lines if these are
// available.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "importers/log/log_reader.h"
#include "importers/log/patterns/pattern_table_reader.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct Form
{
    std::string id;
    std::string line;
};

/// Returns the lines of the form "id|||line" or "id|||line|||…".
std::vector<Form> formsIn(const std::string& path)
{
    std::vector<Form> forms;
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) {
        const std::size_t split = text.find("|||");
        const std::string rest = text.substr(split + 3);
        forms.push_back({text.substr(0, split), rest.substr(0, rest.find("|||"))});
    }
    if (forms.empty()) // otherwise the comparison would be empty
        throw std::runtime_error("no lines in " + path);
    return forms;
}

std::vector<Form> ownForms()
{
    return formsIn(test::samplePath("logs/forms.txt"));
}

/// True if this entry itself matches the line after its prefixes.
bool takes(const std::string& id, const std::string& line)
{
    using namespace logs;
    const PatternTable& table = builtInPatterns();
    SeriesStore series;
    LineContext context;
    context.whole = line;
    PrefixParser(table, series).parsePrefixes(context);
    for (const LinePattern& pattern : table.lines)
        if (pattern.id == id)
            return line.find(pattern.requiredText) != std::string::npos
                && re2::RE2::PartialMatch(context.text, *pattern.regex);
    for (const RecordShape& shape : table.records)
        if (shape.id == id)
            return line.find(shape.requiredText) != std::string::npos
                && re2::RE2::PartialMatch(context.text, *shape.anchor);
    return false;
}

} // namespace

TEST(LogForms, OfTheBuiltInTableAreAllUsable)
{
    std::vector<std::string> refused;
    ASSERT_TRUE(logs::patternsWith("{}", refused));
    EXPECT_EQ(refused, std::vector<std::string>());
}

TEST(LogForms, HaveALineEach)
{
    std::set<std::string> ids;
    for (const Form& form : ownForms())
        ids.insert(form.id);
    for (const logs::LinePattern& pattern : logs::builtInPatterns().lines)
        EXPECT_TRUE(ids.contains(pattern.id)) << pattern.id;
    for (const logs::RecordShape& shape : logs::builtInPatterns().records)
        EXPECT_TRUE(shape.continuation || ids.contains(shape.id)) << shape.id;
}

TEST(LogForms, TakeTheirLines)
{
    for (const Form& form : ownForms())
        EXPECT_TRUE(takes(form.id, form.line)) << form.id << ": " << form.line;
}

TEST(LogForms, GiveASeriesFromEachLineWithAFigureOfMemory)
{
    const std::set<std::string> withoutBytes
        = {"deepspeed.step", "megatron.iteration", "maxtext.step", "moddednanogpt.step", "nvidia-smi.card",
            "torch-summary.title", "torch-summary.counts", "fairseq.text", "handwritten.step_loss",
            "vllm.kv_tokens", "nanogpt.iter_mem", "python-dict", "tensorrt.device"};
    for (const Form& form : ownForms()) {
        const auto imported = test::importBytes(form.line + "\n");
        ASSERT_TRUE(imported) << form.id;
        bool bytes = false;
        for (const CounterSeries& series : imported->trace->counters)
            bytes = bytes || series.unit == "bytes";
        EXPECT_TRUE(bytes || withoutBytes.contains(form.id)) << form.id << ": " << form.line;
    }
}

TEST(LogForms, OfOtherPeopleGiveSeriesOrMessages)
{
    const auto path = test::realFilePath("../formats/trainer-log-samples.txt");
    SKIP_WITHOUT_REAL_FILE(path);
    for (const Form& form : formsIn(*path)) {
        const auto imported = test::importBytes(form.line + "\n");
        ASSERT_TRUE(imported) << form.id;
        EXPECT_TRUE(!imported->trace->counters.empty() || !imported->trace->logEvents.empty()) << form.line;
    }
}

} // namespace highwater
