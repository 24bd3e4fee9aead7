#include "tests/house/include_check.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "tests/house/include_graph.h"

namespace highwater::test {

namespace {

using Names = std::vector<std::string_view>;

struct Room
{
    std::string_view folder;
    Names mayInclude;
};

/// From lowest to highest. Within a room `cyclesOfFolders` keeps the folders in order.
const std::array<Room, 17>& rooms()
{
    static const std::array<Room, 17> all = {{
        {"core/base/", {"core/base/"}},
        {"core/trace/", {"core/base/", "core/trace/"}},
        {"core/run/", {"core/base/", "core/trace/", "core/run/"}},
        {"core/analysis/", {"core/base/", "core/trace/", "core/run/", "core/analysis/"}},
        {"core/study/", {"core/base/", "core/trace/", "core/run/", "core/analysis/", "core/study/"}},
        {"core/table/",
            {"core/base/", "core/trace/", "core/run/", "core/analysis/", "core/study/", "core/table/"}},
        {"core/figure/", {"core/base/", "core/trace/", "core/run/", "core/analysis/", "core/figure/"}},
        {"core/report/", {"core/"}},
        {"importers/", {"core/base/", "core/trace/", "importers/"}},
        {"app/loading/", {"core/", "importers/", "app/loading/"}},
        {"app/rehearse/", {"core/", "app/rehearse/"}},
        {"app/cli/", {"core/", "importers/", "app/loading/", "app/rehearse/", "app/cli/"}},
        {"app/workspace/", {"core/", "importers/", "app/loading/", "app/workspace/"}},
        {"app/timeline/", {"core/", "app/workspace/", "app/timeline/"}},
        {"app/models/", {"core/", "app/loading/", "app/workspace/", "app/models/"}},
        {"app/views/",
            {"core/", "app/loading/", "app/workspace/", "app/timeline/", "app/models/", "app/views/"}},
        {"app/window/",
            {"core/", "importers/", "app/loading/", "app/workspace/", "app/timeline/", "app/models/",
                "app/views/", "app/window/"}},
    }};
    return all;
}

const Room* roomOf(std::string_view name)
{
    const auto found = std::find_if(
        rooms().begin(), rooms().end(), [&](const Room& room) { return name.starts_with(room.folder); });
    return found == rooms().end() ? nullptr : &*found;
}

bool startsWithAny(std::string_view text, const Names& prefixes)
{
    return std::any_of(
        prefixes.begin(), prefixes.end(), [&](std::string_view prefix) { return text.starts_with(prefix); });
}

/// True for a tsl:: table whose key is not a text and which specifies no hash.
bool isNumberTable(const std::string& line)
{
    const std::size_t table = line.find("tsl::robin_");
    const std::size_t key = table == std::string::npos ? table : line.find('<', table);
    return key != std::string::npos && line.compare(key + 1, 11, "std::string") != 0
        && line.find("Hash>", key) == std::string::npos;
}

bool isQt(std::string_view target)
{
    const bool module = target.size() > 1 && target[0] == 'Q'
        && ((target[1] >= 'A' && target[1] <= 'Z') || target[1] == 't');
    return module || target.starts_with("qcustomplot");
}

} // namespace

std::vector<std::string> findingsOf(const std::string& name, const std::string& text)
{
    static const Names ours = {"core/", "importers/", "app/", "tests/"};
    static const Names qtFree = {"core/", "importers/", "app/loading/", "app/rehearse/", "app/cli/"};
    static const Names threads = {"app/loading/", "app/workspace/", "core/base/"};
    std::vector<std::string> findings;
    const Room* room = roomOf(name);
    if (!room)
        findings.push_back(name + ": a room that the house does not know");
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string target = includedBy(line);
        const std::string where = name + ":" + std::to_string(number) + ": ";
        if (target.starts_with("."))
            findings.push_back(where + "relative include of " + target);
        if (room && startsWithAny(target, ours) && !startsWithAny(target, room->mayInclude))
            findings.push_back(where + "may not include " + target);
        if (isQt(target) && startsWithAny(name, qtFree))
            findings.push_back(where + "Qt where none may be");
        if (isNumberTable(line) && name != "core/base/hash.h")
            findings.push_back(where + "a hash table of numbers without their hash: NumberMap, NumberSet");
        if (line.find("new QPlainTextEdit") != std::string::npos
            || line.find("new QTextEdit") != std::string::npos)
            findings.push_back(where + "an editor that a paste can crash: PlainTextEdit");
        if (!name.starts_with("app/workspace/theme/")
            && (line.find("QColor(0x") != std::string::npos
                || (line.find("FigurePalette::of(") != std::string::npos
                    && line.find(".dark)") != std::string::npos)))
            findings.push_back(where + "a colour that does not follow the theme: ThemeColors, ground()");
        if ((target == "thread" || target == "future") && !startsWithAny(name, threads))
            findings.push_back(where + "a thread outside of its folders");
    }
    if (number > 400)
        findings.push_back(name + ": " + std::to_string(number) + " lines (400 is the cap)");
    return findings;
}

} // namespace highwater::test
