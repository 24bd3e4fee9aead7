#include "tests/support/golden_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/version.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

namespace fs = std::filesystem;

namespace {

const fs::path kGoldens = fs::path(HIGHWATER_SOURCE_DIR) / "tests" / "golden";

bool isUpdating()
{
    const char* update = std::getenv("HIGHWATER_UPDATE_GOLDENS");
    return update && std::string_view(update) == "1";
}

/// Writing a golden compares nothing, so the test must not look passed.
void tellWritten(const std::string& what)
{
    if (std::getenv("CI"))
        ADD_FAILURE() << "HIGHWATER_UPDATE_GOLDENS is set in CI: nothing is compared";
    else
        GTEST_SKIP() << "written: " << what;
}

constexpr const char* kHowToUpdate = "If the change is wanted: HIGHWATER_UPDATE_GOLDENS=1 tests/run -R "
                                     "Golden, then read git diff tests/golden";

std::string lines(const std::vector<std::string>& texts)
{
    std::string out;
    for (const std::string& text : texts)
        out += text + '\n';
    return out;
}

void replaceAll(std::string& text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

} // namespace

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, length));
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return lines;
}

std::string firstDifferences(std::string_view before, std::string_view after, std::size_t mostLines)
{
    const std::vector<std::string_view> olds = linesOf(before);
    const std::vector<std::string_view> news = linesOf(after);
    std::string out;
    std::size_t told = 0;
    const auto tell = [&](char sign, std::size_t at, std::string_view line) {
        if (told++ < mostLines)
            out += fmt::format("{}{} {}\n", sign, at + 1, line);
    };
    for (std::size_t o = 0, n = 0; o < olds.size() || n < news.size();) {
        if (o < olds.size() && n < news.size() && olds[o] == news[n]) {
            ++o;
            ++n;
            continue;
        }
        // Finds the nearest place from which both texts continue equally, or the end.
        std::size_t oldEnd = olds.size();
        std::size_t newEnd = news.size();
        constexpr std::size_t kFarthest = 200;
        for (std::size_t apart = 1; apart <= kFarthest && oldEnd == olds.size() && newEnd == news.size();
             ++apart)
            for (std::size_t skipped = 0; skipped <= apart; ++skipped)
                if (o + skipped < olds.size() && n + apart - skipped < news.size()
                    && olds[o + skipped] == news[n + apart - skipped]) {
                    oldEnd = o + skipped;
                    newEnd = n + apart - skipped;
                    break;
                }
        for (; o < oldEnd; ++o)
            tell('-', o, olds[o]);
        for (; n < newEnd; ++n)
            tell('+', n, news[n]);
    }
    if (told > mostLines)
        out += fmt::format("… and {} more\n", told - mostLines);
    if (told == 0 && before != after)
        out += "only the line feed at the end differs\n";
    return out;
}

std::string withoutMachine(std::string text)
{
    replaceAll(text, HIGHWATER_SOURCE_DIR, "<project>");
    replaceAll(text, fs::temp_directory_path().string() + "/highwater-test-", "<temporary>/");
    replaceAll(text, std::string("Highwater ") + programVersion(), "Highwater <version>");
    return text;
}

void expectGolden(const std::string& name, const std::string& text)
{
    const fs::path path = kGoldens / name;
    const std::string now = withoutMachine(text);
    if (isUpdating()) {
        fs::create_directories(path.parent_path());
        std::ofstream file(path, std::ios::binary);
        file << now;
        ASSERT_TRUE(file.flush()) << "cannot write " << path;
        return tellWritten(name);
    }
    ASSERT_TRUE(fs::exists(path)) << "tests/golden/" << name << " is missing. " << kHowToUpdate;
    const std::string golden = readWholeFile(path);
    if (golden != now)
        ADD_FAILURE() << "tests/golden/" << name << " (-) differs from what the program says now (+):\n"
                      << firstDifferences(golden, now) << kHowToUpdate;
}

void expectNoOtherGoldens(const std::string& folder, std::vector<std::string> names)
{
    std::sort(names.begin(), names.end());
    ASSERT_FALSE(names.empty()) << folder;
    if (isUpdating())
        fs::create_directories(kGoldens / folder);
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(kGoldens / folder)) {
        const std::string name = entry.path().filename().string();
        if (isUpdating() && !std::binary_search(names.begin(), names.end(), name))
            fs::remove_all(entry.path());
        else
            found.push_back(name);
    }
    if (isUpdating())
        return tellWritten(folder);
    std::sort(found.begin(), found.end());
    if (found != names)
        ADD_FAILURE() << "tests/golden/" << folder << " holds (-) other files than tests compare (+):\n"
                      << firstDifferences(lines(found), lines(names)) << kHowToUpdate;
}

void keepDocument(const std::string& name, std::string_view text)
{
    const char* folder = std::getenv("HIGHWATER_KEEP_DOCUMENTS");
    if (!folder || *folder == '\0')
        return;
    const fs::path path = fs::path(folder) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace highwater::test
