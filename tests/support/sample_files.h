#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace highwater::test {

/// A file of the project's own samples: samplePath("encodings/tiny.json").
std::string samplePath(const std::string& name);
/// A file of the project's tree: sourcePath("app/cli/main.cpp").
std::string sourcePath(const std::string& name);
/// A file of samples/pytorch-snapshot, by its name without endings.
std::string snapshotPath(const std::string& name);

/// Samples that many tests read, as `samplePath` takes them.
inline constexpr const char* kTinySample = "encodings/tiny-protocol-4.pickle";
inline constexpr const char* kStepsSample = "pytorch-snapshot/training-6-steps-annotated.pickle.zst";
inline constexpr const char* kFragmentedSample = "pytorch-snapshot/oom-fragmentation.pickle.zst";
inline constexpr const char* kGrpoSample = "pytorch-snapshot/r1-grpo-before.pickle.zst";

/// All files of a folder of samples as "folder/name", sorted; throws where there is none.
std::vector<std::string> sampleNames(const std::string& folder);

/// Path of a real recording next to the project, which is not part of it; none if it is absent.
std::optional<std::string> realFilePath(const std::string& name);
/// All of a folder of them as "folder/name", sorted; none if they are absent.
std::vector<std::string> realFileNames(const std::string& folder);

/// Folders below this one that hold at least two files and at most so many, sorted.
std::vector<std::string> foldersBelow(const std::filesystem::path& root, std::ptrdiff_t mostFiles);

std::string readWholeFile(const std::filesystem::path& path);
/// The sample's bytes with one layer of gzip or zstd taken off.
std::string readDecompressed(const std::string& path);

/// A name for a parametrised test: letters, digits and underscores only.
std::string testNameOf(const std::string& path);

/// For INSTANTIATE_TEST_SUITE_P, where each test has the name of a file.
inline std::string nameOfFile(const testing::TestParamInfo<std::string>& info)
{
    return testNameOf(info.param);
}

/// A folder that is removed with everything in it.
class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Writes a file (and the folders above it) and gives its path.
    std::string write(const std::string& name, std::string_view content) const;

private:
    std::filesystem::path m_path;
};

} // namespace highwater::test

/// Ends the test as skipped where the real recordings are absent.
#define SKIP_WITHOUT_REAL_FILE(path)                                                                         \
    if (!(path))                                                                                             \
    GTEST_SKIP() << "skipped: no ../shared/data"
