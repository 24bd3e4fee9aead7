#include "core/analysis/diff/matching/stack_classes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include <tsl/robin_map.h>

#include "core/analysis/diff/matching/file_classes.h"
#include "core/analysis/diff/matching/line_classes.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/hash.h"
#include "core/base/pair_numbers.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

using Side = StackClasses::Side;

constexpr std::size_t kAhead = PairNumbers::kAhead; ///< for frames and for stacks

/// A line of the run after, and its line number in the run before.
struct MatchedLine
{
    std::uint32_t file = 0;
    std::uint32_t function = 0;
    std::int32_t line = 0;
    std::int32_t lineBefore = 0;

    bool isSameLineAs(const MatchedLine& other) const
    {
        return file == other.file && function == other.function && line == other.line;
    }
    auto operator<=>(const MatchedLine&) const = default;
};

/// The lines in the frames of one run, by file.
using LinesOfFiles = std::map<std::uint32_t, std::vector<SourceLine>>;

class StackMatcher
{
public:
    StackMatcher(const Trace& before, const Trace& after)
        : m_before(before)
        , m_after(after)
    {
    }

    StackClasses match()
    {
        const PythonFiles beforeFiles(m_before);
        const PythonFiles afterFiles(m_after);
        const auto [beforeContents, afterContents]
            = contentsOfFiles(m_before, beforeFiles, m_after, afterFiles);
        FileClasses files = matchFiles(beforeContents, afterContents);
        StackClasses classes;
        numberFunctions(m_before, beforeFiles, files.before, classes.before);
        numberFunctions(m_after, afterFiles, files.after, classes.after);
        classes.joinedFiles = std::move(files.joinedFiles);
        matchPlaces(classes);
        numberCode(m_before, classes.before);
        numberCode(m_after, classes.after);
        numberStacks(m_before, classes.before);
        numberStacks(m_after, classes.after);
        return classes;
    }

private:
    static std::string_view textOf(const Trace& trace, StringId text)
    {
        return text.isNone() ? std::string_view() : trace.text(text);
    }

    std::uint32_t textNumber(std::string_view text)
    {
        return m_texts.try_emplace(std::string(text), static_cast<std::uint32_t>(m_texts.size()))
            .first->second;
    }

