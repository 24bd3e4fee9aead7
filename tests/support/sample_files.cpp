#include "tests/support/sample_files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "importers/source/compressed_source.h"
#include "importers/source/peekable_source.h"
#include "tests/support/piecewise_source.h"

namespace highwater::test {

namespace fs = std::filesystem;

std::string samplePath(const std::string& name)
{
    return std::string(HIGHWATER_SOURCE_DIR "/samples/") + name;
}

std::string sourcePath(const std::string& name)
{
    return std::string(HIGHWATER_SOURCE_DIR "/") + name;
}

std::string snapshotPath(const std::string& name)
{
    return samplePath("pytorch-snapshot/" + name + ".pickle.zst");
}

namespace {

std::vector<std::string> namesIn(const fs::path& path, const std::string& folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
        if (entry.is_regular_file())
            names.push_back(folder + "/" + entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

std::vector<std::string> sampleNames(const std::string& folder)
{
    std::vector<std::string> names = namesIn(samplePath(folder), folder);
    if (names.empty()) // otherwise the tests of these files would all pass
        throw std::runtime_error("no samples in " + folder);
    return names;
}

std::vector<std::string> foldersBelow(const fs::path& root, std::ptrdiff_t mostFiles)
{
    std::vector<std::string> folders;
    for (const fs::directory_entry& at : fs::recursive_directory_iterator(root)) {
        if (!at.is_directory())
            continue;
        const std::ptrdiff_t files = std::count_if(fs::directory_iterator(at.path()),
            fs::directory_iterator(), [](const fs::directory_entry& file) { return file.is_regular_file(); });
        if (files > 1 && files <= mostFiles)
            folders.push_back(at.path().string());
    }
    std::ranges::sort(folders);
    return folders;
}

std::optional<std::string> realFilePath(const std::string& name)
{
    const fs::path path = fs::path(HIGHWATER_SOURCE_DIR) / ".." / "shared" / "data" / name;
    return fs::exists(path) ? std::optional(path.string()) : std::nullopt;
}

std::vector<std::string> realFileNames(const std::string& folder)
{
    const std::optional<std::string> path = realFilePath(folder);
    return path ? namesIn(*path, folder) : std::vector<std::string>();
}

std::string readWholeFile(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string readDecompressed(const std::string& path)
{
    const std::string bytes = readWholeFile(path);
    const std::string_view compression = detectCompression(bytes);
    if (compression.empty())
        return bytes;
    return readAll(
        *decompress(compression, std::make_unique<MemorySource>(bytes), std::uint64_t{1} << 32), 1 << 16)
        .value();
}

std::string testNameOf(const std::string& path)
{
    std::string name = path.substr(path.find_last_of('/') + 1);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

TemporaryFolder::TemporaryFolder()
{
    std::string pattern = (fs::temp_directory_path() / "highwater-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error("cannot make a temporary folder");
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code error;
    fs::remove_all(m_path, error);
}

std::string TemporaryFolder::write(const std::string& name, std::string_view content) const
{
    const fs::path path = m_path / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
}

} // namespace highwater::test
