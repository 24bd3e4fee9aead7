// Checks that no sample reveals on whose machine it was recorded.
#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// Folders of people and of build machines. Recordings are made under /train; older ones contain
/// /home/user/train.
constexpr std::array<std::string_view, 8> kTelling = {"/root/", "/Users/", "/work/", "/tmp/python-build",
    "/.pyenv/", "/.cache/pip", "/scratch/", "C:\\Users\\"};
/// User names that identify nobody.
constexpr std::array<std::string_view, 5> kAnybody = {"user/", "me/", "train/", "ml/", "someone-else"};

/// Returns the text at this position; empty if there is none.
std::string around(const std::string& text, std::size_t at)
{
    return at == std::string::npos ? std::string() : text.substr(at, 60);
}

std::string firstTellingPath(const std::string& text)
{
    for (const std::string_view needle : kTelling)
        if (const std::string found = around(text, text.find(needle)); !found.empty())
            return found;
    constexpr std::string_view kHome = "/home/";
    for (std::size_t at = text.find(kHome); at != std::string::npos; at = text.find(kHome, at + 1)) {
        const std::string_view name = std::string_view(text).substr(at + kHome.size(), 12);
        if (std::ranges::none_of(kAnybody, [name](std::string_view one) { return name.starts_with(one); }))
            return around(text, at);
    }
    return {};
}

/// False for scripts, texts, and broken files that are made from other samples.
bool isRecording(const fs::path& path)
{
    return path.extension() != ".py" && path.extension() != ".md" && path.extension() != ".sh"
        && path.parent_path().filename() != "broken";
}

} // namespace

TEST(NeutralSamples, NameNoFolderOfAUserOrOfABuild)
{
    std::size_t looked = 0;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(test::samplePath(""))) {
        if (!file.is_regular_file() || !isRecording(file.path()))
            continue;
        ++looked;
        EXPECT_EQ(firstTellingPath(test::readDecompressed(file.path().string())), "") << file.path();
    }
    EXPECT_GT(looked, 400u);
}

TEST(NeutralSamples, AreFoundWhereTheyAreNot)
{
    EXPECT_NE(firstTellingPath("x/home/anna/train.py"), "");
    EXPECT_NE(firstTellingPath("/home/user/a /home/bob/b"), "");
    EXPECT_NE(firstTellingPath("X\x10/root/.venv/lib"), "");
    EXPECT_EQ(firstTellingPath("/home/user/train/model.py /train/r1.py /usr/lib/python3"), "");
}

} // namespace highwater
