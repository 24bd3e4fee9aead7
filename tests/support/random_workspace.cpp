#include "tests/support/random_workspace.h"

#include <algorithm>
#include <limits>

#include "core/run/json_document.h"

namespace highwater::test {

namespace {

/// Draws random values of the types that workspaces contain.
class Draw
{
public:
    explicit Draw(std::mt19937& random)
        : m_random(random)
    {
    }

    std::size_t below(std::size_t count) { return m_random() % count; }
    bool coin() { return below(2) == 0; }
    std::string text()
    {
        static const std::vector<std::string> pieces{
            "a", "Ä", "\"", "\\", "\n", "\t", "</script>", "日本", "/", "..", "{", "]", "\x01", "0x1", " "};
        std::string text;
        for (std::size_t i = below(6); i > 0; --i)
            text += pieces[below(pieces.size())];
        return text;
    }
    std::string line()
    {
        std::string line = text();
        std::ranges::replace(line, '\n', '_');
        return line;
    }
    std::int64_t number(std::int64_t least)
    {
        constexpr std::int64_t most = kLargestStoredNumber;
        const std::vector<std::int64_t> values{least, 0, 1, 42, most, (std::int64_t{1} << 53) + 1};
        return std::max(least, values[below(values.size())]);
    }
    template <typename T>
    std::optional<T> maybe(T value)
    {
        return coin() ? std::optional(value) : std::nullopt;
    }
    std::string hash()
    {
        std::string hash;
        while (hash.size() < 64)
            hash += "0123456789abcdef"[below(16)];
        return coin() ? hash : std::string();
    }
    WorkspaceReference reference()
    {
        return {"p" + text(), text(), hash(), maybe(static_cast<std::uint64_t>(number(0)))};
    }
    NotePlace place()
    {
        const std::int64_t first = number(0) / 2;
        switch (below(9)) {
        case 0: return NotedMoment{number(-1)};
        case 1: return NotedRange{first, first + 1 + static_cast<std::int64_t>(below(99))};
        case 2: return NotedStep{number(0)};
        case 3: return NotedAllocation{number(0), 0};
        case 4: return NotedAllocation{-1, std::numeric_limits<Address>::max() - below(9)};
        case 5: return NotedSite{text()};
        case 6: return NotedRow{"g" + text(), text()};
        case 7: return NotedLine{static_cast<std::uint64_t>(number(1))};
        default: return std::monostate();
        }
    }
    NoteRun run() { return coin() ? NoteRun::Before : NoteRun::After; }
    Note note()
    {
        return {
            run(), place(), text(), text(), line(), text(), static_cast<NoteColor>(below(kNoteColorCount))};
    }
    WorkspaceSource source()
    {
        return {reference(), run(), maybe(number(0)), coin(), text(), maybe(number(-kLargestStoredNumber)),
            maybe(number(1)), text()};
    }

private:
    std::mt19937& m_random;
};

} // namespace

Notes randomNotes(std::mt19937& random)
{
    Draw draw(random);
    Notes notes;
    for (std::size_t i = draw.below(8); i > 0; --i)
        notes.push_back(draw.note());
    return notes;
}

WorkspaceFile randomWorkspace(std::mt19937& random)
{
    Draw draw(random);
    WorkspaceFile file;
    for (std::size_t i = draw.below(5); i > 0; --i)
        file.sources.push_back(draw.source());
    file.configuration = draw.maybe(draw.reference());
    file.steps = {draw.text(), draw.text(), {}};
    for (std::size_t i = draw.below(4); i > 0; --i)
        file.steps.markers.push_back(draw.number(0));
    std::ranges::sort(file.steps.markers);
    if (draw.coin())
        file.rules = {{Category::Gradient, "a \\w+", 1, 2, "backward"}, {Category::Unknown, "", 0, 9, ""}};
    file.notes = randomNotes(random);
    file.report = {draw.text(), {}, draw.text(), draw.coin()};
    for (std::size_t i = draw.below(4); i > 0; --i)
        file.report.parts.push_back(draw.text());
    const std::int64_t first = draw.number(0) / 2;
    file.view = {draw.text(), draw.maybe(std::pair(first, first + 1)), draw.text(), draw.text(), draw.text(),
        draw.maybe(draw.number(-1)), draw.text(), draw.text(),
        draw.maybe(std::pair(draw.number(-1), draw.number(-1)))};
    file.savedAs = draw.text();
    return file;
}

} // namespace highwater::test