    void numberFunctions(
        const Trace& trace, const PythonFiles& files, const std::vector<std::uint32_t>& classes, Side& side)
    {
        constexpr std::uint32_t native = 0xffffffff;
        const auto numbers = resultsByFunction(trace.stacks, [&](const Frame& frame) {
            const std::uint32_t file
                = frame.kind == FrameKind::Python ? classes[files.places.at(frame.file.value())] : native;
            return std::pair(m_functions.intern(textNumber(textOf(trace, frame.function)), file), file);
        });
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const auto& [function, file] = numbers[trace.stacks.functionOf(FrameId(i))];
            side.file.push_back(file);
            side.function.push_back(function);
        }
    }

    /// Returns the alphabetical rank of each function name, by text number. Ranks do not depend on the order
    /// of the runs.
    std::vector<std::uint32_t> ranksOfNames() const
    {
        std::vector<std::pair<std::string_view, std::uint32_t>> names;
        for (const auto& [name, number] : m_texts)
            names.emplace_back(name, number);
        std::ranges::sort(names);
        std::vector<std::uint32_t> ranks(names.size());
        for (std::uint32_t rank = 0; rank < names.size(); ++rank)
            ranks[names[rank].second] = rank;
        return ranks;
    }

    /// Returns, for each frame, the bits of the Python functions that it calls in any stack.
    static std::vector<std::uint64_t> callsOf(
        const StackTable& stacks, const std::vector<std::uint64_t>& bitOfFunction)
    {
        std::vector<std::uint64_t> calls(stacks.frameCount());
        for (std::size_t node = StackTable::kEmpty.index() + 1; node < stacks.nodeCount(); ++node)
            if (const StackId caller = stacks.caller(StackId(node)); stacks.hasFrames(caller))
                calls[stacks.innermost(caller).index()]
                    |= bitOfFunction[stacks.functionOf(stacks.innermost(StackId(node)))];
        return calls;
    }

    LinesOfFiles linesOf(const Trace& trace, const Side& side, const std::vector<std::uint32_t>& ranks) const
    {
        std::vector<std::uint64_t> bits(trace.stacks.functionCount());
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i)
            if (trace.stacks.kindOf(FrameId(i)) == FrameKind::Python)
                bits[trace.stacks.functionOf(FrameId(i))] = std::uint64_t{1} << rankOf(side, ranks, i) % 64;
        const std::vector<std::uint64_t> calls = callsOf(trace.stacks, bits);
        LinesOfFiles lines;
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            if (frame.kind == FrameKind::Python)
                lines[side.file[i]].push_back({frame.line, rankOf(side, ranks, i), calls[i]});
        }
        for (auto& [file, ofFile] : lines)
            joinEqualLines(ofFile);
        return lines;
    }

    std::uint32_t rankOf(const Side& side, const std::vector<std::uint32_t>& ranks, std::size_t frame) const
    {
        return ranks[m_functions[side.function[frame]].first];
    }

    static bool isSameLine(const SourceLine& a, const SourceLine& b)
    {
        return a.line == b.line && a.function == b.function;
    }

    static void joinEqualLines(std::vector<SourceLine>& lines)
    {
        std::ranges::sort(lines);
        std::size_t merged = 0;
        for (const SourceLine& line : lines)
            if (merged > 0 && isSameLine(lines[merged - 1], line))
                lines[merged - 1].calls |= line.calls;
            else
                lines[merged++] = line;
        lines.resize(merged);
    }

    /// The lines of the run after that have a partner in the run before, and those that are evidently other
    /// code than the line of the same number there.
    struct LineMatches
    {
        std::vector<MatchedLine> matched; ///< sorted
        /// Lines that are not matched with the line of the same number in the run before and share no callee
        /// with it. Sorted.
        std::vector<MatchedLine> otherCode;
    };

    LineMatches matchedLines(const StackClasses& classes, const std::vector<std::uint32_t>& ranks) const
    {
        const LinesOfFiles before = linesOf(m_before, classes.before, ranks);
        const LinesOfFiles after = linesOf(m_after, classes.after, ranks);
        LineMatches found;
        for (const auto& [file, lines] : after) {
            const auto beforeLines = before.find(file);
            if (beforeLines == before.end())
                continue;
            for (const auto& [i, j] : matchLines(beforeLines->second, lines))
                found.matched.push_back(
                    {file, lines[j].function, lines[j].line, beforeLines->second[i].line});
            addOtherCode(file, beforeLines->second, lines, found.otherCode);
        }
        std::ranges::sort(found.matched);
        std::ranges::sort(found.otherCode);
        std::erase_if(found.otherCode,
            [&found](const MatchedLine& line) { return std::ranges::binary_search(found.matched, line); });
        return found;
    }

    static void addOtherCode(std::uint32_t file, const std::vector<SourceLine>& before,
        const std::vector<SourceLine>& after, std::vector<MatchedLine>& lines)
    {
        for (auto a = before.begin(), b = after.begin(); a != before.end() && b != after.end();) {
            if (isSameLine(*a, *b) && a->calls != 0 && b->calls != 0 && (a->calls & b->calls) == 0)
                lines.push_back({file, b->function, b->line, b->line});
            const bool isBefore = std::pair(a->line, a->function) <= std::pair(b->line, b->function);
            const bool isAfter = std::pair(b->line, b->function) <= std::pair(a->line, a->function);
            a += isBefore ? 1 : 0;
            b += isAfter ? 1 : 0;
        }
    }

    void matchPlaces(StackClasses& classes)
    {
        const std::vector<std::uint32_t> ranks = ranksOfNames();
        const LineMatches lines = matchedLines(classes, ranks);
        // Marks numbers of lines that only the run after has; larger than any line number in a file.
        constexpr std::uint32_t newLine = 0x80000000;
        const auto findLine = [&](const std::vector<MatchedLine>& among, std::size_t i, std::int32_t line) {
            const MatchedLine wanted{classes.after.file[i], rankOf(classes.after, ranks, i), line,
                std::numeric_limits<std::int32_t>::min()};
            const auto found = std::ranges::lower_bound(among, wanted);
            return found != among.end() && found->isSameLineAs(wanted) ? &*found : nullptr;
        };
        const auto ownLine = [](std::size_t, std::int32_t line) { return static_cast<std::uint32_t>(line); };
        numberPlaces(m_before, classes.before, classes.before.place, ownLine);
        numberPlaces(m_after, classes.after, classes.after.ownPlace, [&](std::size_t i, std::int32_t line) {
            return static_cast<std::uint32_t>(line) | (findLine(lines.otherCode, i, line) ? newLine : 0);
        });
        numberPlaces(m_after, classes.after, classes.after.place, [&](std::size_t i, std::int32_t line) {
            const MatchedLine* const matched = findLine(lines.matched, i, line);
            return matched ? static_cast<std::uint32_t>(matched->lineBefore)
                           : newLine | static_cast<std::uint32_t>(line);
        });
        if (std::ranges::equal(classes.after.place, classes.after.ownPlace))
            classes.after.ownPlace = {};
    }

    /// Numbers the places of a run. `lineNumber` returns the number of a Python frame's line.
    template <typename LineNumber>
    void numberPlaces(
        const Trace& trace, const Side& side, StackClasses::Numbers& places, LineNumber lineNumber)
    {
        std::vector<std::uint32_t> lines(trace.stacks.frameCount());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            lines[i] = frame.kind == FrameKind::Python ? lineNumber(i, frame.line) : 0;
        }
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (const std::size_t next = i + kAhead; next < lines.size())
                m_places.prefetch(side.function[next], lines[next]);
            places.push_back(m_places.intern(side.function[i], lines[i]));
        }
    }

    void numberCode(const Trace& trace, Side& side)
    {
        enum class Code : std::uint8_t
        {
            None,
            Own,
            Autograd
        };
        const auto codes = resultsByFunction(trace.stacks, [&](const Frame& frame) {
            if (frame.kind == FrameKind::Python)
                return std::pair(isLibraryFile(textOf(trace, frame.file)) ? Code::None : Code::Own, 0u);
            const std::string_view node = autogradNode(textOf(trace, frame.function));
            return node.empty() ? std::pair(Code::None, 0u)
                                : std::pair(Code::Autograd, m_places.intern(textNumber(node), 0));
        });
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const auto& [code, node] = codes[trace.stacks.functionOf(FrameId(i))];
            side.code.push_back(code == Code::None ? StackClasses::kNotCode
                    : code == Code::Own            ? side.place[i]
                                                   : node);
        }
    }

    void numberStacks(const Trace& trace, Side& side)
    {
        side.stack = stacksOf(trace, side.place);
        if (!side.ownPlace.empty())
            side.ownStack = stacksOf(trace, side.ownPlace);
    }

    /// Numbers the stacks of a run. A caller precedes the stacks that it calls, so its number is known. The
    /// number is 0 for a stack without frames, else one more than its node in `m_stacks`: subtracting one
    /// from the number of a caller gives its node, or none.
    StackClasses::Numbers stacksOf(const Trace& trace, const StackClasses::Numbers& places)
    {
        const StackTable& stacks = trace.stacks;
        StackClasses::Numbers numbers;
        const auto place = [&](StackId id) { return places[stacks.innermost(id).index()]; };
        const auto caller = [&](StackId id) { return numbers[stacks.caller(id).index()] - 1; };
        for (std::size_t i = 0; i < stacks.nodeCount(); ++i) {
            if (const StackId next(i + kAhead); next.index() < stacks.nodeCount() && stacks.hasFrames(next)
                && stacks.caller(next).index() < i)
                m_stacks.prefetch(place(next), caller(next));
            const StackId id(i);
            numbers.push_back(stacks.hasFrames(id) ? 1 + m_stacks.internNode(place(id), caller(id)) : 0);
        }
        return numbers;
    }

    const Trace& m_before;
    const Trace& m_after;
    tsl::robin_map<std::string, std::uint32_t> m_texts;
    PairNumbers m_functions;
    PairNumbers m_places;
    PairNumbers m_stacks;
};

} // namespace

StackClasses matchStacks(const Trace& before, const Trace& after)
{
    return StackMatcher(before, after).match();
}

} // namespace highwater
