#include "app/views/side_panel/range_panel.h"

#include <algorithm>

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "app/views/parts/arrange.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/base/text_format.h"

namespace highwater::gui {

RangePanel::RangePanel(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
    , m_heading(new QLabel(this))
    , m_grid(new QGridLayout)
    , m_atBegin(addRow(tr("at start"), QStringLiteral("rangeAtBegin"), tr("In use before its first event")))
    , m_born(addRow(tr("+ allocated"), QStringLiteral("rangeBorn"), tr("Allocated in the range")))
    , m_freed(addRow(
          tr("− freed"), QStringLiteral("rangeFreed"), tr("Freed in the range, whenever it was allocated")))
    , m_bornAndFreed(addRow(tr("   of these new"), QStringLiteral("rangeBornAndFreed"),
          tr("Both allocated and freed in the range")))
    , m_atEnd(addRow(tr("= at end"), QStringLiteral("rangeAtEnd"), tr("In use after its last event")))
    , m_surviving(addRow(tr("   of these new"), QStringLiteral("rangeSurviving"),
          tr("Allocated in the range and in use after its last event")))
    , m_leftBehind(new QLabel(this))
    , m_sum(new QLabel(this))
    , m_peak(new QLabel(this))
{
    named(this, "rangePanel", tr("Selected range"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    hide();
}

void RangePanel::layOut()
{
    m_heading->setObjectName(QStringLiteral("rangeHeading"));
    makeBold(*m_heading);
    m_heading->setWordWrap(true);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(3, 1);
    int column = 0;
    for (const QString& title : {tr("In use"), tr("Allocations"), tr("Bytes")}) {
        auto* heading = new QLabel(title, this);
        heading->setProperty("quiet", true);
        m_grid->addWidget(heading, 0, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        ++column;
    }
    m_leftBehind->setObjectName(QStringLiteral("rangeLeftBehind"));
    m_leftBehind->setWordWrap(true);
    m_sum->setObjectName(QStringLiteral("rangeSum"));
    m_sum->setProperty("quiet", true);
    makeSelectable(*m_sum);
    m_peak->setObjectName(QStringLiteral("rangePeak"));
    m_peak->setWordWrap(true);
    connect(m_peak, &QLabel::linkActivated, this,
        [this](const QString& link) { emit eventRequested(link.toLongLong()); });
    auto* zoom
        = named(new QPushButton(tr("Zoom in"), this), "rangeZoom", {}, tr("Show exactly these events"));
    connect(
        zoom, &QPushButton::clicked, this, [this] { emit zoomRequested(m_figures->first, m_figures->last); });
    auto* clearButton = named(
        new QPushButton(tr("Clear"), this), "rangeClear", tr("Clear range"), tr("Clear the selected range"));
    connect(clearButton, &QPushButton::clicked, this, [this] {
        clear();
        emit cleared();
    });
    auto* buttons = layRow(nullptr, {zoom, makeNoteButton(), clearButton, Part::space(1)}, {{}, -1});
    layColumn(this, {m_heading, m_grid, m_leftBehind, m_sum, m_peak, buttons}, {{12, 10, 12, 10}, 6});
}

/// Makes the button for a note; the panel's context menu has the same command.
QPushButton* RangePanel::makeNoteButton()
{
    QAction* note = addContextAction(*this, tr("Add a note on this range"), [this] {
        emit noteRequested(noteAt(NotedRange{m_figures->first, m_figures->last}));
    });
    auto* button = named(new QPushButton(tr("Note"), this), "rangeNote", note->text(), note->text());
    connect(button, &QPushButton::clicked, note, &QAction::trigger);
    return button;
}

RangePanel::Row RangePanel::addRow(const QString& name, const QString& objectName, const QString& tip)
{
    const Row row{new QLabel(name, this), new QLabel(this), new QLabel(this)};
    row.name->setProperty("quiet", true);
    row.bytes->setObjectName(objectName);
    const int line = m_grid->rowCount();
    int column = 0;
    for (QLabel* label : {row.name, row.count, row.bytes}) {
        label->setToolTip(tip);
        label->setAlignment(column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        m_grid->addWidget(label, line, column++);
    }
    return row;
}

void RangePanel::show(std::shared_ptr<const DeviceAnalysis> analysis, std::int64_t first, std::int64_t last,
    const QString& name)
{
    const std::int64_t count = analysis->allocations.eventCount();
    first = std::clamp<std::int64_t>(first, 0, count);
    last = std::clamp<std::int64_t>(last, 0, count);
    if (first >= last) {
        clear();
        return;
    }
    m_task.run([this, analysis, first, last, name]() -> LatestTask::Delivery {
        const RangeFigures figures = rangeFigures(analysis->allocations, analysis->curve, first, last);
        return [this, analysis, figures, name] {
            m_name = name;
            acceptFigures(analysis, figures);
        };
    });
}

void RangePanel::clear()
{
    m_task.drop();
    m_figures.reset();
    hide();
}

QString RangePanel::headingOf(const DeviceAnalysis& analysis) const
{
    const QString range = namedRangeText(m_name, m_figures->first, m_figures->last);
    QString heading = m_name.isEmpty() ? range.left(1).toUpper() + range.mid(1) : range;
    if (analysis.trace->hasTimes(analysis.device)) {
        const auto time = [&](std::int64_t event) {
            return analysis.trace->events.time[analysis.trace->row(analysis.device, event)];
        };
        heading += QStringLiteral(" · ")
            + QString::fromStdString(formatDuration(time(m_figures->last - 1) - time(m_figures->first)));
    }
    return heading;
}

void RangePanel::fillRow(const Row& row, const CountedBytes& figure)
{
    row.count->setText(countText(figure.count));
    row.bytes->setText(bytesText(figure.bytes));
}

void RangePanel::acceptFigures(
    const std::shared_ptr<const DeviceAnalysis>& analysis, const RangeFigures& figures)
{
    m_figures = figures;
    m_heading->setText(headingOf(*analysis));
    fillRow(m_atBegin, figures.atBegin);
    fillRow(m_born, figures.born);
    fillRow(m_freed, figures.freed);
    fillRow(m_bornAndFreed, figures.bornAndFreed);
    fillRow(m_atEnd, figures.atEnd);
    fillRow(m_surviving, figures.surviving);
    showLeftBehind(analysis->steps);
    m_sum->setText(
        tr("In %1: %2 + %3 allocated − %4 freed = %5")
            .arg(quantityText(*analysis), countText(figures.atBegin.bytes), countText(figures.born.bytes),
                countText(figures.freed.bytes), countText(figures.atEnd.bytes)));
    showPeak();
    setVisible(true);
    emit figuresChanged();
}

/// Says of a step how much of its memory the next step does not free either: less than is new at its end.
void RangePanel::showLeftBehind(const StepTable& table)
{
    const auto step = std::ranges::find_if(table.steps,
        [this](const Step& each) { return each.begin == m_figures->first && each.end == m_figures->last; });
    const bool isKnown
        = table.source != StepSource::Whole && step != table.steps.end() && step->leftBehindBytes;
    m_leftBehind->setVisible(isKnown);
    if (isKnown)
        m_leftBehind->setText(
            tr("Left behind: %1 of the %2 new at its end are still %3")
                .arg(bytesText(*step->leftBehindBytes), bytesText(m_figures->surviving.bytes),
                    toQString(table.keptUntilText(static_cast<std::size_t>(step - table.steps.begin())))));
}

void RangePanel::showPeak()
{
    const CurvePeak& peak = m_figures->peak;
    const QString link = QStringLiteral("<a style='color:%1' href='%2'>%3</a>")
                             .arg(m_colors.accent.name(), QString::number(peak.event), eventText(peak.event));
    m_peak->setText(tr("Peak in the range: %1 at %2").arg(bytesText(peak.bytes), link));
}

void RangePanel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    if (m_figures)
        showPeak();
}

} // namespace highwater::gui
