#include "app/views/report/section_list.h"

#include <algorithm>

#include <QDropEvent>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kIsWanted
    = Qt::UserRole + 1; ///< the user or the template wants the section, even if it is empty
} // namespace

SectionList::SectionList(QWidget* parent)
    : QListWidget(parent)
{
    named(this, "reportSections", tr("Sections of the report"),
        tr("Check the sections to include; drag a section, or press Alt with an arrow, to move it"));
    setDragDropMode(QAbstractItemView::InternalMove);
    setDefaultDropAction(Qt::MoveAction);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSpacing(1);
    connect(this, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        if (m_isFilling)
            return;
        {
            const QScopedValueRollback<bool> filling(m_isFilling, true);
            item->setData(kIsWanted, item->checkState() == Qt::Checked);
        }
        emit chosenChanged();
    });
    connect(this, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && !m_isFilling)
            emit sectionRequested(partOf(*item));
    });
}

ReportPart SectionList::partOf(const QListWidgetItem& item)
{
    return static_cast<ReportPart>(item.data(Qt::UserRole).toInt());
}

void SectionList::showTemplate(ReportTemplate kind, bool hasTwoRuns, bool isFull)
{
    std::vector<ReportPart> parts = usualParts(kind, hasTwoRuns);
    if (isFull)
        for (const ReportPart part : appendixParts(kind))
            parts.push_back(part);
    setChosen(parts);
}

void SectionList::setChosen(const std::vector<ReportPart>& parts)
{
    const QScopedValueRollback<bool> filling(m_isFilling, true);
    clear();
    const auto add = [this](ReportPart part, bool checked) {
        auto* item = new QListWidgetItem(toQString(titleOf(part)), this);
        item->setData(Qt::UserRole, static_cast<int>(part));
        item->setFlags(
            Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
        item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
        item->setData(kIsWanted, checked);
    };
    for (const ReportPart part : parts)
        add(part, true);
    for (std::size_t i = 0; i < kReportPartCount; ++i)
        if (const auto part = static_cast<ReportPart>(i); std::ranges::find(parts, part) == parts.end())
            add(part, false);
}

std::vector<ReportPart> SectionList::chosen() const
{
    std::vector<ReportPart> parts;
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(kIsWanted).toBool())
            parts.push_back(partOf(*item(row)));
    return parts;
}

void SectionList::markEmpty(const std::vector<ReportPart>& empty, const ReportOptions& options)
{
    const QScopedValueRollback<bool> filling(m_isFilling, true);
    for (int row = 0; row < count(); ++row) {
        QListWidgetItem& section = *item(row);
        const bool isWanted = section.data(kIsWanted).toBool();
        const bool isEmpty = std::ranges::find(empty, partOf(section)) != empty.end();
        section.setFlags(section.flags().setFlag(Qt::ItemIsEnabled, !isEmpty));
        section.setCheckState(isWanted && !isEmpty ? Qt::Checked : Qt::Unchecked);
        const QString title = toQString(titleOf(partOf(section), options));
        section.setForeground(palette().brush(QPalette::Active,
            isEmpty ? QPalette::PlaceholderText : QPalette::Text)); // readable, unlike disabled
        section.setText(isEmpty ? tr("%1 (empty)").arg(title) : title);
        section.setToolTip(isEmpty ? tr("The report has nothing to show here") : toolTip());
    }
}

void SectionList::moveCurrent(int by)
{
    const int row = currentRow();
    const int newRow = row + by;
    if (row < 0 || newRow < 0 || newRow >= count())
        return;
    {
        const QScopedValueRollback<bool> filling(m_isFilling, true);
        insertItem(newRow, takeItem(row));
        setCurrentRow(newRow);
    }
    emit chosenChanged();
}

void SectionList::dropEvent(QDropEvent* event)
{
    {
        const QScopedValueRollback<bool> filling(m_isFilling, true);
        QListWidget::dropEvent(event);
    }
    emit chosenChanged();
}

void SectionList::keyPressEvent(QKeyEvent* event)
{
    const bool isMove = event->modifiers() & Qt::AltModifier;
    if (isMove && event->key() == Qt::Key_Up)
        moveCurrent(-1);
    else if (isMove && event->key() == Qt::Key_Down)
        moveCurrent(1);
    else
        QListWidget::keyPressEvent(event);
}

} // namespace highwater::gui
