#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/text_format.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

const std::string kCopied = test::samplePath(test::kTinySample);

/// True for valid UTF-8 without characters that move the cursor, hide text or reverse it. Text that begins
/// like JSON must also be valid JSON.
bool isShownSafely(std::string text)
{
    if (text.starts_with('{') || text.starts_with('['))
        return nlohmann::json::accept(text);
    std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
    return sanitizedText(text) == text;
}

struct Name
{
    std::string label;
    std::string name;
};

std::string labelOf(const testing::TestParamInfo<Name>& info)
{
    return info.param.label;
}

} // namespace

class NameOfAFile : public testing::TestWithParam<Name>
{
};

TEST_P(NameOfAFile, IsTakenAndShownSafelyByEveryCommand)
{
    const test::TemporaryFolder folder;
    const std::string file = (folder.path() / GetParam().name).string();
    const std::string out = (folder.path() / ("out" + GetParam().name.substr(0, 200))).string();
    fs::copy_file(kCopied, file);
    for (const test::ProgramCommand& command : test::allCommands()) {
        test::Words words = test::wordsOf(command, file, {}, out);
        if (!command.ending.empty())
            words.emplace_back("--force");
        const test::ProgramRun run = test::runHighwater(words);
        EXPECT_EQ(run.exitCode, 0) << command.name << ' ' << run.err;
        EXPECT_EQ(run.err, "") << command.name;
        EXPECT_TRUE(isShownSafely(run.out)) << command.name;
        const bool isBinary
            = command.ending == ".hwt" || command.ending == ".pickle" || command.ending == ".sqlite";
        if (command.ending.empty() || isBinary)
            continue;
        const std::string written = test::readWholeFile(out + command.ending);
        EXPECT_TRUE(isShownSafely(written)) << command.name;
        // these formats are never rendered
        const bool isRead = command.ending == ".json" || command.ending == ".csv";
        EXPECT_TRUE(isRead || written.find("<script>alert") == std::string::npos) << command.name;
    }
}

INSTANTIATE_TEST_SUITE_P(With, NameOfAFile,
    testing::Values(Name{"line_break", "a\nb\rc.pickle"}, Name{"quotes", "a\"b'c`$(d).pickle"},
        Name{"markup", "<script>alert(1)<!--.pickle"}, Name{"escapes", "\x1b[31ma\x07\t.pickle"},
        Name{"no_utf8", "a\xff\xfe\xc3.pickle"}, Name{"direction", "a\u202e\u2028b.pickle"},
        Name{"formats", "%s%n{}{0}.pickle"}, Name{"length_255", std::string(248, 'n') + ".pickle"},
        Name{"blank", " "}),
    labelOf);

TEST(NameThatBeginsWithADash, IsExplained)
{
    const test::TemporaryFolder folder;
    fs::copy_file(kCopied, folder.path() / "-run.pickle");
    const test::RunOptions inFolder{.folder = folder.path().string()};
    for (const test::ProgramCommand& command : test::printingCommands()) {
        const test::ProgramRun run = test::runHighwater(test::wordsOf(command, "-run.pickle"), inFolder);
        EXPECT_EQ(run.exitCode, 2) << command.name;
        EXPECT_TRUE(run.err.ends_with(" ./-run.pickle\n")) << run.err;
        EXPECT_EQ(test::runHighwater(test::wordsOf(command, "./-run.pickle"), inFolder).exitCode, 0);
    }
}

TEST(RelativePath, MayBeLongerThanAPathMayBe)
{
    const test::TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    std::string deep = ".";
    for (int i = 0; i < 30; ++i) { // creates a path of 6,000 bytes, one part at a time
        fs::create_directory(std::string(200, 'd'));
        fs::current_path(std::string(200, 'd'));
        deep += "/" + std::string(200, 'd');
    }
    fs::copy_file(kCopied, "run.pickle");
    for (const test::ProgramCommand& command : test::allCommands()) {
        const test::ProgramRun run = test::runHighwater(test::wordsOf(command, "run.pickle", {}, "out"));
        EXPECT_EQ(run.exitCode, 0) << command.name << ' ' << run.err;
        fs::remove("out" + command.ending);
    }
    fs::current_path(before);
    const test::ProgramRun run = test::runHighwater({"info", deep + "/run.pickle"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.err.ends_with(": File name too long\n")) << run.err;
}

TEST(TenThousandFiles, AreEachToldOnce)
{
    constexpr std::size_t kFiles = 10'000;
    const test::TemporaryFolder folder;
    const std::string empty = folder.write("empty", "");
    for (test::Words words : {test::Words{"info"}, {"check", "--max-peak", "1GiB"}, {"diff"}, {"findings"},
             {"peaks"}, {"report", "-o", (folder.path() / "out.html").string()}}) {
        // These commands merge their files into one run, in which a file counts once.
        const bool isAboutRun
            = words.front() == "report" || words.front() == "findings" || words.front() == "peaks";
        words.insert(words.end(), kFiles, empty);
        const test::ProgramRun run = test::runHighwater(words);
        EXPECT_EQ(run.exitCode, 3) << words.front();
        EXPECT_EQ(std::ranges::count(run.err, '\n'), isAboutRun ? 1 : kFiles) << words.front();
    }
    test::Words words{"bench"};
    words.insert(words.end(), kFiles, empty);
    const test::ProgramRun tooMany = test::runHighwater(words);
    EXPECT_EQ(tooMany.exitCode, 2);
    EXPECT_TRUE(test::isOneLine(tooMany.err) && tooMany.err.size() < 200) << tooMany.err;
}

} // namespace highwater::cli
