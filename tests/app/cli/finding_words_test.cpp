// The words of every rule, in one golden: tests of rules assert facts, this one their sentences.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/golden_file.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

using nlohmann::json;

std::string wordsOfFinding(const std::string& sample, const json& finding)
{
    std::string text
        = fmt::format("{} ({}, grade {}, {})\n  {}\n  Next: {}\n", finding["rule"].get<std::string>(),
            finding["kind"].get<std::string>(), finding["grade"].get<std::string>(), sample,
            finding["title"].get<std::string>(), finding["remedy"].get<std::string>());
    for (const json& sentence : finding["evidence"])
        text += "  - " + sentence.get<std::string>() + '\n';
    return text + "  " + finding["would_disprove"].get<std::string>() + "\n\n";
}

} // namespace

TEST(FindingWords, OfEveryRuleAreThoseOfTheGolden)
{
    std::map<std::string, std::string> byRule;
    for (const char* folder :
        {"pytorch-snapshot", "ranks", "rehearsed", "logs", "logs/kinds", "logs/families"})
        for (const std::string& sample : test::sampleNames(folder)) {
            const test::ProgramRun run = test::runHighwater({"findings", "--json", test::samplePath(sample)});
            const json answer = json::parse(run.out, nullptr, false);
            if (answer.is_discarded())
                continue;
            for (const json& finding : answer["findings"])
                byRule.try_emplace(finding["rule"].get<std::string>(), wordsOfFinding(sample, finding));
        }
    EXPECT_GE(byRule.size(), 35u);
    std::string text;
    for (const auto& [rule, words] : byRule)
        text += words;
    test::expectGolden("findings/words.txt", text);
}

} // namespace highwater::cli
