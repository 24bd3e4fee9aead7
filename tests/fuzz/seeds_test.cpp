#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.h"
#include "tests/support/sample_files.h"

namespace fs = std::filesystem;

namespace highwater {
namespace {

using fuzz::Target;

constexpr std::uintmax_t kLargestSeed = 128 * 1024;
/// In all, for each target: what a fuzzer tries by the million is tried a little with every change. More
/// where HIGHWATER_CHANGED_INPUTS says so, and others where HIGHWATER_CHANGED_SEED does.
constexpr std::size_t kChangedInputs = 400;

std::size_t fromEnvironment(const char* name, std::size_t otherwise)
{
    const char* const text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string bytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void addFiles(const fs::path& place, std::vector<fs::path>& to)
{
    if (!fs::is_directory(place)) {
        ASSERT_TRUE(fs::exists(place)) << place;
        to.push_back(place);
        return;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(place))
        if (entry.is_regular_file() && entry.file_size() <= kLargestSeed)
            to.push_back(entry.path());
}

/// As tests/fuzz/corpora.txt has them, and those kept for the target alone.
std::vector<fs::path> seedsOf(std::string_view target)
{
    const fs::path top = fs::path(test::samplePath("README.md")).parent_path().parent_path();
    std::vector<fs::path> seeds;
    std::ifstream list(top / "tests/fuzz/corpora.txt");
    for (std::string line; std::getline(list, line);) {
        std::istringstream words(line);
        std::string word;
        if (words >> word; word != target)
            continue;
        while (words >> word)
            addFiles(top / word, seeds);
    }
    if (const fs::path own = top / "tests/fuzz/seeds" / target; fs::exists(own))
        addFiles(own, seeds);
    std::ranges::sort(seeds);
    return seeds;
}

/// Some bytes of it are others, and some of it is missing or there twice.
std::string changed(std::string bytes, std::mt19937_64& random)
{
    const auto below
        = [&](std::size_t end) { return static_cast<std::size_t>(random() % std::max<std::size_t>(end, 1)); };
    for (std::size_t i = 1 + below(8); i > 0 && !bytes.empty(); --i) {
        const std::size_t at = below(bytes.size());
        switch (below(5)) {
        case 0: bytes[at] = static_cast<char>(random()); break;
        case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
        case 2: bytes.erase(at, 1 + below(16)); break;
        case 3: bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(64))); break;
        default: bytes.resize(at); break;
        }
    }
    return bytes;
}

class FuzzTarget : public testing::TestWithParam<Target>
{
};

TEST_P(FuzzTarget, ReadsOrRefusesEverySeed)
{
    const std::vector<fs::path> seeds = seedsOf(GetParam().name);
    ASSERT_FALSE(seeds.empty());
    for (const fs::path& seed : seeds)
        GetParam().run(bytesOf(seed));
}

TEST_P(FuzzTarget, ReadsOrRefusesSeedsThatWereChanged)
{
    const std::vector<fs::path> seeds = seedsOf(GetParam().name);
    ASSERT_FALSE(seeds.empty());
    std::mt19937_64 random(fromEnvironment("HIGHWATER_CHANGED_SEED", 28));
    const std::size_t rounds = std::max<std::size_t>(
        1, fromEnvironment("HIGHWATER_CHANGED_INPUTS", kChangedInputs) / seeds.size());
    for (const fs::path& seed : seeds) {
        const std::string bytes = bytesOf(seed);
        for (std::size_t i = 0; i < rounds; ++i)
            GetParam().run(changed(bytes, random));
    }
}

std::string nameOf(const testing::TestParamInfo<Target>& info)
{
    std::string name = info.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Every, FuzzTarget, testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()), nameOf);

} // namespace
} // namespace highwater
