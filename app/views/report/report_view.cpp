#include "app/views/report/report_view.h"

#include <algorithm>
#include <iterator>

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/loading/run/report_job.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/picture_export.h"
#include "app/views/parts/tool_bar.h"
#include "app/views/report/report_saving.h"
#include "app/views/report/section_list.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kButtonZoomStep = 1.25;

QLabel* makeHeading(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text, buddy->parentWidget());
    label->setProperty("heading", true);
    label->setBuddy(buddy);
    return label;
}

QAction* makeAction(
    QWidget& view, const QString& text, const QString& tip, const QList<QKeySequence>& keys = {})
{
    auto* action = new QAction(text, &view);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(keys.isEmpty()
            ? tip
            : QStringLiteral("%1 (%2)").arg(tip, keys.first().toString(QKeySequence::NativeText)));
    view.addAction(action);
    return action;
}

} // namespace

ReportView::ReportView(QWidget* parent)
    : Page(parent)
    , m_templates(new QComboBox(this))
    , m_sections(new SectionList(this))
    , m_title(new QLineEdit(this))
    , m_full(new QCheckBox(tr("F&ull, with appendix"), this))
    , m_stripPaths(new QCheckBox(tr("Without &folders and user names"), this))
    , m_hint(new QLabel(this))
    , m_preview(new ReportPreview(this))
    , m_progress(new QProgressBar(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    setObjectName(QStringLiteral("reportView"));
    layOut();
    connectParts();
    m_sections->showTemplate(ReportTemplate::Incident, false, false);
    takeSettings();
    showReport();
}

QWidget* ReportView::makeToolBar()
{
    auto* bar = new ToolBar(tr("Report"), this);
    bar->setObjectName(QStringLiteral("reportToolBar"));
    m_save = makeAction(
        *this, tr("&Export…"), tr("Write the report: HTML, PDF, Markdown or JSON"), {Qt::CTRL | Qt::Key_E});
    m_copyMarkdown = makeAction(*this, tr("Copy as &Markdown"),
        tr("For an issue or a pull request; without pictures, which text cannot contain"));
    m_copyPicture
        = makeAction(*this, tr("Copy &picture"), tr("Copy the picture in view as an image and as SVG"));
    QAction* const smaller
        = makeAction(*this, QStringLiteral("−"), tr("Smaller"), {QKeySequence::ZoomOut, Qt::Key_Minus});
    m_zoom = makeAction(*this, QStringLiteral("100%"), tr("Normal size"), {Qt::CTRL | Qt::Key_0, Qt::Key_0});
    QAction* const larger = makeAction(
        *this, QStringLiteral("+"), tr("Larger"), {QKeySequence::ZoomIn, Qt::Key_Plus, Qt::Key_Equal});
    m_close = makeAction(*this, tr("Close"), tr("Return to the previous page"), {Qt::Key_Escape});
    auto* room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_progress->setRange(0, 0);
    m_progress->setFixedWidth(120);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Creating the report"));
    bar->addActions({m_save, m_copyMarkdown, m_copyPicture});
    bar->addSeparator();
    bar->addActions({smaller, m_zoom, larger});
    bar->addWidget(room);
    m_progressAction = bar->addWidget(m_progress);
    bar->addAction(m_close);
    connect(smaller, &QAction::triggered, this,
        [this] { m_preview->setZoom(m_preview->zoom() / kButtonZoomStep); });
    connect(larger, &QAction::triggered, this,
        [this] { m_preview->setZoom(m_preview->zoom() * kButtonZoomStep); });
    connect(m_zoom, &QAction::triggered, this, [this] { m_preview->setZoom(1); });
    return bar;
}

QWidget* ReportView::makeSettings()
{
    auto* panel = new QWidget(this);
    panel->setObjectName(QStringLiteral("reportSettings"));
    m_templates->setAccessibleName(tr("Kind of report"));
    m_templates->addItem(
        tr("Incident: cause, effect, next step"), static_cast<int>(ReportTemplate::Incident));
    m_templates->addItem(
        tr("Before and after: did the fix work?"), static_cast<int>(ReportTemplate::BeforeAfter));
    m_templates->addItem(tr("Summary for a pull request"), static_cast<int>(ReportTemplate::PullRequest));
    m_templates->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_title->setAccessibleName(tr("Title of the report"));
    m_title->setPlaceholderText(tr("From the file names"));
    m_full->setToolTip(tr("Everything that is known, instead of a few pages"));
    m_stripPaths->setToolTip(tr("In stacks, paths and pictures, so that the report can leave the company"));
    m_hint->setWordWrap(true);
    m_hint->setProperty("quiet", true);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(12, 6, 12, 10);
    for (QWidget* part : {static_cast<QWidget*>(m_templates), static_cast<QWidget*>(m_title),
             static_cast<QWidget*>(m_sections)}) {
        part->setParent(panel);
        layout->addWidget(makeHeading(part == m_templates ? tr("&Kind")
                : part == m_title                         ? tr("&Title")
                                                          : tr("&Sections"),
            part));
        layout->addWidget(part, part == m_sections ? 1 : 0);
    }
    layout->addWidget(m_full);
    layout->addWidget(m_stripPaths);
    layout->addWidget(m_hint);
    return panel;
}

void ReportView::layOut()
{
    fillSplitter(named(m_splitter, "reportSplitter"), {makeSettings(), {m_preview, 1}}, {310, 900});
    layColumn(this, {makeToolBar(), {m_splitter, 1}});
    setFocusProxy(m_preview);
}

void ReportView::connectParts()
{
    connect(m_templates, &QComboBox::activated, this, [this] {
        m_hasChosenTemplate = true;
        m_givenSections.clear();
        chooseTemplate();
        emit edited();
    });
    connect(m_sections, &SectionList::chosenChanged, this, [this] {
        m_givenSections.clear();
        takeSettings();
    });
    connect(m_sections, &SectionList::chosenChanged, this, &ReportView::edited);
    connect(m_full, &QCheckBox::toggled, this, &ReportView::chooseTemplate);
    connect(m_title, &QLineEdit::textEdited, this, &ReportView::edited);
    connect(m_stripPaths, &QCheckBox::clicked, this, &ReportView::edited);
    connect(m_sections, &SectionList::sectionRequested, m_preview, &ReportPreview::goTo);
    connect(m_title, &QLineEdit::textChanged, this, &ReportView::takeSettings);
    connect(m_stripPaths, &QCheckBox::toggled, this, &ReportView::takeSettings);
    connect(m_hint, &QLabel::linkActivated, this, &ReportView::configurationRequested);
    connect(m_preview, &ReportPreview::zoomChanged, this,
        [this] { m_zoom->setText(tr("%1%").arg(qRound(100 * m_preview->zoom()))); });
    connect(&m_session, &ReportSession::changed, this, &ReportView::showReport);
    connect(&m_session, &ReportSession::busyChanged, this, &ReportView::showBusy);
    connect(m_save, &QAction::triggered, this, &ReportView::askWhereToSave);
    connect(m_copyMarkdown, &QAction::triggered, this, &ReportView::copyAsMarkdown);
    connect(m_copyPicture, &QAction::triggered, this, &ReportView::copyPicture);
    connect(m_close, &QAction::triggered, this, &ReportView::closeRequested);
}

void ReportView::setSubject(ReportSubject subject)
{
    const bool hasTwo = subject.before.has_value();
    const bool isOtherKind = hasTwo != m_session.hasTwoRuns() || m_session.subject().isEmpty();
    m_session.setSubject(std::move(subject));
    showConfigurationHint();
    if (!isOtherKind)
        return;
    if (!m_hasChosenTemplate)
        m_templates->setCurrentIndex(m_templates->findData(
            static_cast<int>(hasTwo ? ReportTemplate::BeforeAfter : ReportTemplate::Incident)));
    chooseTemplate();
}

void ReportView::setOptions(const ReportOptions& options, bool hasChosenTemplate)
{
    m_hasChosenTemplate = hasChosenTemplate;
    m_givenSections = options.parts;
    const ReportTemplate usual
        = m_session.hasTwoRuns() ? ReportTemplate::BeforeAfter : ReportTemplate::Incident;
    m_templates->setCurrentIndex(
        m_templates->findData(static_cast<int>(hasChosenTemplate ? options.kind : usual)));
    m_title->setText(toQString(options.title));
    m_stripPaths->setChecked(options.stripPaths);
    chooseTemplate();
}

std::vector<ReportPart> ReportView::sectionsIfChanged() const
{
    if (!m_givenSections.empty() || m_session.subject().isEmpty())
        return m_givenSections;
    const std::vector<ReportPart> chosen = m_sections->chosen();
    std::vector<ReportPart> usual = usualParts(options().kind, m_session.hasTwoRuns());
    if (m_full->isChecked())
        std::ranges::copy(appendixParts(options().kind), std::back_inserter(usual));
    return chosen == usual ? std::vector<ReportPart>() : chosen;
}

void ReportView::chooseTemplate()
{
    if (m_givenSections.empty())
        m_sections->showTemplate(static_cast<ReportTemplate>(m_templates->currentData().toInt()),
            m_session.hasTwoRuns(), m_full->isChecked());
    else
        m_sections->setChosen(m_givenSections);
    takeSettings();
}

void ReportView::takeSettings()
{
    ReportOptions options;
    options.kind = static_cast<ReportTemplate>(m_templates->currentData().toInt());
    options.parts = m_sections->chosen();
    options.title = m_title->text().toStdString();
    options.stripPaths = m_stripPaths->isChecked();
    options.isFull = m_full->isChecked();
    options.isLive = true;
    options.findsEmptyParts = true;
    options.written = writtenText();
    if (options.parts.empty()) // an empty list would mean the template's sections
        return showReport();
    m_session.setOptions(std::move(options));
}

void ReportView::showReport()
{
    const std::shared_ptr<const Report>& report = m_session.report();
    const bool hasNoSection = m_sections->chosen().empty();
    m_preview->showReport(hasNoSection ? nullptr : report,
        hasNoSection                         ? tr("No section selected")
            : !m_session.problem().isEmpty() ? m_session.problem()
                                             : tr("Creating the report…"));
    if (report) {
        m_sections->markEmpty(report->emptyParts, m_session.options());
        m_title->setPlaceholderText(toQString(report->title));
    }
    for (QAction* action : {m_save, m_copyMarkdown, m_copyPicture})
        action->setEnabled(report && !hasNoSection);
    showBusy();
}

void ReportView::showBusy()
{
    m_progressAction->setVisible(!isSettled());
    if (isSettled())
        emit settled();
}

void ReportView::showConfigurationHint()
{
    const ReportSubject& subject = m_session.subject();
    const bool isOfBefore = subject.run.configuration.isEmpty() && subject.before;
    const QString& configuration = (isOfBefore ? *subject.before : subject.run).configuration;
    const QString link = QStringLiteral("<a href='choose'>%1</a>").arg(tr("choose"));
    m_hint->setText(configuration.isEmpty()
            ? tr("No budget without the run's configuration: %1 it").arg(link)
            : tr("Configuration: %1 (%2 another)")
                  .arg(QFileInfo(configuration).fileName().toHtmlEscaped(), link));
}

void ReportView::saveTo(const QString& path)
{
    if (!m_session.report())
        return;
    m_folder = QFileInfo(path).absolutePath();
    m_saving.run([this, report = m_session.report(), path]() -> LatestTask::Delivery {
        const Result<void> result = saveReport(report, path);
        return [this, path, result] {
            if (result)
                emit saved(path);
            else
                emit failed(path, toQString(toText(result.error())));
            showBusy();
        };
    });
    showBusy();
}

void ReportView::askWhereToSave()
{
    const QStringList formats{tr("HTML, a single file (*.html)"), tr("PDF (*.pdf)"),
        tr("Markdown with separate pictures (*.md)"), tr("JSON (*.json)")};
    static const char* const endings[] = {".html", ".pdf", ".md", ".json"};
    QString chosen = formats.first();
    const QString name = QDir(m_folder).filePath(fileNameFor(*m_session.report()));
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export report"), name, formats.join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty())
        return;
    const QString ending = QLatin1String(endings[std::max<qsizetype>(0, formats.indexOf(chosen))]);
    path = pathWithEnding(path, ending, {".html", ".pdf", ".md", ".json"}, *this);
    if (!path.isEmpty())
        saveTo(path);
}

void ReportView::copyAsMarkdown() const
{
    if (m_session.report())
        QGuiApplication::clipboard()->setText(markdownComment(*m_session.report()));
}

PictureOffer ReportView::picture() const
{
    const ReportFigure* figure = m_preview->figureInView();
    return figure ? figureOffer(figure->wide) : PictureOffer();
}

void ReportView::copyPicture()
{
    gui::copyPicture(picture(), *this);
}

void ReportView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_session.setWanted(true);
}

void ReportView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_session.setWanted(false);
}

} // namespace highwater::gui
