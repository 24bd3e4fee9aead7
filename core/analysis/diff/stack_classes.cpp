#include "core/analysis/diff/stack_classes.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <tsl/robin_map.h>

#include "core/analysis/call_site.h"
#include "core/analysis/diff/file_classes.h"
#include "core/analysis/diff/line_classes.h"
#include "core/base/hash.h"
#include "core/base/pair_numbers.h"

namespace highwater {

namespace {

using Side = StackClasses::Side;

/// The distinct files of a run's Python frames.
struct FileList
{
    explicit FileList(const Trace& trace)
    {
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            if (frame.kind == FrameKind::Python
                && places.try_emplace(frame.file.value(), paths.size()).second)
                paths.emplace_back(frame.file.isNone() ? std::string_view() : trace.text(frame.file));
        }
    }
    NumberMap<std::uint32_t, std::size_t> places; ///< by string id
    std::vector<std::string> paths;
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
        nameStacks(m_before, classes.before);
        nameStacks(m_after, classes.after);
        return classes;
    }

private:
    std::uint32_t textNumber(std::string_view text)
    {
        return m_texts.try_emplace(std::string(text), static_cast<std::uint32_t>(m_texts.size()))
            .first->second;
    }

    void nameFunctions(
        const Trace& trace, const FileList& files, const std::vector<std::uint32_t>& classes, Side& side)
    {
        constexpr std::uint32_t native = 0xffffffff;
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            const bool python = frame.kind == FrameKind::Python;
            side.file.push_back(python ? classes[files.places.at(frame.file.value())] : native);
            const std::string_view function
                = frame.function.isNone() ? std::string_view() : trace.text(frame.function);
            side.function.push_back(m_functions.of(textNumber(function), side.file.back()));
        }
    }

    /// By text number: the place among all functions' names, whichever run is the one before.
    std::vector<std::uint32_t> ranksOfNames() const
    {
        std::vector<std::pair<std::string_view, std::uint32_t>> names;
        for (const auto& [name, number] : m_texts)
            names.emplace_back(name, number);
        std::sort(names.begin(), names.end());
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
            std::sort(ofFile.begin(), ofFile.end());
            ofFile.erase(std::unique(ofFile.begin(), ofFile.end()), ofFile.end());
        }
        return lines;
    }

    void matchPlaces(StackClasses& classes)
    {
        const std::vector<std::uint32_t> ranks = ranksOfNames();
        const LinesOfFiles before = linesOf(m_before, classes.before, ranks);
        const LinesOfFiles after = linesOf(m_after, classes.after, ranks);
        /// Line of the run before for a line of the run after.
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::int32_t> lineBefore;
        for (const auto& [file, lines] : after)
            if (const auto other = before.find(file); other != before.end())
                for (const auto& [i, j] : matchLines(other->second, lines))
                    lineBefore[{file, lines[j].function, lines[j].line}] = other->second[i].line;
        const auto own = [](std::size_t, std::int32_t line) { return static_cast<std::uint32_t>(line); };
        namePlaces(m_before, classes.before, classes.before.ownPlace, own);
        namePlaces(m_after, classes.after, classes.after.ownPlace, own);
        classes.before.place = classes.before.ownPlace;
        namePlaces(m_after, classes.after, classes.after.place, [&](std::size_t i, std::int32_t line) {
            const std::uint32_t function = ranks[m_functions[classes.after.function[i]].first];
            const auto found = lineBefore.find({classes.after.file[i], function, line});
            // Above all lines that files have: a line of the run after alone.
            constexpr std::uint32_t newLine = 0x80000000;
            return found != lineBefore.end() ? static_cast<std::uint32_t>(found->second)
                                             : newLine | static_cast<std::uint32_t>(line);
        });
    }

    /// `lineNumber`: of a Python frame and its line.
    template <typename LineNumber>
    void namePlaces(
        const Trace& trace, const Side& side, std::vector<std::uint32_t>& places, LineNumber lineNumber)
    {
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            const bool python = frame.kind == FrameKind::Python;
            places.push_back(m_places.of(side.function[i], python ? lineNumber(i, frame.line) : 0));
        }
    }

    /// Callers stand before the stacks that they call.
    void nameStacks(const Trace& trace, Side& side)
    {
        std::vector<bool> isOwn;
        std::vector<std::uint32_t> node;
        for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
            const Frame& frame = trace.stacks.frame(FrameId(i));
            const std::string_view file = frame.file.isNone() ? std::string_view() : trace.text(frame.file);
            const std::string_view function
                = frame.function.isNone() ? std::string_view() : trace.text(frame.function);
            const bool python = frame.kind == FrameKind::Python;
            const std::string_view autograd = python ? std::string_view() : autogradNodeOf(function);
            isOwn.push_back(python ? !isLibraryFile(file) : !autograd.empty());
            node.push_back(python || autograd.empty() ? side.place[i] : m_places.of(textNumber(autograd), 0));
        }
        side.stack.assign(trace.stacks.nodeCount(), 0);
        side.ownStack.assign(trace.stacks.nodeCount(), 0);
        side.outline.assign(trace.stacks.nodeCount(), 0);
        for (std::size_t i = 0; i < trace.stacks.nodeCount(); ++i) {
            const StackId id(i);
            if (!trace.stacks.hasFrames(id))
                continue;
            const std::size_t frame = trace.stacks.innermost(id).index();
            const std::size_t caller = trace.stacks.caller(id).index();
            side.stack[i] = 1 + m_stacks.of(side.place[frame], side.stack[caller]);
            side.ownStack[i] = 1 + m_stacks.of(side.ownPlace[frame], side.ownStack[caller]);
            side.outline[i]
                = isOwn[frame] ? 1 + m_outlines.of(node[frame], side.outline[caller]) : side.outline[caller];
        }
    }

    const Trace& m_before;
    const Trace& m_after;
    tsl::robin_map<std::string, std::uint32_t> m_texts;
    PairNumbers m_functions;
    PairNumbers m_places;
    PairNumbers m_stacks;
    PairNumbers m_outlines;
};

} // namespace

StackClasses matchStacks(const Trace& before, const Trace& after)
{
    return StackMatcher(before, after).run();
}

} // namespace highwater
