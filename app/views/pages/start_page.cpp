#include "app/views/pages/start_page.h"

#include <QClipboard>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

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
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(24);
    auto* title = new QLabel(tr("Where did the GPU memory go?"), column);
    QFont big = title->font();
    big.setPointSizeF(big.pointSizeF() * 1.8);
    big.setBold(true);
    title->setFont(big);
    layout->addStretch(1);
    layout->addWidget(title);
    layout->addWidget(makeDropArea());
    layout->addWidget(makeRecent());
    layout->addWidget(makeRecording());
    layout->addStretch(2);
    auto* outer = new QHBoxLayout(this);
    outer->addStretch(1);
    outer->addWidget(column, 4);
    outer->addStretch(1);
    connect(&m_recent, &RecentFiles::changed, this, &StartPage::refresh);
    refresh();
}

QWidget* StartPage::makeDropArea()
{
    auto* area = new QFrame(this);
    area->setObjectName(QStringLiteral("dropArea"));
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(24, 28, 24, 28);
    layout->setSpacing(12);
    auto* text = new QLabel(tr("Drop what the run left behind here"), area);
    QFont font = text->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    text->setFont(font);
    auto* open = new QPushButton(tr("Open…"), area);
    open->setObjectName(QStringLiteral("openButton"));
    open->setProperty("primary", true);
    open->setToolTip(tr("Choose a file (Ctrl+O)"));
    open->setAccessibleName(tr("Open a file"));
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    layout->addWidget(text, 0, Qt::AlignHCenter);
    layout->addWidget(open, 0, Qt::AlignHCenter);
    auto* kinds = sentence(tr("Memory snapshots, profiler traces and timelines, Nsight Systems exports, "
                              "logs; several files of one run "
                              "together; plain, gzip or zstd"),
        area);
    kinds->setAlignment(Qt::AlignHCenter);
    layout->addWidget(kinds);
    return area;
}

QWidget* StartPage::makeRecent()
{
    m_recentBox = new QWidget(this);
    auto* layout = new QVBoxLayout(m_recentBox);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading(tr("Recent files"), m_recentBox));
    m_recentList = new QVBoxLayout;
    m_recentList->setSpacing(2);
    layout->addLayout(m_recentList);
    return m_recentBox;
}

void StartPage::setColors(const ThemeColors&)
{
    refresh();
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
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading(tr("How to record a snapshot"), box));
    layout->addWidget(sentence(tr("Put these lines around the training loop. The file is also written when "
                                  "it dies of CUDA out of memory."),
        box));
    auto* code = new QLabel(recordingSnippet(), box);
    code->setObjectName(QStringLiteral("snippet"));
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setTextFormat(Qt::PlainText);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(code);
    auto* copy = new QPushButton(tr("Copy these lines"), box);
    copy->setToolTip(tr("Copy the lines to the clipboard"));
    connect(
        copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(recordingSnippet()); });
    layout->addWidget(copy, 0, Qt::AlignLeft);
    return box;
}

} // namespace highwater::gui
