#include "app/views/compare/diff_flame_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

#include "app/views/charts/frame_detail_titles.h"
#include "app/views/compare/diff_colors.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

/// The legend of the colours: "shrank ▇▇▇▇▇▇▇▇▇ grew  grey: same · stronger: larger change".
class ChangeLegend : public QWidget
{
public:
    explicit ChangeLegend(QWidget* parent)
        : QWidget(parent)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAccessibleName(lessText() + QStringLiteral(", ") + moreText() + QStringLiteral(", ") + keyText());
        setToolTip(tr("Width: bytes in the run in which the function has more.\n"
                      "Colour: change relative to the largest change of any function."));
    }
    void setColors(const ThemeColors& colors)
    {
        m_colors = colors;
        update();
    }
    QSize sizeHint() const override { return {wholeWidth(), fontMetrics().height() + 4}; }
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(m_colors.quietText);
        int x = paintText(painter, 0, lessText()) + kGap;
        const int top = (height() - kSwatch) / 2;
        for (int i = -kSteps; i <= kSteps; ++i) {
            // Squares the steps, because `changeColor` takes the square root; this way the swatches differ
            // evenly.
            const double share = static_cast<double>(i * std::abs(i)) / (kSteps * kSteps);
            painter.fillRect(x, top, kSwatch, kSwatch, changeColor(share, m_colors));
            x += kSwatch;
        }
        x = paintText(painter, x + kGap, moreText());
        paintText(painter, x + 2 * kGap, keyText());
    }

private:
    static constexpr int kSteps = 4;
    static constexpr int kSwatch = 12;
    static constexpr int kGap = 6;

    static QString lessText() { return tr("shrank"); }
    static QString moreText() { return tr("grew"); }
    static QString keyText() { return tr("grey: same · stronger: larger change"); }

    int wholeWidth() const
    {
        return fontMetrics().horizontalAdvance(lessText() + moreText() + keyText())
            + (2 * kSteps + 1) * kSwatch + 4 * kGap;
    }

    /// Paints the text and returns its right end.
    int paintText(QPainter& painter, int x, const QString& text) const
    {
        const QString fitting = shortenedTo(std::max(0, width() - x), text, fontMetrics());
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, fitting);
        return x + fontMetrics().horizontalAdvance(fitting);
    }

    ThemeColors m_colors = ThemeColors::light();
};

DiffFlameView::DiffFlameView(QWidget* parent)
    : QWidget(parent)
    , m_direction(new QButtonGroup(this))
    , m_detail(new QComboBox(this))
    , m_legend(new ChangeLegend(this))
    , m_chart(new FlameChart)
{
    setAccessibleName(tr("What changed, as a flame graph"));
    m_chart->setAccessibleName(tr("Flame graph of the difference"));
    auto* page = new QWidget(this);
    m_scroll = fillWithScrollArea(m_chart, page);
    setFocusProxy(m_chart);
    layColumn(this, {makeRow(), {page, 1}});
}

QWidget* DiffFlameView::makeRow()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(14, 4, 14, 6);
    layout->setSpacing(2);
    const auto addDirection = [&](CallDirection direction, const QString& title, const QString& tip) {
        auto* button = new QToolButton(row);
        button->setObjectName(QStringLiteral("diffFlameDirection%1").arg(static_cast<int>(direction)));
        button->setText(title);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setChecked(direction == m_options.direction);
        button->setProperty("segment", true);
        m_direction->addButton(button, static_cast<int>(direction));
        layout->addWidget(button);
    };
    addDirection(CallDirection::TopDown, tr("Top-down"), tr("From the outermost function to its callees"));
    addDirection(
        CallDirection::BottomUp, tr("Bottom-up"), tr("From the allocating functions to their callers"));
    named(m_detail, "diffFlameDetail", tr("Which frames are shown"), tr("Which frames are shown"));
    for (const auto& [title, detail] : frameDetailTitles())
        m_detail->addItem(title, static_cast<int>(detail));
    layout->addSpacing(6);
    layout->addWidget(m_detail);
    layout->addSpacing(14);
    layout->addWidget(m_legend, 1);
    connect(m_direction, &QButtonGroup::idClicked, this, &DiffFlameView::takeOptions);
    connect(m_detail, &QComboBox::currentIndexChanged, this, &DiffFlameView::takeOptions);
    return row;
}

