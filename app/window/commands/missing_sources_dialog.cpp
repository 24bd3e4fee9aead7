#include "app/window/commands/missing_sources_dialog.h"

#include <algorithm>

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "app/views/parts/arrange.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/base/text_parts.h"

namespace highwater::gui {

namespace {

/// Returns the name that the file had when the workspace was saved.
QString nameOf(const WorkspaceReference& reference)
{
    return toQString(fileName(reference.path.empty() ? reference.lastSeen : reference.path));
}

/// Returns a text such as "changed.pickle  is another file …", with the path.
QString rowText(const WorkspaceReference& reference, const QString& sentence, const ResolvedSource& resolved)
{
    return QStringLiteral("<b>%1</b> %2<br><span style='font-size: small'>%3</span>")
        .arg(nameOf(reference).toHtmlEscaped(), sentence.toHtmlEscaped(),
            toQString(resolved.path).toHtmlEscaped());
}

QPushButton* makeButton(const QString& text, const QString& name, const QString& tip)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

} // namespace

bool MissingSourcesDialog::isNeededFor(const OpenedWorkspace& workspace)
{
    return !std::ranges::all_of(workspace.sources, &ResolvedSource::isUsable)
        || (workspace.configuration && !workspace.configuration->isUsable());
}

MissingSourcesDialog::MissingSourcesDialog(const OpenedWorkspace& workspace, QWidget* parent)
    : QDialog(parent)
    , m_workspace(workspace)
{
    setWindowTitle(tr("Missing or changed files"));
    const WorkspaceFile& file = workspace.read.file;
    for (std::size_t i = 0; i < file.sources.size(); ++i)
        addRow(i, file.sources[i].file, workspace.sources[i]);
    if (file.configuration)
        addRow(file.sources.size(), *file.configuration, *workspace.configuration);
    auto* intro
        = new QLabel(tr("Some files of the workspace are missing or have changed. Choose what to do with "
                        "each. Files that you leave out are removed from the workspace when it is saved."),
            this);
    intro->setWordWrap(true);
    auto* list = new QWidget;
    auto* grid = new QGridLayout(list);
    grid->setColumnStretch(0, 1);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        layOutRow(*grid, static_cast<int>(row));
    grid->setRowStretch(static_cast<int>(m_rows.size()), 1);
    auto* area = named(new QScrollArea(this), "missingFiles", tr("Missing or changed files"));
    area->setWidgetResizable(true);
    area->setWidget(list);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_openButton = buttons->addButton(tr("Open the workspace"), QDialogButtonBox::AcceptRole);
    m_openButton->setObjectName(QStringLiteral("openWorkspaceButton"));
    connectButtons(*buttons, *this);
    layColumn(this, {intro, {area, 1}, buttons}, {kStyleMargins, -1});
    resize(820, std::min(200 + 64 * static_cast<int>(m_rows.size()), 600));
    refresh();
}

void MissingSourcesDialog::addRow(
    std::size_t source, const WorkspaceReference& reference, const ResolvedSource& resolved)
{
    if (!resolved.isUsable())
        m_rows.push_back({source, reference, resolved});
}

void MissingSourcesDialog::layOutRow(QGridLayout& grid, int number)
{
    Row& row = m_rows[static_cast<std::size_t>(number)];
    row.text = new QLabel;
    makeSelectable(*row.text, Qt::RichText);
    row.locate = makeButton(tr("Locate…"), QStringLiteral("locate%1").arg(number),
        tr("Locate the file; the others are searched for in its folder"));
    row.use = makeButton(tr("Use the changed file"), QStringLiteral("use%1").arg(number),
        tr("Open the file as it is now; notes may point to other places in it"));
    row.leaveOut = makeButton(tr("Leave out"), QStringLiteral("leaveOut%1").arg(number),
        tr("Open the workspace without this file"));
    row.use->setCheckable(true);
    row.leaveOut->setCheckable(true);
    int column = 0;
    grid.addWidget(row.text, number, column++);
    for (QPushButton* button : {row.locate, row.use, row.leaveOut})
        grid.addWidget(button, number, column++, Qt::AlignTop);
    const auto decide = [this, index = static_cast<std::size_t>(number)](Decision decision) {
        return [this, index, decision](bool isChecked) {
            m_rows[index].decision = isChecked ? decision : Decision::Open;
            refresh();
        };
    };
    connect(row.locate, &QPushButton::clicked, this,
        [this, index = static_cast<std::size_t>(number)] { chooseFile(index); });
    connect(row.use, &QPushButton::clicked, this, decide(Decision::Use));
    connect(row.leaveOut, &QPushButton::clicked, this, decide(Decision::LeaveOut));
}

void MissingSourcesDialog::chooseFile(std::size_t row)
{
    const QString folder = QFileInfo(qtPath(m_rows[row].resolved.path)).path();
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Locate %1").arg(nameOf(m_rows[row].reference)), folder);
    if (!path.isEmpty())
        locate(row, path);
}

void MissingSourcesDialog::locate(std::size_t row, const QString& path)
{
    std::vector<WorkspaceReference> references;
    for (const Row& entry : m_rows)
        references.push_back(entry.reference);
    WorkspaceReference chosen = references[row];
    chosen.path = systemPath(path);
    chosen.lastSeen.clear();
    m_task.run([this, row, path, chosen, references]() -> LatestTask::Delivery {
        const std::string folder = systemPath(QFileInfo(path).path());
        ResolveOptions options;
        options.hashes = &m_hashes;
        const auto located = resolveReferences({chosen}, folder, options);
        auto resolvedRows = resolveReferences(references, folder, options);
        const bool isSame = located->front() == ResolvedSource{SourceState::Found, chosen.path};
        return [this, row, path, isSame, resolvedRows = std::move(*resolvedRows)] {
            takeLocated(row, path, isSame, resolvedRows);
        };
    });
    refresh();
}

void MissingSourcesDialog::takeLocated(
    std::size_t row, const QString& path, bool isSame, std::vector<ResolvedSource> resolvedRows)
{
    m_rows[row].decision = Decision::Open;
    m_rows[row].resolved = {isSame ? SourceState::Moved : SourceState::Changed, systemPath(path)};
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (i != row && resolvedRows[i].isUsable()) {
            m_rows[i].resolved = resolvedRows[i];
            m_rows[i].decision = Decision::Open;
        }
    refresh();
}

void MissingSourcesDialog::refresh()
{
    bool isDecided = !m_task.isBusy();
    for (const Row& row : m_rows) {
        // The sentence does not change after a decision: the rows must not move under the mouse.
        row.text->setText(
            rowText(row.reference, toQString(stateText(row.reference, row.resolved)), row.resolved));
        row.use->setEnabled(row.resolved.state == SourceState::Changed);
        row.use->setChecked(row.decision == Decision::Use);
        row.leaveOut->setChecked(row.decision == Decision::LeaveOut);
        row.locate->setEnabled(!m_task.isBusy());
        isDecided = isDecided && (row.resolved.isUsable() || row.decision != Decision::Open);
    }
    m_openButton->setEnabled(isDecided);
}

WorkspaceFile resolvedFile(const OpenedWorkspace& workspace)
{
    WorkspaceFile file = workspace.read.file;
    for (std::size_t i = 0; i < file.sources.size(); ++i)
        file.sources[i].file.lastSeen = workspace.sources[i].path;
    if (file.configuration)
        file.configuration->lastSeen = workspace.configuration->path;
    return file;
}

WorkspaceFile MissingSourcesDialog::file() const
{
    WorkspaceFile file = resolvedFile(m_workspace);
    const std::size_t count = file.sources.size();
    for (auto row = m_rows.rbegin(); row != m_rows.rend(); ++row) { // last first: indices stay valid
        const bool isConfiguration = row->source == count;
        if (row->decision != Decision::LeaveOut && isConfiguration)
            file.configuration->lastSeen = row->resolved.path;
        else if (row->decision != Decision::LeaveOut)
            file.sources[row->source].file.lastSeen = row->resolved.path;
        else if (isConfiguration)
            file.configuration.reset();
        else
            file.sources.erase(file.sources.begin() + static_cast<std::ptrdiff_t>(row->source));
    }
    return file;
}

} // namespace highwater::gui
