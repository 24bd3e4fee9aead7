#include "app/views/charts/flame_chart.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/box_label.h"
#include "app/views/picture/hatching.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr double kNarrowestBox = 0.5; ///< in pixels; narrower ones are merged
constexpr double kNarrowestLabel = 24; ///< width of a box with a label, in pixels

/// Returns the node of `tree` with the same path of functions as `node` in `previous`, or its nearest
/// ancestor that exists in `tree`.
std::uint32_t counterpartOf(const CallTree& previous, std::uint32_t node, const CallTree& tree)
{
    std::uint32_t reached = CallTree::kRoot;
    for (const std::uint32_t onPath : previous.pathTo(node)) {
        const CallNode& parent = tree.nodes[reached];
        std::uint32_t child = parent.firstChild;
        const std::uint32_t end = parent.firstChild + parent.childCount;
        while (child < end && tree.label(child) != previous.label(onPath))
            ++child;
        if (child == end)
            return reached;
        reached = child;
    }
    return reached;
}

} // namespace

FlameChart::FlameChart(QWidget* parent)
    : QWidget(parent)
{
    named(this, "flameChart", tr("Flame graph"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

int FlameChart::rowHeight() const
{
    return fontMetrics().height() + 5;
}

QSize FlameChart::sizeHint() const
{
    int rows = 1;
    for (const FlameBox& box : m_boxes)
        rows = std::max(rows, box.row + 1);
    return {400, rows * rowHeight() + 4};
}

void FlameChart::setTree(std::shared_ptr<const CallTree> tree, FlameWeight weight)
{
    const std::uint32_t focus = m_tree && tree ? counterpartOf(*m_tree, m_focus, *tree) : CallTree::kRoot;
    m_tree = std::move(tree);
    m_weight = weight;
    m_focus = focus;
    m_chosen.reset();
    m_hovered.reset();
    m_nodeColors.clear();
    m_keptShares.clear();
    m_words = {};
    setSearch(m_search);
    layOut();
}

void FlameChart::setSearch(const QString& text)
{
    m_search = text;
    m_matches = m_tree ? FunctionMatches(m_tree->functions, text) : FunctionMatches();
    update();
}

void FlameChart::setChains(FlameChains chains)
{
    m_chains = chains;
    layOut();
}

void FlameChart::setNodeColors(std::vector<QRgb> colors)
{
    m_nodeColors = std::move(colors);
    update();
}

double FlameChart::keptShare(const FlameBox& box) const
{
    return box.isMerged() || box.node >= m_keptShares.size() ? 0 : m_keptShares[box.node];
}

void FlameChart::setWords(FlameWords words)
{
    m_words = std::move(words);
    update();
}

void FlameChart::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void FlameChart::setFocusNode(std::uint32_t node)
{
    if (!m_tree || node >= m_tree->nodes.size() || node == m_focus)
        return;
    m_focus = node;
    m_hovered.reset();
    layOut();
}

void FlameChart::goBack()
{
    if (!canGoBack())
        return;
    std::uint32_t node = m_tree->nodes[m_focus].parent;
    while (node != CallTree::kRoot
        && m_tree->nodes[m_tree->nodes[node].parent].total == m_tree->nodes[node].total)
        node = m_tree->nodes[node].parent;
    setFocusNode(node);
}

void FlameChart::layOut()
{
    m_boxes = m_tree ? flameLayout(*m_tree, m_weight, m_focus, width(), kNarrowestBox, m_chains)
                     : std::vector<FlameBox>();
    setMinimumHeight(sizeHint().height());
    updateGeometry();
    update();
}

void FlameChart::resizeEvent(QResizeEvent* event)
{
    if (event->size().width() != event->oldSize().width())
        layOut();
}

QRectF FlameChart::rectOf(const FlameBox& box) const
{
    const double gap = box.width > 4 ? 1 : 0;
    return {box.x, static_cast<double>(box.row * rowHeight()), box.width - gap,
        static_cast<double>(rowHeight() - 1)};
}

const FlameBox* FlameChart::boxAt(const QPointF& position) const
{
    for (const FlameBox& box : m_boxes)
        if (rectOf(box).contains(position))
            return &box;
    return nullptr;
}

const FlameBox* FlameChart::boxOf(std::uint32_t node) const
{
    const auto found = std::find_if(
        m_boxes.begin(), m_boxes.end(), [&](const FlameBox& box) { return hasFrame(box, node); });
    return found == m_boxes.end() ? nullptr : &*found;
}

bool FlameChart::hasFrame(const FlameBox& box, std::uint32_t node) const
{
    if (box.isMerged() || node < box.node || node > box.innermost)
        return false;
    const std::vector<std::uint32_t> frames = framesOf(*m_tree, box);
    return std::ranges::count(frames, node) > 0;
}

QRgb FlameChart::colorOf(const FlameBox& box) const
{
    if (box.isMerged() || box.node >= m_nodeColors.size() || qAlpha(m_nodeColors[box.node]) == 0)
        return m_colors.plainFill().rgb();
    const auto isMatch
        = [this](std::uint32_t node) { return m_matches.contains(m_tree->nodes[node].function); };
    if (!m_search.isEmpty() && box.node != CallTree::kRoot
        && std::ranges::none_of(framesOf(*m_tree, box), isMatch))
        return m_colors.hover.rgb();
    return m_nodeColors[box.node];
}

QString FlameChart::nameOf(std::uint32_t node) const
{
    return QString::fromStdString(m_tree->label(node));
}

/// Returns "forward (model.py:39)", or "main … training_step (trainer.py:180) (4 frames)" for a folded chain.
QString FlameChart::labelOf(const FlameBox& box) const
{
    if (box.isMerged())
        return tr("… %1 more").arg(countText(box.mergedCount));
    if (box.node == CallTree::kRoot)
        return m_words.root.isEmpty() ? tr("all, %1").arg(bytesText(m_tree->nodes.front().total.bytes))
                                      : m_words.root;
    if (!box.isFolded())
        return nameOf(box.node);
    return tr("%1 … %2 (%3 frames)")
        .arg(QString::fromStdString(m_tree->functionOf(m_tree->nodes[box.node]).name), nameOf(box.innermost),
            countText(box.frameCount));
}

QString FlameChart::sizeOf(const FlameBox& box) const
{
    if (box.isMerged() || box.node == CallTree::kRoot)
        return {};
    if (m_words.size)
        return m_words.size(box.node);
    return m_weight == FlameWeight::Size
        ? bytesText(box.weight)
        : QString::fromStdString(formatShare(box.weight, weightOf(m_tree->nodes.front().total, m_weight)));
}

QString FlameChart::textOf(const FlameBox& box, int room) const
{
    QString label = labelOf(box);
    const auto fits
        = [&] { return fontMetrics().horizontalAdvance(label + QStringLiteral("  ") + sizeOf(box)) <= room; };
    if (box.isMerged() && !fits())
        return {};
    if (box.isFolded() && !fits())
        label = QStringLiteral("… ") + nameOf(box.innermost);
    if (box.isFolded() && !fits())
        label = nameOf(box.innermost); // without "… ", since its end is cut as well
    return fittingLabel(fontMetrics(), label, sizeOf(box), room);
}

void FlameChart::paintBox(QPainter& painter, const FlameBox& box) const
{
    const QRectF rect = rectOf(box);
    QColor color = QColor::fromRgb(colorOf(box));
    painter.fillRect(rect, color);
    if (const double share = keptShare(box); share > 0 && color.rgb() != m_colors.hover.rgb()) {
        const FigureColor plain = color.rgb() & 0xffffff;
        const QColor kept = QColor::fromRgb(keptColor({plain, plain}).light);
        paintKept(painter, rect, share, kept, m_colors.ground());
        color = share > 0.5 ? kept : color; // the label is mostly on it
    }
    if (m_chosen && hasFrame(box, *m_chosen)) {
        painter.setPen(QPen(m_colors.text, 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
    if (rect.width() >= kNarrowestLabel)
        paintBoxLabel(painter, rect.adjusted(4, 0, -2, 0), color, m_colors.ground(),
            textOf(box, static_cast<int>(rect.width()) - 6), labelOf(box));
}

void FlameChart::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_colors.surface);
    for (const FlameBox& box : m_boxes)
        if (rectOf(box).intersects(event->rect()))
            paintBox(painter, box);
    if (m_hovered) {
        painter.setPen(m_colors.text);
        painter.drawRect(m_hovered->adjusted(0, 0, -1, -1));
    }
}

QString FlameChart::tip(const FlameBox& box) const
{
    const CallNode& node = m_tree->nodes[box.node];
    const std::int64_t wholeWeight = weightOf(m_tree->nodes.front().total, m_weight);
    const QString share = QString::fromStdString(formatShare(box.weight, wholeWeight));
    if (box.isMerged())
        return tr("%1 too narrow to show: %2 of the whole")
            .arg(countedText(box.mergedCount, "function", "functions"), share);
    if (m_words.tip)
        return m_words.tip(box.node);
    QStringList frames;
    for (const std::uint32_t frame : framesOf(*m_tree, box))
        frames << nameOf(frame);
    QString text = frames.join(QLatin1Char('\n'));
    if (box.node != CallTree::kRoot && !box.isFolded() && !m_tree->functionOf(node).file.empty())
        text += QLatin1Char('\n') + QString::fromStdString(m_tree->functionOf(node).file);
    text += tr("\n%1 in %2")
                .arg(bytesText(node.total.bytes), countedText(node.total.count, "allocation", "allocations"));
    text += m_weight == FlameWeight::Size ? tr(", %1 of all bytes").arg(share)
                                          : tr("\n%1 of all bytes × lifetime").arg(share);
    if (box.isFolded())
        text += tr("\nClick: unfold the %1 frames").arg(countText(box.frameCount));
    if (node.self.bytes > 0 && node.childCount > 0)
        text += tr("\n%1 of it allocated by the function itself").arg(bytesText(node.self.bytes));
    if (const double kept = keptShare(box) * static_cast<double>(node.total.bytes); kept > 0)
        text += tr("\n%1 of it kept from earlier steps (hatched)").arg(bytesText(std::llround(kept)));
    return text;
}

void FlameChart::choose(std::uint32_t node)
{
    m_chosen = node;
    update();
    emit nodeChosen(node);
}

void FlameChart::mousePressEvent(QMouseEvent* event)
{
    const FlameBox* box = boxAt(event->position());
    if (!box || event->button() != Qt::LeftButton)
        return;
    const std::uint32_t node = box->node;
    setFocusNode(node);
    choose(node);
}

void FlameChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const FlameBox* box = boxAt(event->position()); box && event->button() == Qt::LeftButton)
        emit nodeOpened(box->node);
}

void FlameChart::mouseMoveEvent(QMouseEvent* event)
{
    const FlameBox* box = boxAt(event->position());
    const std::optional<QRectF> hovered = box ? std::optional(rectOf(*box)) : std::nullopt;
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    setCursor(box ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FlameChart::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

bool FlameChart::event(QEvent* event)
{
    const auto tipAt = [this](const QPoint& position) {
        const FlameBox* box = boxAt(position);
        return box ? tip(*box) : QString();
    };
    return keepKeys(*event, {Qt::Key_Left, Qt::Key_Right}) || showTip(*event, *this, tipAt)
        || QWidget::event(event);
}

/// Chooses a neighbour of the chosen box: Up and Down go to the parent and the first child, Left and Right
/// stay in the row.
void FlameChart::chooseNeighbour(int key)
{
    const FlameBox* current = boxOf(m_chosen.value_or(m_focus));
    if (!current)
        return;
    const FlameBox* next = nullptr;
    for (const FlameBox& box : m_boxes) {
        if (box.isMerged())
            continue;
        const bool isChild
            = m_tree->nodes[box.node].parent == current->innermost && box.row == current->row + 1;
        if ((key == Qt::Key_Up && box.innermost == m_tree->nodes[current->node].parent && current->row > 0)
            || (key == Qt::Key_Down && isChild && !next)
            || (key == Qt::Key_Right && box.row == current->row && box.x > current->x && !next)
            || (key == Qt::Key_Left && box.row == current->row && box.x < current->x))
            next = &box;
    }
    if (next)
        choose(next->node);
}

void FlameChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (m_tree && !m_boxes.empty())
            chooseNeighbour(event->key());
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen)
            setFocusNode(*m_chosen);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace highwater::gui
