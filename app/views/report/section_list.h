#pragma once

#include <vector>

#include <QListWidget>

#include "core/report/model/report_request.h"

namespace highwater::gui {

/// The list of all sections of a report, each with a check box. The user can change the order by dragging or
/// with Alt and the arrows. The report contains the checked sections in this order. A section without content
/// is disabled and unchecked; a wanted one is checked again once it has some.
class SectionList : public QListWidget
{
    Q_OBJECT

public:
    explicit SectionList(QWidget* parent = nullptr);

    /// Lists the template's usual sections checked, then all others. With `isFull`, the sections of the
    /// appendix are checked too.
    void showTemplate(ReportTemplate kind, bool hasTwoRuns, bool isFull);
    /// Lists these sections checked and in this order, then all others.
    void setChosen(const std::vector<ReportPart>& parts);
    /// Returns the wanted sections, also those without content.
    std::vector<ReportPart> chosen() const;
    /// Disables the sections among `empty`, which have no content. Gives the sections the titles that a
    /// report with these options has.
    void markEmpty(const std::vector<ReportPart>& empty, const ReportOptions& options);
    /// Moves the current section by this many rows; negative is up. Does nothing if there is no such row.
    void moveCurrent(int by);

signals:
    /// The user checked, unchecked or moved a section.
    void chosenChanged();
    /// Requests to show this section in the preview.
    void sectionRequested(highwater::ReportPart part);

protected:
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static ReportPart partOf(const QListWidgetItem& item);

    bool m_isFilling = false;
};

} // namespace highwater::gui
