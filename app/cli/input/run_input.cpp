#include "app/cli/input/run_input.h"

#include <algorithm>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/loading/run_description.h"
#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/base/text/wrapped_text.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Prints the errors of files, and ends the command; `subject` is named if the error is of no single file.
[[noreturn]] void refuseRuns(const RunError& error, const std::string& subject)
{
    for (const ReportSource& source : error.unreadable)
        if (source.path != error.path)
            printErr("highwater: {}: {}\n", sanitizedText(source.path), sanitizedText(source.error));
    throw Refusal{error.path.empty() ? subject : error.path, error};
}

/// Maximum number of sentences about differences between ranks; `highwater ranks` prints all.
constexpr std::size_t kMaxSentences = 3;

} // namespace

Run needRun(const CommonOptions& common, RunRequest request, RunReadOptions options)
{
    request.paths = common.files;
    request.rank = common.rank;
    options.load = loadOptionsOf(common);
    if (!request.configuration.empty()) // invalid content is wrong usage
        needOption(request.configuration, loadRunDescription(request.configuration));
    TerminalProgress progress(common.files.front(), common.quiet);
    options.load.progress = progress.sink();
    tl::expected<Runs, RunError> runs = readRuns(request, nullptr, options);
    progress.clear();
    if (!runs)
        refuseRuns(runs.error(), common.files.front());
    printProblems(runs->run, common.quiet);
    return std::move(runs->run);
}

Runs needRuns(const CommonOptions& common, ReportJob& job, const std::string& subject)
{
    job.load.load = loadOptionsOf(common);
    TerminalProgress progress(subject, common.quiet);
    job.load.load.progress = progress.sink();
    tl::expected<Runs, RunError> runs = readRuns(job);
    progress.clear();
    job.load.load.progress = nullptr;
    if (!runs)
        refuseRuns(runs.error(), subject);
    for (const Run* const run : runs->all())
        printProblems(*run, common.quiet);
    return *std::move(runs);
}

void printProblems(const Run& run, bool isQuiet)
{
    for (const ReportSource& source : run.sources) {
        const std::string& trouble = source.error.empty() ? source.cutOff : source.error;
        if (!trouble.empty())
            printErr("highwater: {}: {}\n", sanitizedText(source.path), sanitizedText(trouble));
    }
    for (const std::string& warning : run.warnings)
        if (!isQuiet)
            printErr("highwater: {}\n", sanitizedText(warning)); // the warning names its file
}

int exitCodeOf(const Run& run)
{
    return run.hasUnreadable ? CannotRead : run.hasIncomplete ? Incomplete : Done;
}

int exitCodeOf(const Runs& runs)
{
    int code = Done;
    for (const Run* const run : runs.all())
        code = worse(code, exitCodeOf(*run));
    return code;
}

LoadedInput mainInput(const Run& run)
{
    const ReportSource& source = run.sources.front();
    ImportedTrace imported;
    imported.trace = run.study->parts().trace;
    imported.fileBytes = source.fileBytes;
    if (!source.cutOff.empty())
        imported.incomplete = Error{ErrorCode::Truncated, source.cutOff, {}};
    return {source.path, std::move(imported)};
}

void printRunHead(const Run& run, const std::vector<std::string>& titles)
{
    for (const OtherRun& other : run.main.others)
        printOut("{}\n",
            Style::forStdout().warning(
                wrappedText(otherRunText(other) + " To see it, pass only its files.", outputWidth(), 0, 2)));
    if (run.main.fileCount < 2)
        return;
    printOut("Shown: {}{}\n", Style::forStdout().strong(mainText(run.main)),
        run.main.rankCount > 1 ? " (--rank N shows another)" : "");
    if (run.ranks) {
        const std::vector<std::string>& sentences = run.ranks->sentences;
        const std::size_t first = run.ranks->shown.others.size(); // these were printed above
        for (std::size_t i = first; i < sentences.size() && i < first + kMaxSentences; ++i)
            if (!repeatsDiagnosis(sentences[i]) && std::ranges::none_of(titles, [&](const auto& title) {
                    return sentences[i].starts_with(title);
                }))
                printOut("{}\n", wrappedText(sanitizedText(sentences[i]), outputWidth(), 0, 2));
    }
    printOut("\n");
}

} // namespace highwater::cli
