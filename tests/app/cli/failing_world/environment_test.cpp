#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kSamples = {"pytorch-snapshot/oom-fragmentation.pickle.zst",
    "logs/r5-flan-t5-xl.log", "kineto/tiny-addresses.pt.trace.json"};

using Variables = std::vector<std::pair<std::string, std::string>>;

struct Environment
{
    std::string name;
    Variables variables;
};

/// Compiles a locale with a decimal comma into the folder. Returns false if the system cannot do that.
bool hasCommaLocale(const fs::path& folder)
{
    const std::string command
        = "localedef -c -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
    return std::system(command.c_str()) == 0 || fs::exists(folder / "de_DE.UTF-8/LC_NUMERIC");
}

/// Returns everything that the commands print and write for each sample.
std::vector<std::string> outputs(Variables variables)
{
    const test::TemporaryFolder folder;
    variables.emplace_back("SOURCE_DATE_EPOCH", "1700000000");
    std::vector<std::string> all;
    for (const std::string& sample : kSamples)
        for (const test::Words& words : {test::Words{"info", "FILE"}, {"peaks", "FILE"},
                 {"info", "FILE", "--json"}, {"export", "FILE", "--what", "curve", "-o", "-"},
                 {"figure", "FILE", "--kind", "timeline", "-o", "-"},
                 {"report", "FILE", "-o", "-", "--json"}}) {
            test::Words filled = words;
            std::ranges::replace(filled, "FILE", test::samplePath(sample));
            const test::ProgramRun run = test::runHighwater(filled, {.environment = variables});
            all.push_back(test::joined(filled) + std::to_string(run.exitCode) + run.err + run.out);
        }
    return all;
}

std::string nameOfEnvironment(const testing::TestParamInfo<Environment>& info)
{
    return info.param.name;
}

} // namespace

class UnusualEnvironment : public testing::TestWithParam<Environment>
{
};

TEST_P(UnusualEnvironment, ChangesNoOutput)
{
    static const std::vector<std::string> usual = outputs({{"LC_ALL", "C.UTF-8"}});
    const std::vector<std::string> here = outputs(GetParam().variables);
    ASSERT_EQ(here.size(), usual.size());
    for (std::size_t i = 0; i < usual.size(); ++i)
        EXPECT_EQ(here[i], usual[i]);
}

INSTANTIATE_TEST_SUITE_P(Where, UnusualEnvironment,
    testing::Values(Environment{"folders_are_missing",
                        {{"HOME", "/none/home"}, {"TMPDIR", "/none/tmp"}, {"XDG_CACHE_HOME", "/none/cache"},
                            {"XDG_CONFIG_HOME", "/none/config"}}},
        Environment{"folders_are_files",
            {{"HOME", "/dev/null"}, {"TMPDIR", "/dev/null"}, {"XDG_CACHE_HOME", "/dev/null"},
                {"XDG_CONFIG_HOME", "/dev/null"}}},
        Environment{"folders_are_unwritable",
            {{"HOME", "/proc"}, {"TMPDIR", "/proc"}, {"XDG_CACHE_HOME", "/proc"},
                {"XDG_CONFIG_HOME", "/proc"}}},
        Environment{"folders_are_empty_or_endless",
            {{"HOME", ""}, {"TMPDIR", std::string(5000, 't')},
                {"XDG_CONFIG_HOME", "/" + std::string(100'000, 'h')}}},
        Environment{"time_zone_is_nonsense", {{"TZ", "Nonsense/Nowhere:::,,,M99"}}},
        Environment{"time_zone_is_a_device", {{"TZ", ":/dev/zero"}}},
        Environment{"time_zone_is_far", {{"TZ", "UTC+99:99"}}},
        Environment{"time_zone_is_no_text", {{"TZ", "\xff\xfe"}}},
        Environment{"locale_is_c", {{"LC_ALL", "C"}}},
        Environment{"locale_is_unknown", {{"LC_ALL", "xx_YY.nonsense"}, {"LANGUAGE", "xx"}}}),
    nameOfEnvironment);

TEST(Locale, NeverBringsItsDecimalComma)
{
    const test::TemporaryFolder folder;
    if (!hasCommaLocale(folder.path()))
        GTEST_SKIP() << "skipped: no locale with a decimal comma can be made here";
    EXPECT_EQ(outputs({{"LOCPATH", folder.path().string()}, {"LC_ALL", "de_DE.UTF-8"}}),
        outputs({{"LC_ALL", "C.UTF-8"}}));
}

} // namespace highwater::cli