void DiffFlameView::takeOptions()
{
    const DiffTreeOptions options{static_cast<CallDirection>(m_direction->checkedId()),
        static_cast<FrameDetail>(m_detail->currentData().toInt())};
    if (options == m_options)
        return;
    m_options = options;
    emit optionsChanged();
}

void DiffFlameView::setTree(std::shared_ptr<const DiffTree> tree, const SideNames& names)
{
    m_tree = std::move(tree);
    // The alias keeps the whole DiffTree alive as long as the chart uses its tree.
    m_chart->setTree(
        m_tree ? std::shared_ptr<const CallTree>(m_tree, &m_tree->tree) : nullptr, FlameWeight::Size);
    if (!m_tree)
        return;
    m_chart->setWords({tr("all, %1 → %2 (%3)")
                           .arg(bytesText(m_tree->before.total.front().bytes),
                               bytesText(m_tree->after.total.front().bytes),
                               QString::fromStdString(formatBytesDelta(m_tree->delta(CallTree::kRoot)))),
        [shownTree = m_tree, names](std::uint32_t node) { return diffTip(*shownTree, node, names); },
        [shownTree = m_tree](std::uint32_t node) { return diffSize(*shownTree, node); }});
    paintNodes();
}

void DiffFlameView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_legend->setColors(colors);
    m_chart->setColors(colors);
    setScrollBackground(*m_scroll, colors.surface);
    paintNodes();
}

void DiffFlameView::paintNodes()
{
    if (m_tree)
        m_chart->setNodeColors(changeColors(*m_tree, m_colors));
}

void DiffFlameView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_chart->canGoBack())
        m_chart->goBack();
    else
        QWidget::keyPressEvent(event);
}

bool DiffFlameView::event(QEvent* event)
{
    // Events come also while the constructor makes the children, before there is a chart.
    const bool canUseKey = event->type() == QEvent::ShortcutOverride && m_chart->canGoBack();
    return (canUseKey && keepKeys(*event, {Qt::Key_Escape})) || QWidget::event(event);
}

QString diffSize(const DiffTree& diff, std::uint32_t node)
{
    const Bytes delta = diff.delta(node);
    return delta == 0 ? bytesText(diff.after.total[node].bytes)
                      : QString::fromStdString(formatBytesDelta(delta));
}

QString diffTip(const DiffTree& diff, std::uint32_t node, const SideNames& names)
{
    const auto amount = [&](const std::string& side, const CallWeight& weight) {
        return toQString(names.with(
            side, formatBytes(weight.bytes) + " in " + counted(weight.count, "allocation", "allocations")));
    };
    const auto change = [&](const CallWeight& before, const CallWeight& after) {
        return DiffFlameView::tr("%1 → %2 (%3)")
            .arg(amount(names.before, before), amount(names.after, after),
                QString::fromStdString(formatBytesDelta(after.bytes - before.bytes)));
    };
    QString tip = toQString(diff.tree.label(node)) + QLatin1Char('\n')
        + change(diff.before.total[node], diff.after.total[node]);
    if (const DiffStatus status = diff.status(node); status == DiffStatus::New || status == DiffStatus::Gone)
        tip += QStringLiteral(" · ") + toQString(toText(status));
    const bool callsOthers = diff.tree.nodes[node].childCount > 0;
    if (callsOthers && (diff.before.self[node].count > 0 || diff.after.self[node].count > 0))
        tip += DiffFlameView::tr("\nby itself ") + change(diff.before.self[node], diff.after.self[node]);
    return tip;
}

} // namespace highwater::gui
