#pragma once

#include "app/views/pages/page.h"
#include "app/views/report/report_preview.h"
#include "app/workspace/saved/report_session.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSplitter;

namespace highwater::gui {

class SectionList;

/// The page of the report: settings on the left, a preview on the right, and commands to export and copy the
/// report. The ReportSession makes the report off the GUI thread while the page is visible.
class ReportView : public Page
{
    Q_OBJECT

public:
    explicit ReportView(QWidget* parent = nullptr);

    ReportSession& session() { return m_session; }
    /// Sets what the report is about. The template follows the number of runs unless the user has chosen one.
    void setSubject(ReportSubject subject);
    /// Sets kind, sections, title and `stripPaths` from the saved options; ignores the others, and the kind
    /// unless the user has chosen it. The sections stay for every subject until the user changes them.
    void setOptions(const ReportOptions& options, bool hasChosenTemplate);
    const ReportOptions& options() const { return m_session.options(); }
    /// True if the user has chosen the kind of report; otherwise it follows from the runs.
    bool hasChosenTemplate() const { return m_hasChosenTemplate; }
    /// Returns the sections from `setOptions`; once the user has changed them, the chosen ones in order if
    /// they differ from those of the template, else an empty list.
    std::vector<ReportPart> sectionsIfChanged() const;
    void setColors(const ThemeColors& colors) override { m_preview->setColors(colors); }
    /// True if the requested report is on screen and nothing is being written.
    bool isSettled() const override { return !m_session.isBusy() && !m_saving.isBusy(); }

    /// Writes the report off the GUI thread, in the format of the path's extension. Ends with `saved` or
    /// `failed`. Does nothing without a report.
    void saveTo(const QString& path);
    void copyAsMarkdown() const;
    /// Copies the topmost figure in view. Does nothing if there is none.
    void copyPicture();

    ReportPreview& preview() { return *m_preview; }
    SectionList& sections() { return *m_sections; }
    QComboBox& templates() { return *m_templates; }
    QLineEdit& titleEdit() { return *m_title; }
    QCheckBox& full() { return *m_full; }
    QCheckBox& stripPaths() { return *m_stripPaths; }

    /// Returns the topmost figure in view; empty if there is none.
    PictureOffer picture() const override;
    void takeFocus() override { m_preview->setFocus(); }

signals:
    /// The user wants to choose the run's configuration.
    void configurationRequested();
    /// The user changed the report's options.
    void edited();
    void saved(const QString& path);
    /// The report could not be written to `path`; `sentence` is the reason.
    void failed(const QString& path, const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeToolBar();
    QWidget* makeSettings();
    void layOut();
    void connectParts();
    void chooseTemplate();
    void takeSettings();
    void showReport();
    void showBusy();
    void showConfigurationHint();
    void askWhereToSave();

    ReportSession m_session;
    LatestTask m_saving;
    bool m_hasChosenTemplate = false;
    std::vector<ReportPart> m_givenSections; ///< sections from `setOptions`; empty once the user changed them
    QComboBox* m_templates;
    SectionList* m_sections;
    QLineEdit* m_title;
    QCheckBox* m_full;
    QCheckBox* m_stripPaths;
    QLabel* m_hint;
    ReportPreview* m_preview;
    QProgressBar* m_progress;
    QSplitter* m_splitter;
    QAction* m_progressAction = nullptr;
    QAction* m_save = nullptr;
    QAction* m_copyMarkdown = nullptr;
    QAction* m_copyPicture = nullptr;
    QAction* m_zoom = nullptr;
    QAction* m_close = nullptr;
    QString m_folder; ///< folder of the last saved report
};

} // namespace highwater::gui
