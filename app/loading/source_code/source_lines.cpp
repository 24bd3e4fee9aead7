#include "app/loading/source_code/source_lines.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/loading/files/small_file.h"
#include "app/loading/source_code/find_source.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"
#include "core/run/recorded_source.h"

namespace highwater {

namespace {

constexpr std::string_view kTab = "    ";

/// Returns one line for display. O(kMaxLineCharacters), however long the line is.
std::string shownLine(std::string_view line)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    std::string shown;
    for (std::size_t count = 0; !line.empty(); ++count) {
        if (count == kMaxLineCharacters)
            return shown + "…";
        const std::size_t length = std::max<std::size_t>(utf8Length(line), 1);
        shown += line.front() == '\t' ? kTab : line.substr(0, length);
        line.remove_prefix(length);
    }
    return shown;
}

void removeCommonIndentation(std::vector<std::string>& lines)
{
    std::size_t common = std::numeric_limits<std::size_t>::max();
    for (const std::string& line : lines)
        common = std::min(common, line.find_first_not_of(' ')); // npos for an empty line
    for (std::string& line : lines)
        line.erase(0, common);
}

/// Files such as "<string>" and "<frozen runpy>" exist nowhere.
bool hasSourceFile(std::string_view file)
{
    return !file.empty() && file != "??" && !file.starts_with('<');
}

/// Reads the text in which the line is looked up, or sets `problem`.
std::optional<std::string> sourceText(const Trace& trace, SourceAnswer& answer)
{
    if (std::optional<std::string> recorded = recordedSource(trace.metadata, answer.recordedPath)) {
        answer.isRecorded = true;
        return recorded;
    }
    if (answer.path.empty()) {
        answer.problem = "Source not found: " + nameText(answer.recordedPath);
        answer.needsFolder = true;
        return std::nullopt;
    }
    Result<std::string> text = readSmallFile(answer.path, "is larger than 4 MiB", kMaxSourceBytes);
    if (!text) {
        answer.problem = nameText(answer.path) + " " + toText(text.error());
        return std::nullopt;
    }
    return std::move(*text);
}

} // namespace

std::optional<SourceLines> sourceLines(std::string_view text, std::int32_t line, std::int32_t neighbours)
{
    SourceLines found;
    found.first = std::max(line - neighbours, 1);
    bool hasLine = false;
    for (std::int64_t number = 1; !text.empty() && number - neighbours <= line; ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (number >= found.first)
            found.texts.push_back(shownLine(text.substr(0, end)));
        hasLine = hasLine || number == line;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!hasLine)
        return std::nullopt;
    removeCommonIndentation(found.texts);
    return found;
}

SourceAnswer findSource(const Trace& trace, FrameId id, const std::string& folder)
{
    const Frame frame = trace.stacks.frame(id);
    SourceAnswer answer;
    answer.recordedPath = trace.text(frame.file);
    answer.line = std::max(frame.line, 0);
    if (!hasSourceFile(answer.recordedPath) || answer.line == 0) {
        answer.problem = "No source line was recorded for this frame";
        return answer;
    }
    answer.path = findSourceFile(answer.recordedPath, folder).value_or("");
    const std::optional<std::string> text = sourceText(trace, answer);
    if (!text)
        return answer;
    answer.lines
        = contains(*text, std::string_view("\0", 1)) ? std::nullopt : sourceLines(*text, answer.line);
    if (!answer.lines)
        answer.problem = fmt::format("{} has no line {}: it is not the file that ran",
            nameText(answer.isRecorded ? answer.recordedPath : answer.path), answer.line);
    return answer;
}

} // namespace highwater
