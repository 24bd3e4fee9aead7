#include "app/views/pages/start_page.h"

#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/loading/recording_recipes.h"
#include "app/views/pages/sample_card.h"
#include "app/views/pages/snippet.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/document/recent_files.h"

namespace highwater::gui {

namespace {

constexpr int kPageWidth = 1040;
constexpr int kSideBySideWidth = 1100; ///< the least width with recent files next to the recordings
constexpr int kRecentShown = 6;
/// Pictures are drawn once the page has been visible for this long, so that opening a file is not delayed.
constexpr int kDrawDelayMilliseconds = 300;
constexpr int kPictureScale = 2; ///< pixels of a picture per pixel of the card

QLabel* makeBoldLabel(const QString& text, QWidget* parent, double factor = 1)
{
    auto* label = new QLabel(text, parent);
    makeBold(*label, factor);
    return label;
}

QLabel* makeQuietLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("quiet", true);
    label->setWordWrap(true);
    return label;
}

QFrame* makeLine(QFrame::Shape shape, QWidget* parent)
{
    auto* frame = new QFrame(parent);
    frame->setFrameShape(shape);
    frame->setFrameShadow(QFrame::Plain);
    frame->setForegroundRole(QPalette::Mid);
    return frame;
}

/// The name of a recent file as a link, above its folder. Name and folder lose their middle where there is no
/// room.
class RecentLink : public QLabel
{
public:
    RecentLink(const QFileInfo& file, const ThemeColors& colors, QWidget* parent)
        : QLabel(parent)
        , m_file(file)
        , m_form(QStringLiteral("<a href='open' style='color:%1;text-decoration:none'>%2</a>"
                                "<br><span style='color:%3'>%4</span>")
                     .arg(colors.text.name(), QStringLiteral("%1"), colors.quietText.name(),
                         QStringLiteral("%2")))
    {
        setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        setText(m_form.arg(m_file.fileName().toHtmlEscaped(), m_file.path().toHtmlEscaped()));
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QLabel::resizeEvent(event);
        const auto fitting = [this](const QString& text) {
            return fontMetrics().elidedText(text, Qt::ElideMiddle, contentsRect().width()).toHtmlEscaped();
        };
        setText(m_form.arg(fitting(m_file.fileName()), fitting(m_file.path())));
    }

private:
    QFileInfo m_file;
    QString m_form;
};

/// Returns "today", "yesterday" or the date; empty if the time is unknown or in the future.
QString dayText(const QDateTime& when)
{
    const qint64 days = when.isValid() ? when.daysTo(QDateTime::currentDateTime()) : -1;
    return days < 0 ? QString()
        : days == 0 ? StartPage::tr("today")
        : days == 1 ? StartPage::tr("yesterday")
                    : QLocale().toString(when.date(), QLocale::ShortFormat);
}

} // namespace

StartPage::StartPage(const RecentFiles& recent, QWidget* parent)
    : Page(parent)
    , m_recent(recent)
{
    setObjectName(QStringLiteral("startPage"));
    auto* content = named(new QWidget(this), "startContent");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QWidget(content);
    column->setMaximumWidth(kPageWidth);
    // Created in the order of Tab.
    QWidget* const dropArea = makeDropArea();
    QWidget* const samples = makeSamples();
    m_columnLine = makeLine(QFrame::VLine, column);
    m_columns = layRow(nullptr, {{makeRecent(), 2}, m_columnLine, {makeRecordings(), 3}}, {{}, 24});
    layColumn(column,
        {Part::space(1), makeBoldLabel(tr("Where did the GPU memory go?"), column, 20.0 / 12), dropArea,
            samples, makeLine(QFrame::HLine, column), m_columns, Part::space(1)},
        {{0, 40, 0, 24}, 24});
    layRow(content, {Part::space(1), {column, 20}, Part::space(1)}, {{24, 0, 24, 0}, 0});
    layColumn(this, {makeScrollArea(content, this, tr("Start page"))});
    connect(&m_recent, &RecentFiles::changed, this, &StartPage::refresh);
    refresh();
}

