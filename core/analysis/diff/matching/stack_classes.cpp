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

constexpr std::size_t kAhead = PairNumbers::kAhead; ///< of frames, and of stacks

/// The distinct files of a run's Python frames.
struct FileList
{
    explicit FileList(const Trace& trace)
    {
        for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i) {
            const Frame& frame = trace.stacks.function(i);
            if (frame.kind == FrameKind::Python
                && places.try_emplace(frame.file.value(), paths.size()).second)
                paths.emplace_back(frame.file.isNone() ? std::string_view() : trace.text(frame.file));
        }
    }
    NumberMap<std::uint32_t, std::size_t> places; ///< by string id
    std::vector<std::string> paths;
};

/// A line of the run after, and the one that it was in the run before.
struct MatchedLine
{
    std::uint32_t file = 0;
    std::uint32_t function = 0;
    std::int32_t line = 0;
    std::int32_t before = 0;

    bool isOf(const MatchedLine& other) const
    {
        return file == other.file && function == other.function && line == other.line;
    }
    auto operator<=>(const MatchedLine&) const = default;
};

/// The lines that frames of one run name, by file.
using LinesOfFiles = std::map<std::uint32_t, std::vector<SourceLine>>;

class StackMatcher
{
public:
    StackMatcher(const Trace& before, const Trace& after)
        : m_before(before)
        , m_after(after)
    {
    }

    StackClasses run()
    {
        const FileList beforeFiles(m_before);
        const FileList afterFiles(m_after);
        const auto [beforeClasses, afterClasses] = matchFiles(beforeFiles.paths, afterFiles.paths);
        StackClasses classes;
        nameFunctions(m_before, beforeFiles, beforeClasses, classes.before);
        nameFunctions(m_after, afterFiles, afterClasses, classes.after);
        matchPlaces(classes);
        nameCode(m_before, classes.before);
        nameCode(m_after, classes.after);
        nameStacks(m_before, classes.before);
        nameStacks(m_after, classes.after);
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

    void nameFunctions(
        const Trace& trace, const FileList& files, const std::vector<std::uint32_t>& classes, Side& side)
    {
        constexpr std::uint32_t native = 0xffffffff;
        const auto named = judgedFunctions(trace.stacks, [&](const Frame& frame) {
            const std::uint32_t file
                = frame.kind == FrameKind::Python ? classes[files.places.at(frame.file.value())] : native;
            return std::pair(m_functions.of(textNumber(textOf(trace, frame.function)), file), file);
        });
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const auto& [function, file] = named[trace.stacks.functionOf(FrameId(i))];
            side.file.push_back(file);
            side.function.push_back(function);
        }
    }

    /// By text number: the place among all functions' names, whichever run is the one before.
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

    LinesOfFiles linesOf(const Trace& trace, const Side& side, const std::vector<std::uint32_t>& ranks) const
    {
        LinesOfFiles lines;
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            if (frame.kind == FrameKind::Python)
                lines[side.file[i]].push_back({frame.line, ranks[m_functions[side.function[i]].first]});
        }
        for (auto& [file, ofFile] : lines) {
            std::ranges::sort(ofFile);
            ofFile.erase(std::unique(ofFile.begin(), ofFile.end()), ofFile.end());
        }
        return lines;
    }

    /// In order.
    std::vector<MatchedLine> matchedLines(
        const StackClasses& classes, const std::vector<std::uint32_t>& ranks) const
    {
        const LinesOfFiles before = linesOf(m_before, classes.before, ranks);
        const LinesOfFiles after = linesOf(m_after, classes.after, ranks);
        std::vector<MatchedLine> matched;
        for (const auto& [file, lines] : after)
            if (const auto other = before.find(file); other != before.end())
                for (const auto& [i, j] : matchLines(other->second, lines))
                    matched.push_back({file, lines[j].function, lines[j].line, other->second[i].line});
        std::ranges::sort(matched);
        return matched;
    }

    void matchPlaces(StackClasses& classes)
    {
        const std::vector<std::uint32_t> ranks = ranksOfNames();
        const std::vector<MatchedLine> matched = matchedLines(classes, ranks);
        const auto own = [](std::size_t, std::int32_t line) { return static_cast<std::uint32_t>(line); };
        namePlaces(m_before, classes.before, classes.before.place, own);
        namePlaces(m_after, classes.after, classes.after.ownPlace, own);
        namePlaces(m_after, classes.after, classes.after.place, [&](std::size_t i, std::int32_t line) {
            const std::uint32_t function = ranks[m_functions[classes.after.function[i]].first];
            const MatchedLine wanted{
                classes.after.file[i], function, line, std::numeric_limits<std::int32_t>::min()};
            const auto found = std::ranges::lower_bound(matched, wanted);
            // Above all lines that files have: a line of the run after alone.
            constexpr std::uint32_t newLine = 0x80000000;
            return found != matched.end() && found->isOf(wanted) ? static_cast<std::uint32_t>(found->before)
                                                                 : newLine | static_cast<std::uint32_t>(line);
        });
        if (std::ranges::equal(classes.after.place, classes.after.ownPlace))
            classes.after.ownPlace = {};
    }

    /// `lineNumber`: of a Python frame and its line.
    template <typename LineNumber>
    void namePlaces(
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
            places.push_back(m_places.of(side.function[i], lines[i]));
        }
    }

    void nameCode(const Trace& trace, Side& side)
    {
        enum class Code : std::uint8_t
        {
            None,
            Own,
            Autograd
        };
        const auto codes = judgedFunctions(trace.stacks, [&](const Frame& frame) {
            if (frame.kind == FrameKind::Python)
                return std::pair(isLibraryFile(textOf(trace, frame.file)) ? Code::None : Code::Own, 0u);
            const std::string_view node = autogradNodeOf(textOf(trace, frame.function));
            return node.empty() ? std::pair(Code::None, 0u)
                                : std::pair(Code::Autograd, m_places.of(textNumber(node), 0));
        });
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const auto& [code, node] = codes[trace.stacks.functionOf(FrameId(i))];
            side.code.push_back(code == Code::None ? StackClasses::kNotCode
                    : code == Code::Own            ? side.place[i]
                                                   : node);
        }
    }

    void nameStacks(const Trace& trace, Side& side)
    {
        side.stack = stacksOf(trace, side.place);
        if (!side.ownPlace.empty())
            side.ownStack = stacksOf(trace, side.ownPlace);
    }

    /// Callers precede the stacks that they call. 0: no frames; else one more than the number of the stack's
    /// node, so that one less is a caller's node, or none.
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
            numbers.push_back(stacks.hasFrames(id) ? 1 + m_stacks.ofNode(place(id), caller(id)) : 0);
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
    return StackMatcher(before, after).run();
}

} // namespace highwater
