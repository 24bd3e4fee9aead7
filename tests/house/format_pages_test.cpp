// Checks that every importer has a page about its format that names its import messages.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

const fs::path kImporters = fs::path(HIGHWATER_SOURCE_DIR) / "importers";

/// Returns the folders with an importer; other folders contain shared parts.
std::vector<fs::path> importerFolders()
{
    std::vector<fs::path> folders;
    for (const fs::directory_entry& folder : fs::directory_iterator(kImporters)) {
        if (!folder.is_directory())
            continue;
        for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
            const std::string name = file.path().filename().string();
            if (name.ends_with("_importer.h") || name == "native_reader.h") {
                folders.push_back(folder.path());
                break;
            }
        }
    }
    return folders;
}

/// Adds the quoted codes after `marker`, or after its first argument if `takesArgument`.
void addCodes(
    const std::string& text, std::string_view marker, bool takesArgument, std::set<std::string>& codes)
{
    for (std::size_t at = text.find(marker); at != std::string::npos; at = text.find(marker, at + 1)) {
        std::size_t begin = at + marker.size();
        if (takesArgument)
            begin = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.", begin);
        begin = begin == std::string::npos ? begin : text.find_first_not_of(", }\n", begin);
        if (begin == std::string::npos || text[begin] != '"')
            continue;
        const std::size_t end = text.find('"', begin + 1);
        codes.insert(text.substr(begin + 1, end - begin - 1));
    }
}

std::set<std::string> codesIn(const fs::path& folder)
{
    std::set<std::string> codes;
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
        if (file.path().extension() != ".cpp")
            continue;
        const std::string text = test::readWholeFile(file.path());
        addCodes(text, "Severity::", true, codes);
        addCodes(text, "warnOf(", false, codes);
        addCodes(text, "faults.", true, codes);
        addCodes(text, "report(log, device", false, codes);
    }
    return codes;
}

void expectNamed(const std::set<std::string>& codes, const fs::path& page)
{
    const std::string text = test::readWholeFile(page);
    for (const std::string& code : codes)
        EXPECT_NE(text.find('`' + code + '`'), std::string::npos)
            << page << " does not name `" << code << '`';
}

} // namespace

TEST(FormatPages, AreThereForEveryImporter)
{
    const std::vector<fs::path> folders = importerFolders();
    EXPECT_GE(folders.size(), 9u);
    for (const fs::path& folder : folders)
        EXPECT_TRUE(fs::exists(folder / "FORMAT.md")) << folder;
}

TEST(FormatPages, NameEveryImportMessage)
{
    std::size_t count = 0;
    for (const fs::path& folder : importerFolders()) {
        const std::set<std::string> codes = codesIn(folder);
        count += codes.size();
        if (fs::exists(folder / "FORMAT.md"))
            expectNamed(codes, folder / "FORMAT.md");
    }
    EXPECT_GT(count, 60u);
    const std::set<std::string> ofEveryTrace = codesIn(fs::path(HIGHWATER_SOURCE_DIR) / "core" / "trace");
    EXPECT_GE(ofEveryTrace.size(), 9u);
    expectNamed(ofEveryTrace, kImporters / "pytorch_snapshot" / "FORMAT.md");
}

} // namespace highwater
