#include "core/analysis/stacks/folded_stack.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns "/work/model.py:39"; the path alone if the line is unknown.
std::string placeOf(std::string_view path, std::int32_t line)
{
    return line > 0 ? fmt::format("{}:{}", path, line) : std::string(path);
}

StackLine lineOf(const Trace& trace, FrameId id)
{
    const Frame frame = trace.stacks.frame(id);
    const std::string function = nameText(trace.text(frame.function));
    const std::string file = nameText(trace.text(frame.file));
    if (frame.kind == FrameKind::Native)
        return {function.empty() ? "(unnamed)" : function, file == "??" ? "" : placeOf(file, frame.line), {},
            id, function.empty() ? "(unnamed)" : function};
    return {codePlaceText(trace.text(frame.function), file, frame.line), placeOf(file, frame.line), {}, id,
        function};
}

/// Formats a count without thousands separators, unlike `counted`.
std::string frameCount(std::size_t count, const char* singular, const char* plural)
{
    return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

/// Returns the library of all frames of a series, else "torch" if all belong to torch, else "libraries".
std::string commonLibrary(const std::vector<std::string>& libraries)
{
    const bool areEqual
        = std::ranges::all_of(libraries, [&](const std::string& name) { return name == libraries.front(); });
    if (areEqual)
        return libraries.front();
    const bool areOfTorch
        = std::ranges::all_of(libraries, [](const std::string& name) { return name.starts_with("torch"); });
    return areOfTorch ? "torch" : "libraries";
}

/// Collects adjacent library frames until a frame of another kind ends the series.
class FrameSeries
{
public:
    void add(StackLine line, std::string library)
    {
        m_lines.push_back(std::move(line));
        m_libraries.push_back(std::move(library));
    }
    void closeInto(std::vector<StackLine>& lines)
    {
        if (m_lines.empty())
            return;
        const std::string text
            = frameCount(m_lines.size(), "frame", "frames") + " of " + commonLibrary(m_libraries);
        lines.push_back({text, "", std::move(m_lines), {}});
        m_lines.clear();
        m_libraries.clear();
    }

private:
    std::vector<StackLine> m_lines;
    std::vector<std::string> m_libraries;
};

} // namespace

std::string libraryName(std::string_view file)
{
    const std::string path = forwardSlashes(file);
    if (isCompiledFile(path))
        return "torch.compile";
    constexpr std::string_view folder = "torch/";
    const std::size_t at = path.starts_with(folder) ? 0 : path.rfind("/torch/") + 1;
    if (at == 0 && !path.starts_with(folder))
        return contains(path, "/site-packages/triton/") ? "triton" : "the standard library";
    const std::string rest = path.substr(at + folder.size());
    const std::size_t slash = rest.find('/');
    if (slash != std::string::npos)
        return "torch." + rest.substr(0, slash);
    const std::string module = rest.ends_with(".py") ? rest.substr(0, rest.size() - 3) : rest;
    return module.empty() || module.starts_with("_") ? "torch" : "torch." + module;
}

std::vector<StackLine> foldedStack(const Trace& trace, StackId stack)
{
    std::vector<StackLine> lines;
    std::vector<StackLine> native;
    FrameSeries series;
    for (const FrameId id : trace.stacks.frames(stack)) {
        const Frame& frame = trace.stacks.frame(id);
        if (frame.kind == FrameKind::Native) {
            native.push_back(lineOf(trace, id));
            continue;
        }
        const std::string_view file = trace.text(frame.file);
        if (isLibraryFile(file)) {
            series.add(lineOf(trace, id), nameText(libraryName(file)));
            continue;
        }
        series.closeInto(lines);
        lines.push_back(lineOf(trace, id));
    }
    series.closeInto(lines);
    if (!native.empty())
        lines.push_back({frameCount(native.size(), "C++ frame", "C++ frames"), "", std::move(native), {}});
    return lines;
}

std::string plainStack(const Trace& trace, StackId stack)
{
    std::string text;
    const auto append = [&](const StackLine& line) {
        text += line.place.empty() ? line.text : fmt::format("{} ({})", line.function, line.place);
        text += '\n';
    };
    for (const StackLine& line : foldedStack(trace, stack)) {
        if (line.folded.empty())
            append(line);
        for (const StackLine& inner : line.folded)
            append(inner);
    }
    return text;
}

} // namespace highwater
