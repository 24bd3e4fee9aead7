#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater::test {

using Words = std::vector<std::string>;

/// A call of the command-line program for a test of every command.
struct ProgramCommand
{
    std::string name; ///< letters, digits and underscores
    std::string ending; ///< of the file that it writes; empty: it prints
    /// With FILE, OTHER and OUT for what `wordsOf` puts there.
    Words words;
};

/// Recordings that these commands are tried on, as paths: two small ones that end out of memory, and a larger
/// one.
inline const std::string kFragmentedFile = samplePath(kFragmentedSample);
inline const std::string kTooBigFile = snapshotPath("oom-too-big");
inline const std::string kGrpoFile = samplePath(kGrpoSample);

/// All commands that print what they find in files, and all that write a file.
const std::vector<ProgramCommand>& printingCommands();
const std::vector<ProgramCommand>& writingCommands();
const std::vector<ProgramCommand>& allCommands();

/// `out` is without its ending.
Words wordsOf(const ProgramCommand& command, const std::string& file, const std::string& other = {},
    const std::string& out = {});

/// "report --before": for messages of failed tests.
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

/// For INSTANTIATE_TEST_SUITE_P.
inline std::string nameOfCommand(const testing::TestParamInfo<ProgramCommand>& info)
{
    return info.param.name;
}

} // namespace highwater::test