QWidget* StartPage::makeDropArea()
{
    auto* area = new QFrame(this);
    area->setObjectName(QStringLiteral("dropArea"));
    m_mark = new QLabel(area);
    auto* words = layColumn(nullptr,
        {makeBoldLabel(tr("Drop a snapshot, trace or log here"), area, 1.25),
            makeQuietLabel(
                tr("Several files of one run together, a folder of ranks, or two runs to compare; plain, "
                   "gzip or zstd"),
                area)},
        {{}, 4});
    auto* folder = named(new QToolButton(area), "folderButton", tr("Open a folder"),
        tr("Choose the folder of a run (Ctrl+Shift+O)"));
    folder->setText(tr("Open folder"));
    folder->setIcon(lineIcon(LineIcon::Folder));
    folder->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(folder, &QToolButton::clicked, this, &StartPage::folderRequested);
    auto* open = named(
        new QPushButton(tr("Open…"), area), "openButton", tr("Open a file"), tr("Choose a file (Ctrl+O)"));
    open->setProperty("primary", true);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    setFocusProxy(open);
    setTabOrder(open, folder); // the page passes its focus to `open`
    layRow(area, {m_mark, {words, 1}, folder, open}, {{32, 32, 32, 32}, 16});
    return area;
}

QWidget* StartPage::makeSamples()
{
    auto* box = new QWidget(this);
    auto* cards = layRow(nullptr, {}, {{}, 16});
    for (const SampleFile& sample : sampleFiles()) {
        auto* card = new SampleCard(sample, box);
        connect(card, &QAbstractButton::clicked, this, [this, paths = sample.paths] {
            if (paths.size() == 2)
                emit comparisonRequested(paths[0], paths[1]);
            else
                emit fileRequested(paths[0]);
        });
        cards->addWidget(card, 1, Qt::AlignTop);
        m_cards << card;
    }
    auto* head = layRow(nullptr,
        {makeBoldLabel(tr("Try a sample"), box),
            {makeQuietLabel(tr("recorded from PyTorch's own allocator on simulated GPUs"), box), 1}},
        {{}, 12});
    layColumn(box, {head, cards}, {{}, 8});
    box->setVisible(!m_cards.isEmpty());
    return box;
}

void StartPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    QTimer::singleShot(kDrawDelayMilliseconds, this, [this] {
        if (isSettled())
            emit settled();
        else if (!m_task.isBusy())
            drawNext();
    });
}

void StartPage::hideEvent(QHideEvent* event)
{
    m_task.drop(); // probably a file is being opened
    Page::hideEvent(event);
}

/// Puts recent files above the recordings where the lines of code would be cut side by side.
void StartPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    const bool isWide = width() >= kSideBySideWidth;
    m_columns->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_columnLine->setVisible(isWide);
}

void StartPage::drawNext()
{
    if (isSettled() || !isVisible())
        return;
    const SampleCard& card = *m_cards[m_drawn];
    const QSize size(card.sizeHint().width() * kPictureScale, SampleCard::kPictureHeight * kPictureScale);
    m_task.run([this, sample = card.sample(), size, ground = m_colors.ground()]() -> LatestTask::Delivery {
        return [this, picture = drawSample(sample, size, ground), ground] {
            if (ground == m_colors.ground())
                m_cards[m_drawn++]->setPicture(picture);
            drawNext();
            if (isSettled())
                emit settled();
        };
    });
}

void StartPage::setColors(const ThemeColors& colors)
{
    if (std::exchange(m_colors, colors).ground() != colors.ground())
        m_drawn = 0;
    for (SampleCard* card : m_cards)
        card->setColors(colors);
    m_mark->setPixmap(lineIcon(LineIcon::Drop).pixmap(QSize(24, 24), devicePixelRatioF()));
    refresh();
    if (isVisible() && !m_task.isBusy())
        drawNext();
}

QWidget* StartPage::makeRecent()
{
    auto* box = new QWidget(this);
    m_recentList = new QVBoxLayout;
    m_recentList->setSpacing(8);
    layColumn(box, {makeBoldLabel(tr("Recent"), box), m_recentList, Part::space(1)}, {{}, 8});
    return box;
}

