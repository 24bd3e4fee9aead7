#pragma once

#include <unordered_map>
#include <vector>

#include <QObject>
#include <QTextFormat>
#include <QTextObjectInterface>

#include "app/views/report/report_look.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// The figures of a text document. A figure is one character of the text and is painted as vectors, on paper
/// too. The figures belong to the report.
class FigureObject : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kObjectType = QTextFormat::UserObject + 1;
    /// Property of a character's format: the index of its figure.
    static constexpr int kFigureIndex = QTextFormat::UserProperty + 1;

    explicit FigureObject(QObject* parent = nullptr);

    /// Returns the format of the character that represents the figure. The figure must outlive this object.
    QTextCharFormat add(const ReportFigure& figure);
    /// Returns the figure of a format; null if it has none.
    const ReportFigure* figureOf(const QTextFormat& format) const;
    void setLook(const ReportLook& look) { m_look = look; }

    /// Returns the variant that fits the room: the narrow one (for a phone) if there is one and the wide one
    /// would be too small to read.
    const Figure& pictureOf(const ReportFigure& figure) const;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
        const QTextFormat& format) override;

private:
    QSizeF sizeOf(const Figure& figure) const;
    const Figure& painted(const Figure& figure) const;

    ReportLook m_look;
    std::vector<const ReportFigure*> m_figures;
    mutable std::unordered_map<const Figure*, Figure> m_dark; ///< figures converted for a dark theme
};

} // namespace highwater::gui
