#pragma once

#include <memory>

#include "app/views/pages/page.h"

class QLabel;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class Snippet;

/// The page for a file without memory events, such as an Nsight Systems export recorded without memory use.
/// It says what the file has, why there is no memory to show, and which lines record it.
class RecordingPage : public Page
{
    Q_OBJECT

public:
    explicit RecordingPage(QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Shows the diagnosis once it is known; ignores null and the study of another document.
    void showDiagnosis(const RunStudy* run);
    std::vector<NoteSubject> subjects() const override;
    bool isReportable() const override { return false; }

private:
    std::shared_ptr<const Document> m_document;
    QLabel* m_title;
    QLabel* m_remarks;
    Snippet* m_lines;
};

} // namespace highwater::gui
