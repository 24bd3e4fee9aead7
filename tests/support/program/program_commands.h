#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater::test {

using Words = std::vector<std::string>;

/// A call of the command-line program, for tests that try every command.
struct ProgramCommand
{
    std::string name; ///< letters, digits and underscores
    std::string ending; ///< ending of the file that it writes; empty if it prints
    /// Arguments with the placeholders FILE, OTHER and OUT, which `wordsOf` replaces.
    Words words;
};

/// Paths of recordings for these commands: two small ones that end out of memory, and a larger one.
inline const std::string kFragmentedFile = samplePath(kFragmentedSample);
inline const std::string kTooBigFile = snapshotPath("oom-too-big");
inline const std::string kGrpoFile = samplePath(kGrpoSample);

/// Commands that print their results, commands that write a file, and both together.
const std::vector<ProgramCommand>& printingCommands();
const std::vector<ProgramCommand>& writingCommands();
const std::vector<ProgramCommand>& allCommands();

/// Returns the command's arguments; `out` has no ending.
Words wordsOf(const ProgramCommand& command, const std::string& file, const std::string& other = {},
    const std::string& out = {});

/// Returns text like "report --before" for messages of failed tests.
inline std::string joined(const Words& words)
{
    std::string text;
    for (const std::string& word : words)
        text += word + ' ';
    return text;
}

inline bool isOneLine(const std::string& text)
{
    return !text.empty() && text.find('\n') == text.size() - 1;
}

/// Names tests in INSTANTIATE_TEST_SUITE_P.
inline std::string nameOfCommand(const testing::TestParamInfo<ProgramCommand>& info)
{
    return info.param.name;
}

} // namespace highwater::test
