#include "app/views/pages/start_page.h"

#include <QClipboard>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/views/parts/arrange.h"
#include "app/workspace/document/recent_files.h"

namespace highwater::gui {

namespace {

QLabel* heading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    label->setIndent(0);
    return label;
}

QLabel* sentence(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setProperty("quiet", true);
    return label;
}

} // namespace

StartPage::StartPage(const RecentFiles& recent, QWidget* parent)
    : Page(parent)
    , m_recent(recent)
{
    setObjectName(QStringLiteral("startPage"));
    auto* column = new QWidget(this);
    column->setMaximumWidth(720);
    auto* title = new QLabel(tr("Where did the GPU memory go?"), column);
    makeBold(*title, 1.8);
    layColumn(column, {Part::space(1), title, makeDropArea(), makeRecent(), makeRecording(), Part::space(2)},
        {kStyleMargins, 24});
    layRow(this, {Part::space(1), {column, 4}, Part::space(1)}, {kStyleMargins, -1});
    connect(&m_recent, &RecentFiles::changed, this, &StartPage::refresh);
    refresh();
}

QWidget* StartPage::makeDropArea()
{
    auto* area = new QFrame(this);
    area->setObjectName(QStringLiteral("dropArea"));
    auto* text = new QLabel(tr("Drop what the run left behind here"), area);
    QFont font = text->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    text->setFont(font);
    auto* open = named(
        new QPushButton(tr("Open…"), area), "openButton", tr("Open a file"), tr("Choose a file (Ctrl+O)"));
    open->setProperty("primary", true);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* kinds = sentence(tr("Memory snapshots, profiler traces and timelines, Nsight Systems exports, "
                              "logs; several files of one run together; plain, gzip or zstd"),
        area);
    kinds->setAlignment(Qt::AlignHCenter);
    layColumn(
        area, {{text, 0, Qt::AlignHCenter}, {open, 0, Qt::AlignHCenter}, kinds}, {{24, 28, 24, 28}, 12});
    return area;
}

QWidget* StartPage::makeRecent()
{
    m_recentBox = new QWidget(this);
    m_recentList = new QVBoxLayout;
    m_recentList->setSpacing(2);
    layColumn(m_recentBox, {heading(tr("Recent files"), m_recentBox), m_recentList}, {{}, -1});
    return m_recentBox;
}

void StartPage::refresh()
{
    while (QLayoutItem* item = m_recentList->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    constexpr int shown = 6;
    for (const QString& path : m_recent.paths().mid(0, shown)) {
        const QFileInfo file(path);
        auto* link = new QLabel(QStringLiteral("<a href='open'>%1</a> &nbsp;<span>%2</span>")
                                    .arg(file.fileName().toHtmlEscaped(), file.path().toHtmlEscaped()),
            m_recentBox);
        link->setAccessibleName(tr("Open %1").arg(file.fileName()));
        link->setToolTip(path);
        link->setProperty("quiet", true);
        link->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        connect(link, &QLabel::linkActivated, this, [this, path] { emit fileRequested(path); });
        m_recentList->addWidget(link);
    }
    m_recentBox->setVisible(!m_recent.paths().isEmpty());
}

QString StartPage::recordingSnippet()
{
    return QStringLiteral("torch.cuda.memory._record_memory_history(max_entries=1_000_000)\n"
                          "try:\n"
                          "    train()\n"
                          "finally:\n"
                          "    torch.cuda.memory._dump_snapshot(\"snapshot.pickle\")");
}

QWidget* StartPage::makeRecording()
{
    auto* box = new QWidget(this);
    auto* code = new QLabel(recordingSnippet(), box);
    code->setObjectName(QStringLiteral("snippet"));
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setTextFormat(Qt::PlainText);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* copy = new QPushButton(tr("Copy these lines"), box);
    copy->setToolTip(tr("Copy the lines to the clipboard"));
    connect(
        copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(recordingSnippet()); });
    layColumn(box,
        {heading(tr("How to record a snapshot"), box),
            sentence(tr("Put these lines around the training loop. The file is also written when it dies of "
                        "CUDA out of memory."),
                box),
            code, {copy, 0, Qt::AlignLeft}},
        {{}, -1});
    return box;
}

} // namespace highwater::gui
