#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/fuzz/sections.h"
#include "tests/fuzz/targets.h"
#include "tests/support/sample_files.h"

namespace fs = std::filesystem;

namespace highwater {
namespace {

using fuzz::Target;

constexpr std::uintmax_t kLargestSeed = 128 * 1024;
/// Inputs per target: a small part of what a fuzzer tries by the million runs with every change to the code.
/// HIGHWATER_CHANGED_INPUTS sets another number, HIGHWATER_CHANGED_SEED another selection.
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

/// Returns the seeds listed in tests/fuzz/corpora.txt, and those kept for this target.
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

/// Changes some bytes, and removes or repeats a part.
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

constexpr std::uint64_t kNumbers[]
    = {0, 1, 2, 127, 255, 65'535, 0x7fff'ffff, 0x8000'0000, 0xffff'ffff, 0xffff'fffe, std::uint64_t{1} << 42,
        std::uint64_t{1} << 48, 0x7fff'ffff'ffff'ffff, std::uint64_t{1} << 63, 0xffff'ffff'ffff'ffff};

/// Changes one number in the columns, to a boundary value or to a neighbour of its old value.
std::string withNumberChanged(std::string bytes, std::mt19937_64& random)
{
    const std::size_t width = std::size_t{1} << random() % 4;
    if (bytes.size() < width)
        return bytes;
    char* const at = bytes.data() + random() % (bytes.size() / width) * width;
    std::uint64_t number = 0;
    std::memcpy(&number, at, width);
    number = random() % 2 == 0 ? kNumbers[random() % std::size(kNumbers)] : number + random() % 5 - 2;
    std::memcpy(at, &number, width);
    return bytes;
}

/// Changes a number in JSON in the same way.
std::string withDigitsChanged(std::string text, std::mt19937_64& random)
{
    constexpr std::string_view kDigits = "-0123456789";
    const std::size_t begin = text.find_first_of(kDigits, random() % std::max<std::size_t>(text.size(), 1));
    if (begin == std::string::npos)
        return text;
    const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    const auto number = static_cast<std::int64_t>(kNumbers[random() % std::size(kNumbers)]);
    return text.replace(begin, end - begin, std::to_string(number));
}

std::string sectionChanged(std::string section, std::mt19937_64& random)
{
    for (std::size_t i = 1 + random() % 3; i > 0; --i)
        if (random() % 4 == 0)
            section = changed(std::move(section), random);
        else
            section = section.starts_with('{') ? withDigitsChanged(std::move(section), random)
                                               : withNumberChanged(std::move(section), random);
    return section;
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

class FuzzTargetOfSections : public testing::TestWithParam<Target>
{
};

TEST_P(FuzzTargetOfSections, ReadsOrRefusesWhatWasChangedBehindChecksums)
{
    std::mt19937_64 random(fromEnvironment("HIGHWATER_CHANGED_SEED", 28));
    const std::size_t inputs = fromEnvironment("HIGHWATER_CHANGED_INPUTS", kChangedInputs);
    std::size_t tried = 0;
    for (const fs::path& seed : seedsOf(GetParam().name)) {
        const std::string bytes = bytesOf(seed);
        const auto change = [&](std::string section) { return sectionChanged(std::move(section), random); };
        for (std::size_t i = 0; i < inputs; ++i)
            if (const std::optional<std::string> file = fuzz::withSectionChanged(bytes, random(), change)) {
                GetParam().run(*file);
                ++tried;
            }
    }
    EXPECT_GE(tried, inputs);
}

std::vector<Target> targetsOfSections()
{
    std::vector<Target> found;
    std::ranges::copy_if(fuzz::targets(), std::back_inserter(found), &Target::hasSections);
    return found;
}

std::string nameOf(const testing::TestParamInfo<Target>& info)
{
    std::string name = info.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Every, FuzzTarget, testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()), nameOf);
INSTANTIATE_TEST_SUITE_P(Every, FuzzTargetOfSections, testing::ValuesIn(targetsOfSections()), nameOf);

} // namespace
} // namespace highwater
