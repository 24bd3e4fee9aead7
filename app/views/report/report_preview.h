#pragma once

#include <memory>
#include <optional>

#include <QTextBrowser>

#include "app/views/report/report_text.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Shows the report in the window's theme. A new report, another width or another zoom keeps the reading
/// position, unless the section at the top is gone. The context menu copies figures and tables, and saves
/// figures.
class ReportPreview : public QTextBrowser
{
    Q_OBJECT

public:
    static constexpr double kLeastZoom = 0.5;
    static constexpr double kMaxZoom = 3;

    explicit ReportPreview(QWidget* parent = nullptr);

    /// Shows the report; if it is null, shows `otherwise` instead.
    void showReport(std::shared_ptr<const Report> report, const QString& otherwise = {});
    void setColors(const ThemeColors& colors);
    /// Sets the zoom, limited to `kLeastZoom` and `kMaxZoom`.
    void setZoom(double zoom);
    double zoom() const { return m_zoom; }
    /// Scrolls to a section; does nothing if the report does not have the section.
    void goTo(ReportPart part);
    /// Returns the topmost figure in view; null if there is none. O(paragraphs).
    const ReportFigure* figureInView() const;
    /// Returns the text of the report; null if no report is shown.
    const ReportText* text() const { return m_text; }

signals:
    void zoomChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// The reading position: the section at the top of the view, and the share of the section that is above
    /// the view.
    struct Reading
    {
        std::optional<ReportPart> part;
        double share = 0;
    };

    void rebuild();
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
    ReportText* m_text = nullptr; ///< null if no report is shown
    QTextDocument* m_shown = nullptr; ///< m_text, or the text shown instead
};

} // namespace highwater::gui
