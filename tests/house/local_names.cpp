#include "tests/house/local_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

namespace highwater::test {

namespace {

bool isOfAName(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns the name that ends before `end`, ignoring blanks and array bounds.
std::string nameBefore(std::string_view line, std::size_t end)
{
    while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == ']'))
        end = line[end - 1] == ']' ? line.rfind('[', end - 1) : end - 1;
    std::size_t begin = end;
    while (begin > 0 && isOfAName(line[begin - 1]))
        --begin;
    const bool isMember = begin > 0 && line[begin - 1] == ':';
    return isMember ? std::string() : std::string(line.substr(begin, end - begin));
}

/// Returns the name that a line declares, or an empty text if it begins no declaration.
std::string declaredBy(std::string_view line)
{
    static constexpr std::array<std::string_view, 6> kTypes
        = {"struct ", "class ", "enum class ", "enum ", "union ", "using "};
    static constexpr std::array<std::string_view, 8> kOthers = {
        "template", "namespace", "TEST", "INSTANTIATE", "MATCHER", "Q_", "using namespace", "static_assert"};
    const auto begins = [&](std::string_view word) { return line.starts_with(word); };
    if (line.empty() || !isOfAName(line.front()) || std::ranges::any_of(kOthers, begins))
        return {};
    if (begins("using ") && line.find(" = ") == line.npos)
        return {};
    if (const auto type = std::ranges::find_if(kTypes, begins); type != kTypes.end()) {
        const std::size_t end = line.find_first_of(" :;{", type->size());
        return nameBefore(line, std::min(end, line.size()));
    }
    // The name ends before a function's arguments, a constant's value, or the end of the declaration.
    return nameBefore(line, std::min(line.find_first_of("(={;"), line.size()));
}

/// Returns the end marker of a raw string that continues on the next line; otherwise empty.
std::string endOfRawText(const std::string& line)
{
    const std::size_t begin = line.rfind("R\"");
    const std::size_t open = begin == line.npos ? begin : line.find('(', begin);
    if (open == line.npos)
        return {};
    const std::string end = ')' + line.substr(begin + 2, open - begin - 2) + '"';
    return line.find(end, open) == line.npos ? end : std::string();
}

std::string roomOfSource(const std::string& file)
{
    std::size_t end = 0;
    for (int part = 0; part < 3 && file.find('/', end + 1) != std::string::npos; ++part)
        end = file.find('/', end + 1);
    return file.substr(0, end);
}

bool isAlias(const LocalName& name)
{
    return name.line.starts_with("using ");
}

} // namespace

std::vector<LocalName> localNamesOf(const std::string& file, const std::string& text)
{
    std::vector<LocalName> names;
    std::set<std::string> known;
    std::istringstream lines(text);
    bool isLocal = false;
    std::string rawEnd;
    for (std::string line; std::getline(lines, line);) {
        if (!rawEnd.empty() && line.find(rawEnd) == line.npos)
            continue;
        rawEnd = endOfRawText(line);
        if (line == "namespace {" || line == "} // namespace")
            isLocal = line.front() == 'n';
        if (!isLocal && !line.starts_with("static "))
            continue;
        const std::string name = declaredBy(line);
        if (!name.empty() && known.insert(name).second)
            names.push_back({name, roomOfSource(file), file, line});
    }
    return names;
}

std::vector<std::string> clashesIn(std::vector<LocalName> names)
{
    const auto place = [](const LocalName& name) { return std::tie(name.room, name.name); };
    std::ranges::stable_sort(names, {}, place);
    std::vector<std::string> clashes;
    for (std::size_t i = 1; i < names.size(); ++i) {
        const LocalName& first = names[i - 1];
        const LocalName& second = names[i];
        const bool sameAlias = isAlias(first) && first.line == second.line;
        if (place(first) == place(second) && !sameAlias)
            clashes.push_back(first.name + " is local to " + first.file + " and to " + second.file
                + ", which are compiled together");
    }
    return clashes;
}

} // namespace highwater::test
