#pragma once

#include <vector>

#include <QListWidget>

#include "core/report/model/report_request.h"

namespace highwater::gui {

/// The parts of a report, each with a check box, in an order that the user chooses: by dragging, or with Alt
/// and the arrows. The chosen ones are those that are checked.
class SectionList : public QListWidget
{
    Q_OBJECT

public:
    explicit SectionList(QWidget* parent = nullptr);

    /// The usual parts of the template, then all others unchecked.
    /// `isFull`: the parts of the appendix, too.
    void showTemplate(ReportTemplate kind, bool hasTwoRuns, bool isFull);
    /// These checked and in order, then all others.
    void setChosen(const std::vector<ReportPart>& parts);
    std::vector<ReportPart> chosen() const;
    /// Those chosen that the report does not have: there is nothing to say.
    void markMissing(const std::vector<ReportPart>& present);
    /// Up by one, or with 1 down.
    void moveCurrent(int by);

signals:
    /// Checked, unchecked or moved by the user.
    void chosenChanged();
    /// Take the preview there.
    void sectionRequested(highwater::ReportPart part);

protected:
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static ReportPart partOf(const QListWidgetItem& item);

    bool m_fills = false;
};

} // namespace highwater::gui
