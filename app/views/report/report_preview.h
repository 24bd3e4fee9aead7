#pragma once

#include <memory>
#include <optional>

#include <QTextBrowser>

#include "app/views/report/report_text.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A report as it will be read, in the window's theme. Another report stays at the place that the one before
/// was read at. Figures and tables can be copied and saved from the context menu.
class ReportPreview : public QTextBrowser
{
    Q_OBJECT

public:
    static constexpr double kLeastZoom = 0.5;
    static constexpr double kMostZoom = 3;

    explicit ReportPreview(QWidget* parent = nullptr);

    /// Null: `otherwise` is said in its place.
    void showReport(std::shared_ptr<const Report> report, const QString& otherwise = {});
    void setColors(const ThemeColors& colors);
    void setZoom(double zoom);
    double zoom() const { return m_zoom; }
    /// Ignored where the report has no such section.
    void goTo(ReportPart part);
    /// The figure in view that is nearest to the upper edge; null: there is none in view.
    const ReportFigure* figureInView() const;
    /// Null: nothing is shown.
    const ReportText* text() const { return m_text; }

signals:
    void zoomChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// Where the report is read: so far below a heading, in lengths of its section.
    struct Reading
    {
        std::optional<ReportPart> part;
        double share = 0;
    };

    void set();
    void fit();
    double sideMargin() const;
    QMarginsF margins() const;
    double room() const;
    double topOf(int position) const;
    std::pair<double, double> extentOf(std::optional<ReportPart> part) const;
    Reading reading() const;
    void resume(const Reading& reading);

    std::shared_ptr<const Report> m_report;
    QString m_otherwise;
    ThemeColors m_colors = ThemeColors::light();
    double m_zoom = 1;
    ReportText* m_text = nullptr; ///< what is shown; null: it is no report
    QTextDocument* m_shown = nullptr; ///< the same, or words in its place
};

} // namespace highwater::gui
