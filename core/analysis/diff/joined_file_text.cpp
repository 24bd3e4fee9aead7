#include "core/analysis/diff/joined_file_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxPairsNamed = 3;

std::string shownFile(const std::string& path)
{
    return nameText(sourceFileName(path));
}

std::string renamedText(const JoinedFile& file)
{
    const FileLikeness& likeness = file.likeness;
    const std::string functions = likeness.sharedFunctions == likeness.mostFunctions
        ? "same functions"
        : fmt::format("{} of {} functions", likeness.sharedFunctions, likeness.mostFunctions);
    // The share is rounded down, so that a share slightly below 100% does not read as 100%.
    const double share = std::floor(100 * likeness.allocationShare);
    return fmt::format("{} and {} are compared as one file ({}, {:.0f}% of the allocations match).",
        shownFile(file.before), shownFile(file.after), functions, share);
}

} // namespace

std::vector<std::string> joinedFileSentences(const std::vector<JoinedFile>& joinedFiles)
{
    std::vector<std::string> sentences;
    std::vector<std::string> moved;
    std::size_t renamedCount = 0;
    for (const JoinedFile& file : joinedFiles)
        if (!file.hasNewName())
            moved.push_back(shownFile(file.after));
        else if (++renamedCount <= kMaxPairsNamed)
            sentences.push_back(renamedText(file));
    if (renamedCount > kMaxPairsNamed)
        sentences.push_back(fmt::format("{} of files with different names {} compared as one file.",
            counted(static_cast<std::int64_t>(renamedCount - kMaxPairsNamed), "more pair", "more pairs"),
            renamedCount == kMaxPairsNamed + 1 ? "is" : "are each"));
    if (!moved.empty())
        sentences.push_back(
            fmt::format("{}{} in another folder of the other run, and compared as one file.", moved.front(),
                moved.size() == 1
                    ? " is"
                    : fmt::format(" and {} are each",
                        counted(static_cast<std::int64_t>(moved.size() - 1), "other file", "other files"))));
    return sentences;
}

} // namespace highwater
