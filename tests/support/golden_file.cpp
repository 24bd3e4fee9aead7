#include "tests/support/golden_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater::test {

void expectGolden(const std::string& name, const std::string& text)
{
    const std::filesystem::path path
        = std::filesystem::path(HIGHWATER_SOURCE_DIR) / "tests" / "golden" / name;
    const char* update = std::getenv("HIGHWATER_UPDATE_GOLDENS");
    if (update && std::string_view(update) == "1") {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; HIGHWATER_UPDATE_GOLDENS=1 writes it";
    EXPECT_EQ(text, readWholeFile(path)) << "differs from " << path;
}

std::string abridged(const std::string& text, std::size_t firstLines, std::size_t lastLines)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    std::string out;
    const std::size_t first = std::min(firstLines, lines.size());
    const std::size_t lastBegin = std::max(first, lines.size() - std::min(lastLines, lines.size()));
    for (std::size_t i = 0; i < first; ++i)
        out += lines[i] + '\n';
    if (lastBegin > first)
        out += fmt::format("… {} lines …\n", lastBegin - first);
    for (std::size_t i = lastBegin; i < lines.size(); ++i)
        out += lines[i] + '\n';
    return out + fmt::format("lines {} fnv1a {:016x}\n", lines.size(), hash);
}

} // namespace highwater::test
