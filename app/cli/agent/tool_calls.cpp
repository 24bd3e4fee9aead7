#include <exception>
#include <new>

#include <fmt/format.h>

#include "app/cli/agent/next_calls.h"
#include "app/cli/agent/tools.h"
#include "app/cli/console/refusal.h"
#include "app/loading/files/kept_files.h"
#include "core/base/memory_limit.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

/// Adds each line as one caveat, without the program's name.
void addMessages(std::vector<std::string>& caveats, std::string_view messages)
{
    constexpr std::string_view kProgram = "highwater: ";
    while (!messages.empty()) {
        std::string_view line = messages.substr(0, messages.find('\n'));
        messages.remove_prefix(std::min(line.size() + 1, messages.size()));
        if (line.starts_with(kProgram))
            line.remove_prefix(kProgram.size());
        if (!line.empty())
            caveats.emplace_back(line);
    }
}

/// Adds the import log's warnings about the files that this call has read, and its notes that a file was
/// rehearsed or cut.
void addImportWarnings(std::vector<std::string>& caveats, KeptFiles& kept)
{
    for (const auto& [path, trace] : kept.takeUsed())
        for (const ImportLogEntry& entry : trace->log.entries())
            if (entry.severity != Severity::Info || entry.code == "rehearsed" || entry.code == "cut")
                caveats.push_back(fmt::format("{}: {}", fileName(path), entry.message));
}

/// Returns an answer with the message, at most 1,000 bytes of it.
ToolAnswer errorAnswer(const std::string& subject, const std::string& message)
{
    constexpr std::size_t kMaxBytes = 1000;
    const std::string text = quotedMessage(subject.empty() ? message : subject + ": " + message, kMaxBytes);
    return {fmt::format("{}\n({})", text, kTextsAreData), true};
}

/// Returns the diagnosis of the run that the call is about: the document's own, if it has one.
Json diagnosisFor(const ToolContext& context, const ToolArguments& arguments, const Json& document)
{
    if (document.contains("diagnosis"))
        return document["diagnosis"];
    DiagnosedFiles run{arguments.texts("files"), arguments.text("device")};
    for (std::string& path : run.files)
        path = context.folders.resolve(path).value_or(path); // no error: the call itself succeeded
    CommonOptions common = context.common;
    common.rank = arguments.number("rank");
    return context.diagnoses->of(common, run);
}

/// Checks the arguments, runs the tool and shortens its document.
ToolAnswer answerOf(const ToolContext& context, const Tool& tool, const Json& argumentsJson)
{
    const ToolArguments arguments(argumentsJson, tool.schema);
    std::ignore = context.common.kept->takeUsed(); // discards files of an earlier call that failed
    ToolDocument result = tool.run(context, arguments);
    std::vector<std::string> caveats;
    addMessages(caveats, result.messages);
    addImportWarnings(caveats, *context.common.kept);
    if (result.document.is_null())
        return errorAnswer("", caveats.empty() ? "the tool has no answer" : caveats.front());
    const DocumentPart part{
        arguments.textOr("part", ""), static_cast<std::size_t>(arguments.number("from").value_or(0))};
    if (tool.isAboutRun && part.pointer.empty() && result.document.is_object()
        && !arguments.texts("files").empty())
        putDiagnosisFirst(result.document, diagnosisFor(context, arguments, result.document));
    const Json next = part.pointer.empty() ? nextCalls(tool, arguments, result.document) : Json::array();
    const Result<std::string> text
        = shortAnswer(result.document, part, {caveats, next}, kMaxAnswerBytes, tool.quotesTexts);
    return text ? ToolAnswer{*text, false} : errorAnswer("", text.error().message);
}

} // namespace

ToolAnswer callTool(const ToolContext& context, const Tool& tool, const Json& arguments)
{
    try {
        return answerOf(context, tool, arguments);
    } catch (const Refusal& refusal) {
        return errorAnswer(refusal.subject, toText(refusal.error));
    } catch (const std::bad_alloc&) {
        return errorAnswer("", std::string(outOfMemoryText()));
    } catch (const std::exception& error) {
        return errorAnswer("", fmt::format("cannot be done: {}", error.what()));
    }
}

} // namespace highwater::cli
