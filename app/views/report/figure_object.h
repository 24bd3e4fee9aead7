#pragma once

#include <unordered_map>
#include <vector>

#include <QObject>
#include <QTextFormat>
#include <QTextObjectInterface>

#include "app/views/report/report_look.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// The figures of a document: each is one character in the text and is painted as geometry, also on paper.
class FigureObject : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kObjectType = QTextFormat::UserObject + 1;
    /// Of a character: which figure it is.
    static constexpr int kFigureIndex = QTextFormat::UserProperty + 1;

    explicit FigureObject(QObject* parent = nullptr);

    /// The figure must outlive this object. Returns the format of the character that represents it.
    QTextCharFormat add(const ReportFigure& figure);
    /// Null: the format is that of no figure.
    const ReportFigure* figureOf(const QTextFormat& format) const;
    void setLook(const ReportLook& look) { m_look = look; }

    /// The picture that suits the room: the one for a phone where the other would be too small to read.
    const Figure& pictureOf(const ReportFigure& figure) const;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
        const QTextFormat& format) override;

private:
    QSizeF sizeOf(const Figure& figure) const;
    const Figure& painted(const Figure& figure) const;

    ReportLook m_look;
    std::vector<const ReportFigure*> m_figures;
    mutable std::unordered_map<const Figure*, Figure> m_dark; ///< as they are painted in a dark theme
};

} // namespace highwater::gui
