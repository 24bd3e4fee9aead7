#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace highwater::test {

/// Returns the path of a file in the project's samples: samplePath("encodings/tiny.json").
std::string samplePath(const std::string& name);
/// Returns the path of a file in the project's tree: sourcePath("app/cli/main.cpp").
std::string sourcePath(const std::string& name);
/// Returns the path of a file in samples/pytorch-snapshot, given its name without endings.
std::string snapshotPath(const std::string& name);

/// Samples that many tests use, as names for `samplePath`.
inline constexpr const char* kTinySample = "encodings/tiny-protocol-4.pickle";
inline constexpr const char* kStepsSample = "pytorch-snapshot/training-6-steps-annotated.pickle.zst";
inline constexpr const char* kFragmentedSample = "pytorch-snapshot/oom-fragmentation.pickle.zst";
inline constexpr const char* kGrpoSample = "pytorch-snapshot/r1-grpo-before.pickle.zst";

/// Returns all files in a folder of samples as "folder/name", sorted. Throws if there is none.
std::vector<std::string> sampleNames(const std::string& folder);

/// Returns the path of a real recording, which is next to the project but not part of it; nothing if it is
/// absent.
std::optional<std::string> realFilePath(const std::string& name);
/// Returns all real recordings in a folder as "folder/name", sorted; empty if they are absent.
std::vector<std::string> realFileNames(const std::string& folder);

/// Returns the folders below this one that have at least two files and at most `mostFiles`, sorted.
std::vector<std::string> foldersBelow(const std::filesystem::path& root, std::ptrdiff_t mostFiles);

std::string readWholeFile(const std::filesystem::path& path);
/// Returns the sample's bytes after removing one layer of gzip or zstd.
std::string readDecompressed(const std::string& path);

/// Returns a name for a parametrised test: letters, digits and underscores only.
std::string testNameOf(const std::string& path);

/// Names tests after their file in INSTANTIATE_TEST_SUITE_P.
inline std::string nameOfFile(const testing::TestParamInfo<std::string>& info)
{
    return testNameOf(info.param);
}

/// A folder that is removed with all its contents.
class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Writes a file (and the folders above it) and returns its path.
    std::string write(const std::string& name, std::string_view content) const;

private:
    std::filesystem::path m_path;
};

} // namespace highwater::test

/// Skips the test if the real recordings are absent.
#define SKIP_WITHOUT_REAL_FILE(path)                                                                         \
    if (!(path))                                                                                             \
    GTEST_SKIP() << "skipped: no ../shared/data"
