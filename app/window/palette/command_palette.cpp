#include "app/window/palette/command_palette.h"

#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocument>
#include <QTreeWidget>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr QSize kPaletteSize(640, 480);

enum Column
{
    Title,
    Detail,
    Kind,
    Columns
};

} // namespace

CommandPalette::CommandPalette(PaletteSources sources, QWidget* parent)
    : QDialog(parent)
    , m_sources(std::move(sources))
    , m_field(named(new QLineEdit(this), "paletteField", tr("Find")))
    , m_hint(named(new QLabel(this), "paletteHint"))
    , m_list(named(new QTreeWidget(this), "paletteList", tr("Found")))
{
    setWindowTitle(tr("Find anything"));
    resize(kPaletteSize);
    m_field->setPlaceholderText(tr("A command, view, step, call site, finding, note, file or event"));
    m_field->installEventFilter(this);
    m_hint->setProperty("quiet", true);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_hint->setMinimumHeight(2 * fontMetrics().lineSpacing()); // keeps the list in place while typing
    makeList();
    layColumn(this, {m_field, m_hint, {m_list, 1}}, {{8, 8, 8, 8}, 8});
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        if (chosen()) // otherwise the palette stays open and says what can be typed
            accept();
    });
    connect(m_list, &QTreeWidget::itemClicked, this, &QDialog::accept);
    m_index.add(std::exchange(m_sources.entries, {}));
    readMore();
    refresh();
}

void CommandPalette::makeList()
{
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setColumnCount(Columns);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideMiddle); // a call site ends with its line
    QHeaderView& header = *m_list->header();
    header.setStretchLastSection(false);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(Title, QHeaderView::Stretch);
}

/// Adds the entries that take long to make, and finds again what is typed by then.
void CommandPalette::readMore()
{
    if (!m_sources.more)
        return;
    m_task.run([this, more = m_sources.more]() -> LatestTask::Delivery {
        auto index = std::make_shared<PaletteIndex>();
        index->add(more());
        return [this, index] {
            m_index.add(std::move(*index));
            m_sources.more = nullptr;
            refresh();
        };
    });
}

void CommandPalette::refresh()
{
    const QString text = m_field->text();
    const bool isTyped = !text.trimmed().isEmpty();
    PaletteIndex::Found found = m_index.find(
        text, kMaxRows, isTyped && m_sources.typed ? m_sources.typed(text) : std::vector<PaletteEntry>());
    m_shown = std::move(found.entries);
    m_hint->setText(hint(found.matchCount));
    m_list->clear();
    for (const PaletteEntry& entry : m_shown)
        addRow(entry);
    for (int row = 0; row < m_list->topLevelItemCount() && !m_list->currentItem(); ++row)
        if (m_shown[static_cast<std::size_t>(row)].isEnabled)
            m_list->setCurrentItem(m_list->topLevelItem(row));
}

/// Says what can be typed if the field is empty or nothing matches, and how many entries match if not all are
/// shown.
QString CommandPalette::hint(std::size_t matchCount) const
{
    const QString examples = m_sources.typed
        ? tr("part of a name, such as \"flame\" or \"step 6\", a line of code (model.py:39), "
             "an event (event 1234), a time (12.5ms) or an address (0x7f3a00001400)")
        : tr("part of the name of a command. Steps, call sites and events can be found while "
             "a run is on screen");
    if (matchCount == 0 && !isComplete())
        return tr("Looking for call sites…");
    if (matchCount == 0)
        return tr("Nothing matches. You can type %1").arg(examples);
    if (m_field->text().trimmed().isEmpty())
        return tr("Type %1").arg(examples);
    return matchCount > m_shown.size()
        ? tr("The best %1 of %2").arg(m_shown.size()).arg(countText(static_cast<std::int64_t>(matchCount)))
        : QString();
}

void CommandPalette::addRow(const PaletteEntry& entry)
{
    auto* row = new QTreeWidgetItem(m_list, {entry.title, entry.detail, entry.kind});
    for (int column = 0; column < Columns; ++column)
        row->setToolTip(column, Qt::convertFromPlainText(entry.title + QLatin1Char('\n') + entry.toolTip));
    // Read out as a whole, because the list has no headings.
    row->setData(Title, Qt::AccessibleTextRole, tr("%1, %2 %3").arg(entry.title, entry.kind, entry.detail));
    row->setTextAlignment(Detail, Qt::AlignRight | Qt::AlignVCenter);
    for (const Column column : {Detail, Kind})
        row->setForeground(column, palette().color(QPalette::PlaceholderText));
    if (!entry.isEnabled)
        row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
}

std::optional<PaletteEntry> CommandPalette::chosen() const
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0 || static_cast<std::size_t>(row) >= m_shown.size())
        return std::nullopt;
    const PaletteEntry& entry = m_shown[static_cast<std::size_t>(row)];
    return entry.isEnabled ? std::optional(entry) : std::nullopt;
}

/// Up and Down move through the list while the keyboard focus stays in the field.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

void runCommandPalette(PaletteSources sources, QWidget* parent)
{
    CommandPalette palette(std::move(sources), parent);
    if (palette.exec() != QDialog::Accepted)
        return;
    if (const std::optional<PaletteEntry> entry = palette.chosen())
        entry->run();
}

} // namespace highwater::gui
