#include "tests/app/labels/shown_texts.h"

#include <algorithm>
#include <cmath>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollBar>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QTextEdit>
#include <QToolTip>

#include <qcustomplot.h>

#include "app/timeline/parts/label_recorder.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui::test {

namespace {

constexpr double kRounding = 1;
constexpr double kReadable = 4.5;
/// Share of a text's background that may differ, such as a grid line or an edge.
constexpr double kUneven = 0.12;
/// Parts of one line of rich text may overlap by this much, because of rounding.
constexpr double kSameLine = 4;
constexpr double kGone = 0.9;
constexpr double kDisturbed = 0.12;

/// While a recorder is set, views paint texts and do not use cached pictures.
class Recording : public LabelRecorder
{
public:
    Recording() { current() = this; }
    ~Recording() override { current() = nullptr; }
    void record(const PaintedLabel&) override { }
};

/// Makes plots paint their layers instead of their cached pixels.
class PlotPainting : public QObject
{
public:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        auto* plot = event->type() == QEvent::Paint ? qobject_cast<QCustomPlot*>(watched) : nullptr;
        if (!plot)
            return false;
        QCPPainter painter(plot);
        plot->toPainter(&painter, plot->width(), plot->height());
        return true;
    }
};

FigureColor rgbOf(const QColor& color)
{
    return color.rgb() & 0xffffff;
}

QColor over(const QColor& ink, const QColor& below)
{
    const float share = ink.alphaF();
    return QColor::fromRgbF(ink.redF() * share + below.redF() * (1 - share),
        ink.greenF() * share + below.greenF() * (1 - share),
        ink.blueF() * share + below.blueF() * (1 - share));
}

/// Returns the contrast that is exceeded everywhere except on kUneven of the background.
double contrastOf(const DrawnText& text)
{
    std::vector<double> contrasts;
    for (int y = 0; y < text.background.height(); ++y)
        for (int x = 0; x < text.background.width(); ++x) {
            const QColor below = text.background.pixelColor(x, y);
            contrasts.push_back(contrast(rgbOf(over(text.color, below)), rgbOf(below)));
        }
    if (contrasts.empty())
        return 21;
    const auto at = static_cast<std::ptrdiff_t>(static_cast<double>(contrasts.size()) * kUneven);
    std::nth_element(contrasts.begin(), contrasts.begin() + at, contrasts.end());
    return contrasts[static_cast<std::size_t>(at)];
}

QWidget* widgetAt(QWidget& window, const QPointF& at)
{
    QWidget* widget = window.childAt(static_cast<int>(at.x()), static_cast<int>(at.y()));
    while (widget && widget->testAttribute(Qt::WA_TransparentForMouseEvents))
        widget = widget->parentWidget();
    return widget ? widget : &window;
}

QString tipAt(QWidget& window, const QPointF& at)
{
    QToolTip::hideText();
    for (QWidget* widget = widgetAt(window, at); widget; widget = widget->parentWidget()) {
        const QPoint inside = widget->mapFrom(&window, at.toPoint());
        QHelpEvent event(QEvent::ToolTip, inside, widget->mapToGlobal(inside));
        QCoreApplication::sendEvent(widget, &event);
        const QString tip = QToolTip::text();
        if (!tip.isEmpty())
            return Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
        if (event.isAccepted() || widget == &window)
            break;
    }
    return {};
}

QString squeezed(QString text)
{
    return text.replace(QChar::Nbsp, QLatin1Char(' ')).simplified();
}

/// Returns the widget's text at this point, if it is known.
QString textOf(QWidget& window, const QPointF& at)
{
    QWidget* widget = widgetAt(window, at);
    const QPoint inside = widget->mapFrom(&window, at.toPoint());
    if (auto* view = qobject_cast<QAbstractItemView*>(widget->parentWidget());
        view && view->viewport() == widget) {
        if (auto* header = qobject_cast<QHeaderView*>(view))
            return header->model()
                ->headerData(header->logicalIndexAt(inside), header->orientation())
                .toString();
        return view->indexAt(inside).data().toString();
    }
    if (const auto* label = qobject_cast<QLabel*>(widget))
        return label->textFormat() == Qt::PlainText
            ? label->text()
            : QTextDocumentFragment::fromHtml(label->text()).toPlainText();
    if (const auto* button = qobject_cast<QAbstractButton*>(widget))
        return button->text().remove(QLatin1Char('&'));
    if (const auto* page = qobject_cast<QTextEdit*>(widget->parentWidget()))
        return page->toPlainText();
    if (const auto* line = qobject_cast<QLineEdit*>(widget))
        return line->text().isEmpty() ? line->placeholderText() : line->text();
    if (const auto* box = qobject_cast<QComboBox*>(widget))
        return box->currentText();
    if (const auto* tabs = qobject_cast<QTabBar*>(widget))
        return tabs->tabText(tabs->tabAt(inside));
    return {};
}

bool isDisabled(QWidget& window, const QPointF& at)
{
    QWidget* widget = widgetAt(window, at);
    const QPoint inside = widget->mapFrom(&window, at.toPoint());
    if (const auto* tabs = qobject_cast<QTabBar*>(widget))
        return !tabs->isTabEnabled(tabs->tabAt(inside));
    if (const auto* menus = qobject_cast<QMenuBar*>(widget)) {
        const QAction* action = menus->actionAt(inside);
        return action && !action->isEnabled();
    }
    return !widget->isEnabled();
}

