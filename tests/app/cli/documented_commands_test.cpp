// Runs every command line in README.md and the manual unchanged, and compares its output with the output
// shown below it.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(test::samplePath("x")).parent_path().parent_path();

struct CommandText
{
    std::string page;
    std::string line;
    bool isExample = true; ///< false for a synopsis, which contains FILE and the like
    std::vector<std::string> output = {}; ///< as on the page; a line "…" matches any number of lines

    friend std::ostream& operator<<(std::ostream& out, const CommandText& command)
    {
        return out << command.page << ": " << command.line;
    }
};

bool isProgram(const std::string& line)
{
    return std::regex_search(line, std::regex(R"(^(build/release/bin/)?highwater(-gui)? )"));
}

/// True for a text that cannot be run: "highwater COMMAND FILE… [OPTIONS]" and the like, or a command's bare
/// name within a sentence.
bool isSynopsis(const std::string& line)
{
    static const std::regex bareName("highwater(-gui)? (-?[a-z-]+)");
    if (std::regex_match(line, bareName) && line != "highwater help")
        return true;
    return std::regex_search(line, std::regex(R"(…|\[[A-Z]|\b(FILE|COMMAND|RULE|NAME|OUT|TOPIC|FOLDER)\b)"));
}

/// Returns the commands in code blocks and between backticks.
std::vector<CommandText> commandsOnPage(const std::string& page)
{
    std::vector<CommandText> commands;
    std::istringstream lines(test::readWholeFile(kSource / page));
    const auto add = [&](const std::string& text) {
        if (isProgram(text))
            commands.push_back({page, text, !isSynopsis(text)});
    };
    bool isBlock = false;
    bool isTyped = false; // output follows a line that begins with "$ "
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            isBlock = !isBlock;
            isTyped = false;
        } else if (isBlock && line.starts_with("$ ")) {
            isTyped = true;
            add(line.substr(2));
        } else if (isTyped && !commands.empty()) {
            commands.back().output.push_back(line);
        } else if (isBlock) {
            add(line);
        } else {
            for (std::size_t begin = line.find('`'), end = 0; begin != std::string::npos;
                 begin = line.find('`', end + 1)) {
                end = line.find('`', begin + 1);
                if (end == std::string::npos)
                    break;
                add(line.substr(begin + 1, end - begin - 1));
            }
        }
    }
    return commands;
}

