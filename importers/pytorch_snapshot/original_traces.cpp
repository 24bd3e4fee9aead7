#include "importers/pytorch_snapshot/original_traces.h"

#include <algorithm>
#include <charconv>

#include "core/base/text_parts.h"

namespace highwater {

FrameId OriginalTraces::frameOfLine(std::string_view line)
{
    // For example:   File "/train/model.py", line 12, in forward
    constexpr std::string_view beforeFile = "File \"";
    constexpr std::string_view beforeLine = "\", line ";
    constexpr std::string_view beforeFunction = ", in ";
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t fileEnd = line.rfind(beforeLine);
    if (!line.starts_with(beforeFile) || fileEnd == std::string_view::npos || fileEnd < beforeFile.size())
        return {};
    const std::string_view path = line.substr(beforeFile.size(), fileEnd - beforeFile.size());
    line.remove_prefix(fileEnd + beforeLine.size());
    Frame frame;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), frame.line);
    if (error != std::errc() || frame.line < 0)
        return {};
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.starts_with(beforeFunction))
        frame.function = m_builder.strings().intern(line.substr(beforeFunction.size()));
    frame.file = m_builder.strings().intern(path);
    frame.kind = FrameKind::Python;
    return m_builder.stacks().internFrame(frame);
}

bool OriginalTraces::read(StringId trace)
{
    const auto [entry, isNew]
        = m_traceOfText.try_emplace(trace.value(), static_cast<std::uint32_t>(m_traces.size()));
    if (!isNew)
        return !m_traces[entry->second].empty();
    std::vector<FrameId> frames;
    std::string_view text = m_builder.strings().view(trace);
    while (!text.empty() && frames.size() < kMaxFrames) {
        const std::size_t lineBegin = text.rfind('\n') + 1; // 0 for the first line, since npos + 1 is 0
        if (const FrameId frame = frameOfLine(text.substr(lineBegin)); !frame.isNone())
            frames.push_back(frame);
        text = text.substr(0, lineBegin > 0 ? lineBegin - 1 : 0);
    }
    m_lineCount += frames.size();
    m_traces.push_back(std::move(frames));
    return !m_traces.back().empty();
}

void OriginalTraces::assign(FrameId generated, StringId trace)
{
    m_traceOfFrame.try_emplace(generated.value(), m_traceOfText.at(trace.value()));
}

std::size_t OriginalTraces::innermostGenerated(const std::vector<FrameId>& frames) const
{
    if (m_traceOfFrame.empty())
        return frames.size();
    const auto found
        = std::ranges::find_if(frames, [&](FrameId frame) { return m_traceOfFrame.contains(frame.value()); });
    return static_cast<std::size_t>(found - frames.begin());
}

void OriginalTraces::insertInto(std::vector<FrameId>& frames) const
{
    const std::size_t generated = innermostGenerated(frames);
    if (generated == frames.size())
        return;
    const std::vector<FrameId>& lines = m_traces[m_traceOfFrame.at(frames[generated].value())];
    frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(generated), lines.begin(), lines.end());
}

std::vector<FrameId> OriginalTraces::without(std::vector<FrameId> frames) const
{
    const std::size_t generated = innermostGenerated(frames);
    if (generated == frames.size())
        return frames;
    const std::size_t inserted = m_traces[m_traceOfFrame.at(frames[generated].value())].size();
    const auto end = frames.begin() + static_cast<std::ptrdiff_t>(generated);
    frames.erase(end - static_cast<std::ptrdiff_t>(std::min(inserted, generated)), end);
    return frames;
}

std::size_t OriginalTraces::memoryBytes() const
{
    return (m_traceOfText.size() + m_traceOfFrame.size()) * 24
        + m_traces.size() * sizeof(std::vector<FrameId>) + m_lineCount * sizeof(FrameId);
}

} // namespace highwater
