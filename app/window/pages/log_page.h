#pragma once

#include <memory>

#include "app/views/pages/page.h"
#include "app/workspace/document/document.h"
#include "app/workspace/view/band_view.h"

class QLabel;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class FindingsView;
class Headline;
class LogView;
class RunState;
class VerdictBar;

/// Page for a log that was opened without a recording: its diagnosis and main figures, the cause and the next
/// step, and below them the log with a tab for its findings.
class LogPage : public Page
{
    Q_OBJECT

public:
    /// `run` has the study of the log and must outlive the page.
    explicit LogPage(const RunState& run, QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Shows the diagnosis; ignored if it is null or of another document.
    void showDiagnosis(const RunStudy* run);
    const Headline& headline() const;
    LogView& view() { return *m_view; }

    std::vector<NoteSubject> subjects() const override;
    PageOffers offers() const override { return {.another = true}; }
    bool isSettled() const override;
    void setColors(const ThemeColors& colors) override;
    void takeFocus() override;
    void showNotes(const Notes& notes, int chosenNumber) override;
    /// The note names no file: the log itself is the run.
    Note noteHere() const override;
    bool goTo(const Note& note) override;

signals:
    /// Asks for a page of the manual by its file name.
    void manualRequested(const QString& file);

private:
    void connectParts();

    std::shared_ptr<const Document> m_document;
    BandView m_noBands; ///< a log has no bands to highlight
    VerdictBar* m_verdict;
    QLabel* m_advice; ///< cause and next step, which would else be a tab away
    LogView* m_view;
    FindingsView* m_findings;
};

} // namespace highwater::gui
