#include "app/views/compare/color_key.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <QEvent>
#include <QStringList>

#include "app/views/charts/legend_rows.h"

namespace highwater::gui {

ColorKey::ColorKey(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(QStringLiteral("compareLegend"));
    setTextFormat(Qt::RichText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // it must not widen the window
    setContentsMargins(14, 0, 14, 4);
}

void ColorKey::setEntries(std::vector<Entry> entries, const QString& remark)
{
    m_entries = std::move(entries);
    m_remark = remark;
    setVisible(!m_entries.empty());
    fit();
}

void ColorKey::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    fit();
}

void ColorKey::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

QString ColorKey::Entry::swatch() const
{
    return isBand() ? QStringLiteral("■") : isLine ? QStringLiteral("▔") : QStringLiteral("▨");
}

/// Leaves out the bands with the fewest bytes until the other entries fit.
void ColorKey::fit()
{
    std::vector<Entry> shown = m_entries;
    QStringList leftOut;
    const auto leftOutCount = [&leftOut] { return static_cast<std::size_t>(leftOut.size()); };
    while (shown.size() > 1
        && fontMetrics().horizontalAdvance(lineOf(shown, leftOutCount(), false)) > contentsRect().width()) {
        const auto least = std::ranges::min_element(shown, {}, [](const Entry& entry) {
            return entry.isBand() ? entry.bytes : std::numeric_limits<Bytes>::max();
        });
        leftOut << least->label;
        shown.erase(least);
    }
    setText(lineOf(shown, leftOutCount(), true));
    QStringList tip;
    if (!leftOut.isEmpty())
        tip << leftOut.join(QStringLiteral(", "));
    if (!m_remark.isEmpty())
        tip << m_remark;
    setToolTip(tip.join(QLatin1Char('\n')));
}

/// Returns the row of entries as rich text, or as plain text of the same width.
QString ColorKey::lineOf(const std::vector<Entry>& entries, std::size_t leftOut, bool isRich)
{
    QStringList parts;
    for (const Entry& entry : entries) {
        if (!isRich)
            parts << entry.swatch() + QLatin1Char(' ') + entry.label;
        else if (entry.color.isEmpty())
            parts << entry.swatch() + QLatin1Char(' ') + entry.label.toHtmlEscaped();
        else
            parts << QStringLiteral("<span style='color:%1'>%2</span> %3")
                         .arg(entry.color, entry.swatch(), entry.label.toHtmlEscaped());
    }
    if (leftOut > 0)
        parts << moreText(leftOut);
    return parts.join(isRich ? QStringLiteral(" &nbsp; ") : QStringLiteral("   "));
}

} // namespace highwater::gui