void StartPage::refresh()
{
    while (QLayoutItem* item = m_recentList->takeAt(0)) {
        item->widget()->hide(); // It is deleted later, and must not be painted over the new rows until then.
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& path : m_recent.paths().mid(0, kRecentShown)) {
        const QFileInfo file(path);
        const RecentFiles::Outcome outcome = m_recent.outcomeOf(path);
        auto* row = new QWidget(this);
        auto* link = new RecentLink(file, m_colors, row);
        link->setAccessibleName(tr("Open %1").arg(file.fileName()));
        link->setToolTip(path);
        connect(link, &QLabel::linkActivated, this, [this, path] { emit fileRequested(path); });
        auto* result = new QLabel(outcome.text, row);
        if (outcome.failed)
            result->setProperty("danger", true);
        layRow(row, {{link, 1}, result, makeQuietLabel(dayText(outcome.opened), row)}, {{}, 16});
        m_recentList->addWidget(row);
    }
    if (m_recent.paths().isEmpty())
        m_recentList->addWidget(makeQuietLabel(tr("Files that you open appear here, with their peak"), this));
}

StartPage::Recording StartPage::recordingOf(TraceKind kind)
{
    const std::vector<Recording> all = recordings();
    switch (kind) {
    case TraceKind::KinetoTrace:
    case TraceKind::MemoryTimeline: return all[1];
    case TraceKind::NsysExport: return all[3];
    default: return all[0];
    }
}

std::vector<StartPage::Recording> StartPage::recordings()
{
    return {
        {tr("Snapshot"),
            tr("The package is in the wheel that <code>resources/packaging/build-wheel</code> builds from "
               "the "
               "source. Without it, import the file that <code>highwater record --standalone</code> prints. "
               "<code>highwater record --for trl</code> prints the lines for a trainer."),
            QString::fromStdString(recordingLines("torch").value_or("")).trimmed()},
        {tr("Profiler trace"), tr("A few steps with memory events, stacks and operators"),
            QStringLiteral("from torch.profiler import profile, ProfilerActivity\n"
                           "with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],\n"
                           "             profile_memory=True, with_stack=True, record_shapes=True) as p:\n"
                           "    train_a_few_steps()\n"
                           "p.export_chrome_trace(\"trace.json.gz\")")},
        {tr("Memory timeline"), tr("From the same profile: every change of memory, with its category"),
            QStringLiteral("p.export_memory_timeline(\"timeline.raw.json.gz\", device=\"cuda:0\")")},
        {tr("Nsight"),
            tr("Nsight Systems: memory that each process takes from the driver; no change to the script"),
            QStringLiteral("nsys profile --cuda-memory-usage=true -t cuda,nvtx --cudabacktrace=memory -o run "
                           "python train.py\n"
                           "nsys export --type sqlite --ts-normalize true run.nsys-rep")},
        {tr("Log line"), tr("Any line with a step and a memory figure is read, such as this one"),
            QStringLiteral("peak = torch.cuda.max_memory_allocated() / 2**30\n"
                           "print(f\"step {step} max_memory_allocated {peak:.2f} GiB\", flush=True)")}};
}

QWidget* StartPage::makeRecordings()
{
    auto* box = new QWidget(this);
    m_kinds = named(new QTabBar(box), "recordingKinds", tr("Kinds of files"));
    m_kinds->setExpanding(false);
    m_about = makeQuietLabel({}, box);
    m_code = new Snippet(box);
    m_code->setMinimumHeight(10 * fontMetrics().height()); // the page keeps its height when the lines change
    connect(m_kinds, &QTabBar::currentChanged, this, [this](int kind) {
        const Recording recording = recordings()[static_cast<std::size_t>(kind)];
        // The invisible word joiners keep options such as "--for" in one line.
        m_about->setText(
            QString(recording.about).replace(QLatin1String("--"), QLatin1String("-&#8288;-&#8288;")));
        m_code->setLines(recording.lines);
    });
    for (const Recording& recording : recordings())
        m_kinds->addTab(recording.kind);
    layColumn(
        box, {makeBoldLabel(tr("Record a file"), box), m_kinds, m_about, m_code, Part::space(1)}, {{}, 8});
    return box;
}

} // namespace highwater::gui
