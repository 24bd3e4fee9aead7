#include "app/views/side_panel/auxiliary_panel.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kLongestOffsetSeconds = 1e10;
constexpr int kMaxRowsHeight = 300;

QIcon colorIcon(const QColor& color)
{
    QPixmap picture(14, 4);
    picture.fill(color);
    return QIcon(picture);
}

/// True if the file's times can be brought on the clock of the device: only then has its offset a meaning.
bool canBePlaced(const AuxiliarySource& source)
{
    return source.suggested.has_value();
}

} // namespace

AuxiliaryPanel::AuxiliaryPanel(AuxiliarySources& sources, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_sources(sources)
    , m_selection(selection)
    , m_scroll(new QScrollArea(this))
    , m_rows(new QWidget)
    , m_levels(new QLabel(this))
{
    named(this, "auxiliaryPanel", tr("Other files of the run"));
    auto* heading = new QLabel(tr("<b>Other files of the run</b>"), this);
    heading->setToolTip(
        tr("This device's memory in other files, on its clock. Alt+drag in the picture moves a "
           "file whose clock is unknown."));
    m_scroll->setAccessibleName(tr("Memory in other files"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_rows);
    makeSelectable(*m_levels);
    m_levels->setObjectName(QStringLiteral("memoryLevels"));
    layColumn(this, {heading, m_scroll, m_levels}, {{10, 8, 10, 8}, -1});
    hide();
    connect(&m_sources, &AuxiliarySources::linesChanged, this, &AuxiliaryPanel::rebuild);
    connect(&m_sources, &AuxiliarySources::sourcesChanged, this, &AuxiliaryPanel::showOffsets);
    connect(&m_selection, &Selection::cursorChanged, this, &AuxiliaryPanel::showLevels);
}

void AuxiliaryPanel::rebuild()
{
    setVisible(std::ranges::any_of(m_sources.sources(), canBePlaced));
    const bool hasSameRows = m_checks.size() == m_sources.lines().size()
        && std::ranges::equal(
            m_offsets, m_sources.sources(), {},
            [](const QDoubleSpinBox* offset) { return offset != nullptr; }, canBePlaced);
    if (hasSameRows) { // keep a row that the user is dragging or typing into
        for (std::size_t i = 0; i < m_checks.size(); ++i)
            m_checks[i]->setIcon(colorIcon(m_sources.lines()[i].color));
        showLevels();
        return;
    }
    m_offsets.clear();
    m_checks.assign(m_sources.lines().size(), nullptr);
    delete m_grid;
    for (QWidget* child : m_rows->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        child->hide();
        child->deleteLater();
    }
    m_grid = new QGridLayout(m_rows);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setColumnStretch(0, 1);
    int row = 0;
    for (std::size_t source = 0; source < m_sources.sources().size(); ++source)
        if (canBePlaced(m_sources.sources()[source]))
            addSource(source, row);
        else
            m_offsets.push_back(nullptr);
    // Reasons wrap, so the grid has no height before it has a width.
    const int lineHeight = fontMetrics().height() + 14;
    const auto sourceCount = static_cast<int>(std::ranges::count_if(m_sources.sources(), canBePlaced));
    const auto lineCount = static_cast<int>(m_sources.lines().size());
    m_scroll->setFixedHeight(std::min(kMaxRowsHeight, (lineCount + 3 * sourceCount) * lineHeight));
    showOffsets();
    showLevels();
    layout()->activate();
    if (QWidget* container = parentWidget(); container && container->layout())
        container->layout()->activate();
}

void AuxiliaryPanel::addSource(std::size_t source, int& row)
{
    const AuxiliarySource& auxiliary = m_sources.sources()[source];
    auto* name = new QLabel(toQString(auxiliary.trace.name), m_rows);
    name->setToolTip(auxiliary.path);
    auto* offset = new QDoubleSpinBox(m_rows);
    offset->setRange(-kLongestOffsetSeconds, kLongestOffsetSeconds);
    offset->setDecimals(3);
    offset->setSingleStep(0.1);
    offset->setSuffix(tr(" s"));
    offset->setKeyboardTracking(false);
    offset->setAccessibleName(tr("Seconds added to the times of %1").arg(toQString(auxiliary.trace.name)));
    connect(offset, &QDoubleSpinBox::valueChanged, this, [this, source](double seconds) {
        m_sources.setOffset(source, static_cast<Nanoseconds>(std::llround(seconds * kNanosecondsPerSecond)));
    });
    m_offsets.push_back(offset);
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(offset, row++, 1);
    bool hasLines = false;
    for (std::size_t line = 0; line < m_sources.lines().size(); ++line)
        if (m_sources.lines()[line].source == source) {
            addLine(line, row++);
            hasLines = true;
        }
    auto* reason = new QLabel(hasLines ? auxiliary.reason : tr("no memory data for this device"), m_rows);
    reason->setWordWrap(true);
    reason->setEnabled(false);
    m_grid->addWidget(reason, row++, 0, 1, 2);
}

void AuxiliaryPanel::addLine(std::size_t line, int row)
{
    const ShownAuxiliary& shownLine = m_sources.lines()[line];
    auto* check = new QCheckBox(toQString(shownLine.line.title), m_rows);
    check->setIcon(colorIcon(shownLine.color));
    check->setChecked(shownLine.shown);
    check->setToolTip(tr("Maximum %1").arg(bytesText(shownLine.line.peakBytes)));
    connect(check, &QCheckBox::toggled, this, [this, line](bool on) { m_sources.setShown(line, on); });
    m_checks[line] = check;
    m_grid->addWidget(check, row, 0, 1, 2);
}

/// Shows the offsets of all sources, without emitting changes.
void AuxiliaryPanel::showOffsets()
{
    for (std::size_t i = 0; i < m_offsets.size() && i < m_sources.sources().size(); ++i) {
        if (!m_offsets[i])
            continue;
        const AuxiliarySource& auxiliary = m_sources.sources()[i];
        const QSignalBlocker blocked(m_offsets[i]);
        // Setting an equal value would rewrite a number that is being typed.
        const double seconds = static_cast<double>(auxiliary.trace.offset) / kNanosecondsPerSecond;
        if (m_offsets[i]->value() != seconds)
            m_offsets[i]->setValue(seconds);
        m_offsets[i]->setToolTip(tr("Seconds added to its times: %1").arg(auxiliary.reason));
    }
}

QString AuxiliaryPanel::levelsText() const
{
    if (!m_selection.cursor() || m_sources.lines().empty())
        return {};
    return toQString(toText(m_sources.levelsAt(*m_selection.cursor())));
}

void AuxiliaryPanel::showLevels()
{
    if (isHidden())
        return;
    const QString text = levelsText();
    m_levels->setText(text.isEmpty() ? QString() : tr("At the cursor: %1").arg(text));
}

} // namespace highwater::gui