/// True if the printed lines match the lines on the page.
bool areShown(std::span<const std::string> shown, std::span<const std::string> printed)
{
    if (shown.empty())
        return printed.empty();
    if (shown[0] == "…") {
        for (std::size_t skipped = 0; skipped <= printed.size(); ++skipped)
            if (areShown(shown.subspan(1), printed.subspan(skipped)))
                return true;
        return false;
    }
    return !printed.empty() && shown[0] == printed[0] && areShown(shown.subspan(1), printed.subspan(1));
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::vector<CommandText> allCommandTexts()
{
    std::vector<std::string> pages{"README.md"};
    for (const fs::directory_entry& entry :
        fs::recursive_directory_iterator(kSource / "resources" / "manual"))
        if (entry.path().extension() == ".md")
            pages.push_back(fs::relative(entry.path(), kSource).string());
    std::ranges::sort(pages);
    std::vector<CommandText> all;
    for (const std::string& page : pages)
        for (CommandText& command : commandsOnPage(page))
            all.push_back(std::move(command));
    return all;
}

/// Returns the window program, which may have been built in the same folder.
fs::path windowProgram()
{
    return fs::path(test::programPath()).parent_path() / "highwater-gui";
}

/// A folder with the programs and the files that the pages mention.
class Place
{
public:
    /// `realWindow` is false for a stand-in that exits immediately.
    explicit Place(bool realWindow)
    {
        const std::string snapshots = "pytorch-snapshot/";
        copy(snapshots + "training-6-steps-annotated.pickle.zst", "snapshot.pickle");
        copy(snapshots + "fault-stale-gradients.pickle.zst", "before.pickle");
        copy(snapshots + "clean-stale-gradients.pickle.zst", "after.pickle");
        copy(snapshots + "tiny-hand-checked.pickle.zst", "run/rank0.pickle");
        copy(
            snapshots + "tiny-hand-checked.pickle.zst", "memory/rank0-oom-step2-20261127-163407-4242.pickle");
        copy(snapshots + "r1-grpo-before.pickle.zst", "samples/" + snapshots + "r1-grpo-before.pickle.zst");
        for (const char* name : {"a.pickle", "b.pickle", "c.pickle"})
            copy(snapshots + "tiny-hand-checked.pickle.zst", name);
        copy("logs/r5-flan-t5-xl.log", "run.log");
        copy("logs/two-ranks-oom.log", "train.log");
        copy("budget/r5-flan-t5-xl.yaml", "run.yaml");
        copy("nsys/two-ranks-two-cards-3.16.1.sqlite", "run.sqlite");
        const std::string program = (m_folder.path() / "build/release/bin/highwater").string();
        fs::create_directories(fs::path(program).parent_path());
        fs::copy_file(test::programPath(), program);
        fs::create_directories(m_folder.path() / ".local/share/bash-completion/completions");
        fs::create_directories(m_folder.path() / ".config/fish/completions");
        addWorkspace();
        addWindow(realWindow && fs::exists(windowProgram()));
    }

    test::ProgramRun run(const std::string& line) const
    {
        copyNamed(line);
        test::RunOptions options;
        options.program = "/bin/bash";
        options.folder = m_folder.path().string();
        options.environment = {{"PATH", (m_folder.path() / "build/release/bin").string() + ":/usr/bin:/bin"},
            {"HOME", m_folder.path().string()}, {"XDG_CONFIG_HOME", m_folder.path().string()},
            {"QT_QPA_PLATFORM", "offscreen"}};
        return test::runHighwater({"-c", closing(line)}, options);
    }

private:
    /// Copies the samples that the line names.
    void copyNamed(const std::string& line) const
    {
        static const std::regex named("samples/[A-Za-z0-9_./-]+");
        for (std::sregex_iterator found(line.begin(), line.end(), named), end; found != end; ++found)
            if (fs::is_regular_file(kSource / found->str()))
                m_folder.write(found->str(), test::readWholeFile(kSource / found->str()));
    }

    /// Makes a window, which nobody would close, exit after a screenshot.
    static std::string closing(const std::string& line)
    {
        static const std::regex opens(R"(^([^ ]*/)?highwater-gui (?!.*(--export|--bench|--help|--version)))");
        return std::regex_search(line, opens)
            ? std::regex_replace(line, std::regex(R"( +#.*$)"), "") + " --screenshot window.png"
            : line;
    }

    /// Adds the sample workspace, with its files in subfolders instead of sibling folders.
    void addWorkspace()
    {
        for (const char* file : {"pytorch-snapshot/r1-grpo-before.pickle.zst",
                 "pytorch-snapshot/r1-grpo-after.pickle.zst", "logs/r2-grpo-memory.jsonl"})
            copy(file, file);
        const std::string text = test::readWholeFile(test::samplePath("workspace/format-1.highwater"));
        m_folder.write("incident.highwater", std::regex_replace(text, std::regex(R"("\.\./)"), "\""));
    }

    void addWindow(bool isReal)
    {
        const std::string name = "build/release/bin/highwater-gui";
        if (isReal)
            fs::create_symlink(windowProgram(), m_folder.path() / name);
        else
            fs::permissions(m_folder.write(name, "#!/bin/sh\n"), fs::perms::owner_all);
    }

    void copy(const std::string& sample, const std::string& name)
    {
        m_folder.write(name, test::readWholeFile(test::samplePath(sample)));
    }

    test::TemporaryFolder m_folder;
};

/// True for a command that needs PyTorch, which is not always installed.
bool needsMore(const std::string& line)
{
    return line.find("highwater rehearse") != std::string::npos;
}

bool isUsageError(const test::ProgramRun& run)
{
    return run.err.find("highwater help") != std::string::npos;
}

std::string wordAt(const std::string& line, std::size_t number)
{
    std::istringstream words(line);
    std::string word;
    for (std::size_t i = 0; i <= number; ++i)
        words >> word;
    return word;
}

} // namespace

class DocumentedCommand : public testing::TestWithParam<CommandText>
{
};

/// Exit code 1 is allowed for `check`, which returns it for an exceeded limit.
TEST_P(DocumentedCommand, Runs)
{
    const CommandText& command = GetParam();
    const Place place(command.line.find("highwater-gui ") != std::string::npos);
    if (!command.isExample) {
        const std::string name = wordAt(command.line, 1);
        if (std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; })
            && !name.starts_with('-')) {
            EXPECT_EQ(test::runHighwater({name, "--help"}).exitCode, 0) << command;
        }
        return;
    }
    const test::ProgramRun run = place.run(command.line);
    EXPECT_FALSE(isUsageError(run)) << command << '\n' << run.err;
    if (needsMore(command.line))
        return;
    EXPECT_TRUE(run.exitCode == 0 || (run.exitCode == 1 && command.line.find(" check ") != std::string::npos))
        << command << '\n'
        << run.exitCode << ' ' << run.err;
    EXPECT_TRUE(command.output.empty() || areShown(command.output, linesOf(run.out)))
        << command << "\nprints\n"
        << run.out;
}

INSTANTIATE_TEST_SUITE_P(Pages, DocumentedCommand, testing::ValuesIn(allCommandTexts()));

TEST(DocumentedCommands, AreThoseOfTheReadmeAndTheManual)
{
    const std::vector<CommandText> all = allCommandTexts();
    EXPECT_GT(std::ranges::count(all, "README.md", &CommandText::page), 10);
    EXPECT_GT(std::ranges::count_if(all, [](const CommandText& c) { return c.page != "README.md"; }), 50);
    EXPECT_GT(std::ranges::count_if(all, [](const CommandText& c) { return !c.output.empty(); }), 7);
}

} // namespace highwater::cli
