#include "app/workspace/document/run_session.h"

#include <algorithm>

#include <QFile>
#include <QFileInfo>

#include "app/loading/run/run_assembly.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/run/choice/run_sorting.h"

// Decides which file of a run is on screen.
// Input: paths, the user's choices, and the files as they are loaded.
// Idea: the first file is shown at once; RunLoader loads the others meanwhile. Each time one arrives,
// `chooseMain` is asked for the main file of those known so far. It replaces the file on screen if it ran out
// of memory or has richer content (a recording after a log), or if everything is loaded, since only then is
// the highest peak known. It never replaces a file that the user has chosen.
// Example: samples/ranks, where rank 2 ran out of memory.
//   open(folder)        rank 0 is loaded, `documentReady(rank 0, sameRun = false)`; ranks 1 to 3 are loaded
//   rank 1 is loaded    the main file is rank 0 or 1, but neither ran out: rank 0 stays
//   rank 2 is loaded    it ran out: `documentReady(rank 2, sameRun = true)`
//   rank 3 is loaded    the main file is still rank 2; all files are loaded, and it stays
// If the user calls `show(1)` in between, rank 1 stays on screen.

namespace highwater::gui {

QString qtPath(const std::string& path)
{
    return QFile::decodeName(QByteArray::fromStdString(path));
}

namespace {

std::vector<MainCandidate> factsOfFiles(const RunLoader& run)
{
    std::vector<MainCandidate> facts;
    for (const RunFile& file : run.files())
        facts.push_back(file.facts);
    return facts;
}

} // namespace

RunSession::RunSession(DocumentLoader& loader, QObject* parent)
    : QObject(parent)
    , m_loader(loader)
{
    connect(&m_loader, &DocumentLoader::loaded, this, &RunSession::takeLoaded);
    connect(&m_loader, &DocumentLoader::failed, this, &RunSession::takeFailure);
    connect(&m_loader, &DocumentLoader::cancelled, this, [this] {
        const bool isUserCancel
            = m_requestedInput || m_requestedFile; // otherwise the request was dropped by this class
        dropRequest();
        emit changed();
        if (isUserCancel)
            emit cancelled();
    });
    connect(&m_run, &RunLoader::changed, this, &RunSession::changed);
    connect(&m_run, &RunLoader::finished, this, [this] {
        showMainIfDue();
        m_isProvisional = false;
    });
    connect(&m_run, &RunLoader::loaded, this,
        [this](int file) { takeFromBackground(static_cast<std::size_t>(file)); });
}

bool RunSession::isOfSummaries() const
{
    const auto& files = m_run.files();
    return hasSeveralFiles() && std::ranges::count_if(files, &RunFile::isSummary) * 2 > std::ssize(files);
}

void RunSession::open(const QStringList& paths, const QString& first)
{
    std::vector<std::string> names;
    for (const QString& path : paths)
        names.push_back(systemPath(path));
    std::vector<RunInput> inputs = runInputs(names);
    dropRequest();
    if (inputs.empty()) {
        emit failed(paths.value(0), tr("this folder has no files"));
        return;
    }
    if (inputs.size() == 1) {
        const std::string path = inputs.front().member.path;
        m_requestedInput = std::move(inputs.front());
        m_loader.open(qtPath(path));
        return;
    }
    m_shownFile.reset();
    m_run.begin(std::move(inputs));
    const std::optional<std::size_t> chosen = m_run.indexOf(systemPath(first));
    show(chosen ? *chosen : *m_run.next({}));
    m_isProvisional = !chosen;
}

void RunSession::cancel()
{
    dropRequest();
    emit changed();
}

void RunSession::show(std::size_t file)
{
    // The file on screen may be asked for again to drop the request for another run.
    if (file == wanted() && (m_requestedFile || !m_requestedInput))
        return;
    dropRequest();
    m_isProvisional = false;
    if (file != m_shownFile) {
        m_requestedFile = file;
        const RunFile& requested = m_run.files()[file];
        if (requested.document) {
            display(file);
        } else if (requested.state == RunFile::State::Failed) {
            m_requestedFile.reset();
            reportFailure(file);
        } else if (m_run.claim(file)) {
            m_isClaimed = true;
            m_loader.open(qtPath(requested.input.member.path));
        } // otherwise RunLoader is already loading it
    }
    emit changed();
}

void RunSession::showNext(int direction)
{
    if (const std::optional<std::size_t> file = m_run.next(wanted(), direction))
        show(*file);
}

/// Drops the pending request.
void RunSession::dropRequest()
{
    const std::optional<std::size_t> file = std::exchange(m_requestedFile, std::nullopt);
    m_requestedInput.reset();
    if (std::exchange(m_isClaimed, false) && file)
        m_run.release(*file);
    m_loader.cancel(); // emits `cancelled`, whose handler finds nothing pending
}

void RunSession::display(std::size_t file)
{
    const std::shared_ptr<const Document> document = m_run.files()[file].document;
    const bool sameRun = m_shownFile.has_value();
    m_requestedFile.reset();
    m_shownFile = file;
    m_run.setShown(file);
    emit documentReady(document, sameRun);
    emit changed();
    if (!sameRun)
        m_run.loadRest();
}

std::optional<Error> RunSession::reasonNotToTake(const Document& document) const
{
    const RunInput* input = m_requestedInput ? &*m_requestedInput
        : m_requestedFile                    ? &m_run.files()[*m_requestedFile].input
                                             : nullptr;
    if (input)
        if (const std::optional<Error> reason = reasonToPassOver(*input, document.trace()))
            return reason;
    return reasonNotToShow(document);
}

void RunSession::takeLoaded(const std::shared_ptr<const Document>& document)
{
    if (const std::optional<Error> reason = reasonNotToTake(*document)) {
        takeFailure(m_loader.path(), toQString(toText(*reason)), reason->code);
        return;
    }
    std::size_t file = 0;
    if (m_requestedInput) {
        std::vector<RunInput> inputs;
        inputs.push_back(*std::exchange(m_requestedInput, std::nullopt));
        m_shownFile.reset();
        m_isProvisional = false;
        m_run.begin(std::move(inputs));
    } else if (m_requestedFile) {
        file = *m_requestedFile;
    } else {
        return;
    }
    m_isClaimed = false;
    m_run.adopt(file, document);
    display(file);
}

void RunSession::takeFailure(const QString& path, const QString& reason, ErrorCode code)
{
    if (std::exchange(m_requestedInput, std::nullopt) || !m_requestedFile) {
        emit failed(path, reason);
        return;
    }
    const std::size_t file = *std::exchange(m_requestedFile, std::nullopt);
    m_isClaimed = false;
    m_run.reject(file, Error{code, reason.toStdString(), {}});
    // If nothing is on screen yet, a broken rank does not stop the others.
    std::optional<std::size_t> next = m_shownFile ? std::nullopt : m_run.next(file);
    if (!m_shownFile && !next) // the failed file may have been one of the last
        next = m_run.next({});
    const bool isProvisional = m_isProvisional; // reset by `show`, which the user did not ask for
    if (next)
        show(*next);
    else if (m_shownFile)
        reportFailure(file);
    else
        reportNothing(file);
    m_isProvisional = isProvisional;
    emit changed();
}

void RunSession::reportFailure(std::size_t file)
{
    const RunFile& broken = m_run.files()[file];
    const QString path = qtPath(broken.input.member.path);
    emit failed(
        path, broken.figures ? toQString(broken.figures->error) : tr("it is in no recognized format"));
}

void RunSession::reportNothing(std::size_t last)
{
    const std::vector<RunFile>& files = m_run.files();
    const auto broken = std::find_if(
        files.begin(), files.end(), [](const RunFile& file) { return file.state == RunFile::State::Failed; });
    if (broken != files.end())
        return reportFailure(static_cast<std::size_t>(broken - files.begin()));
    const QString folder = QFileInfo(qtPath(files[last].input.member.path)).path();
    emit failed(folder, tr("no file in this folder is a recording or a log with figures"));
}

/// Shows the run's main file if the rule at the top of this file says that it is time.
void RunSession::showMainIfDue()
{
    if (!m_isProvisional || !m_shownFile || m_requestedFile)
        return;
    const std::vector<MainCandidate> facts = factsOfFiles(m_run);
    const std::optional<MainChoice> choice = chooseMain(facts);
    if (!choice)
        return;
    const bool isRicher = facts[choice->file].content > facts[*m_shownFile].content;
    if (!m_run.isLoading() || choice->reason == MainReason::FailedFirst || isRicher)
        showUnasked(choice->file);
}

/// Shows a file that the user did not choose; it may still be replaced.
void RunSession::showUnasked(std::size_t file)
{
    show(file);
    m_isProvisional = true;
}

std::vector<std::pair<QString, std::shared_ptr<const Trace>>> RunSession::auxiliaryFiles() const
{
    std::vector<std::pair<QString, std::shared_ptr<const Trace>>> found;
    if (!m_shownFile || !m_run.files()[*m_shownFile].document)
        return found;
    const Trace& shown = m_run.files()[*m_shownFile].document->trace();
    const std::vector<FilePlace> places = sortIntoRuns(factsOfFiles(m_run));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RunFile& file = m_run.files()[i];
        if (file.document && places[i].run == places[*m_shownFile].run
            && isAuxiliary(shown, file.document->trace()))
            found.emplace_back(qtPath(file.input.member.path), file.document->imported.trace);
    }
    return found;
}