/// True if the widget can be scrolled in that direction.
bool scrolls(QWidget& window, const QPointF& at, Qt::Orientation way)
{
    for (QWidget* widget = widgetAt(window, at); widget; widget = widget->parentWidget()) {
        if (qobject_cast<QHeaderView*>(widget))
            return way == Qt::Horizontal
                && scrolls(window, widget->mapTo(&window, QPoint(4, widget->height() + 4)), way);
        if (const auto* area = qobject_cast<QAbstractScrollArea*>(widget)) {
            const QScrollBar* bar
                = way == Qt::Horizontal ? area->horizontalScrollBar() : area->verticalScrollBar();
            if (bar->maximum() > bar->minimum())
                return true;
        }
    }
    return false;
}

/// True if the tool tip has all of a shortened text.
bool isToldWhole(QWidget& window, const DrawnText& text, const QPointF& at)
{
    const QString tip = squeezed(tipAt(window, at));
    if (tip.isEmpty())
        return false;
    QString parts = text.text;
    parts.replace(QStringLiteral("..."), QString(QChar(0x2026)));
    parts.replace(QStringLiteral("  "), QString(QChar(0x2026))); // a name and its figure
    for (const QString& part : parts.split(QChar(0x2026), Qt::SkipEmptyParts))
        if (!tip.contains(squeezed(part).trimmed(), Qt::CaseInsensitive)) // a clause may begin a line
            return false;
    return true;
}

/// True if the text is in an area that may be covered: the user's pinned allocation is marked over the
/// timeline, and the details overlap its edge.
bool isOverlaid(QWidget& window, const QRectF& text)
{
    const auto* side = window.findChild<QWidget*>(QStringLiteral("side"));
    if (!side || !side->isVisible())
        return false;
    const QRect details(side->mapTo(&window, QPoint()), side->size());
    const auto* plot = window.findChild<QWidget*>(QStringLiteral("timeline"));
    return details.intersects(text.toAlignedRect())
        || (plot && QRect(plot->mapTo(&window, QPoint()), plot->size()).contains(text.toAlignedRect()));
}

QString cutOf(QWidget& window, const DrawnText& text)
{
    const QPointF at = text.ink.intersected(text.clip).center();
    const bool beside
        = text.ink.left() < text.clip.left() - kRounding || text.ink.right() > text.clip.right() + kRounding;
    const bool above
        = text.ink.top() < text.clip.top() - kRounding || text.ink.bottom() > text.clip.bottom() + kRounding;
    if ((above && !scrolls(window, at, Qt::Vertical)) || (beside && !scrolls(window, at, Qt::Horizontal)))
        return isToldWhole(window, text, at) && !above ? QString() : QStringLiteral("is cut off");
    if (!text.text.contains(QChar(0x2026)))
        return {};
    const QString whole = squeezed(textOf(window, at));
    if (whole.contains(squeezed(text.text)))
        return {};
    return isToldWhole(window, text, at) ? QString() : QStringLiteral("has no tool tip with the whole");
}

} // namespace

std::vector<DrawnText> shownTexts(QWidget& window)
{
    const Recording recording;
    PlotPainting plots;
    for (QCustomPlot* plot : window.findChildren<QCustomPlot*>())
        plot->installEventFilter(&plots);
    TextDevice device(window.size());
    window.render(&device);
    std::vector<DrawnText> texts;
    for (const DrawnText& text : device.texts())
        if (text.hidden < kGone)
            texts.push_back(text);
    return texts;
}

QStringList faultsOf(QWidget& window, const std::vector<DrawnText>& texts)
{
    QStringList faults;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const DrawnText& text = texts[i];
        const QRectF seen = text.ink.intersected(text.clip);
        const QString name
            = QStringLiteral("\"%1\" (%2, %3; %4)")
                  .arg(text.text)
                  .arg(qRound(seen.left()))
                  .arg(qRound(seen.top()))
                  .arg(QString::fromLatin1(widgetAt(window, seen.center())->metaObject()->className()));
        if (text.hidden > kDisturbed && !isOverlaid(window, seen))
            faults << "is painted over: " + name;
        if (const double reached = contrastOf(text);
            reached < kReadable && !isDisabled(window, seen.center()))
            faults << QStringLiteral("hard to read at %1 : 1: ").arg(reached, 0, 'f', 1) + name;
        if (const QString cut = cutOf(window, text); !cut.isEmpty())
            faults << cut + ": " + name;
        for (std::size_t k = 0; k < i; ++k) {
            const QRectF common = seen.intersected(texts[k].ink.intersected(texts[k].clip));
            const bool sameLine = k + 1 == i && qAbs(text.ink.bottom() - texts[k].ink.bottom()) < 6;
            if (common.width() > (sameLine ? kSameLine : kRounding) && common.height() > kRounding)
                faults << "meets \"" + texts[k].text + "\": " + name;
        }
    }
    return faults;
}

} // namespace highwater::gui::test
