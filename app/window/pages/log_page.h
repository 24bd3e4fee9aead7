#pragma once

#include <memory>

#include "app/views/pages/page.h"
#include "app/workspace/document/document.h"

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class Headline;
class LogView;

/// Page for a log that was opened without a recording.
class LogPage : public Page
{
    Q_OBJECT

public:
    explicit LogPage(QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Shows the diagnosis; ignored if it is null or of another document.
    void showDiagnosis(const RunStudy* run);
    const Headline& headline() const { return *m_headline; }
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

private:
    std::shared_ptr<const Document> m_document;
    Headline* m_headline;
    LogView* m_view;
};

} // namespace highwater::gui