RunMain RunSession::main() const
{
    const std::vector<MainCandidate> facts = factsOfFiles(m_run);
    const std::optional<MainChoice> choice = chooseMain(facts);
    if (!choice || !m_shownFile)
        return {};
    if (choice->file == *m_shownFile)
        return runMain(facts, *choice);
    return runMain(facts, MainChoice{*m_shownFile, MainReason::Chosen, choice->places});
}

std::vector<RunSource> RunSession::sources() const
{
    std::vector<RunSource> sources;
    if (!m_shownFile || !m_run.files()[*m_shownFile].document)
        return sources;
    const std::vector<FilePlace> places = sortIntoRuns(factsOfFiles(m_run));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RunFile& file = m_run.files()[i];
        if (file.state == RunFile::State::NoInput || !(file.document || file.figures))
            continue;
        RunSource source;
        if (file.document)
            source = sourceOf(*file.document);
        source.file.path = file.input.member.path;
        source.file.fileBytes = file.input.fileBytes;
        if (file.recordsAllocations)
            source.rank = file.figures;
        if (file.figures)
            source.file.error = file.figures->error;
        if (file.isSummary())
            source.file.format = toText(TraceKind::RankSummary);
        if (i != *m_shownFile && source.file.error.empty())
            source.apart = apartText(source.file.path, places[i], places[*m_shownFile], m_run.ranks().get());
        sources.insert(
            &file == &m_run.files()[*m_shownFile] ? sources.begin() : sources.end(), std::move(source));
    }
    return sources;
}

void RunSession::takeFromBackground(std::size_t file)
{
    if (m_requestedFile != file) {
        showMainIfDue();
        return;
    }
    m_requestedFile.reset();
    const RunFile& arrived = m_run.files()[file];
    if (arrived.document)
        display(file);
    else if (arrived.state == RunFile::State::Failed || arrived.state == RunFile::State::NoInput)
        reportFailure(file);
    else
        show(file); // only its figures were kept, or loading was cancelled
}

} // namespace highwater::gui
