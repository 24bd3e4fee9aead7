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

/// The report of what is open: what it is to have at the left, what it will look like at the right, and the
/// ways to hand it on.
class ReportView : public Page
{
    Q_OBJECT

public:
    explicit ReportView(QWidget* parent = nullptr);

    ReportSession& session() { return m_session; }
    /// Another subject gets the template that suits it, unless the user has chosen one.
    void setSubject(ReportSubject subject);
    /// As the user left them; their `written` does not matter, nor does their kind where it was not chosen.
    /// Sections stay whatever subject comes, until the user changes them.
    void setOptions(const ReportOptions& options, bool hasChosenTemplate);
    const ReportOptions& options() const { return m_session.options(); }
    /// Whether the user has chosen the kind of report; else it follows from the runs.
    bool hasChosenTemplate() const { return m_hasChosenTemplate; }
    /// Its sections in order, where they are other ones than its template's; else empty.
    std::vector<ReportPart> ownSections() const;
    void setColors(const ThemeColors& colors) override { m_preview->setColors(colors); }
    /// The report on screen is the one that is asked for, and nothing is being written.
    bool isSettled() const override { return !m_session.isBusy() && !m_saving.isBusy(); }

    /// Writes the report off the GUI thread, in the form that the ending of the path says; ends with `saved`
    /// or `failed`.
    void saveTo(const QString& path);
    void copyAsMarkdown() const;
    /// The one in view.
    void copyPicture() const;

    ReportPreview& preview() { return *m_preview; }
    SectionList& sections() { return *m_sections; }
    QComboBox& templates() { return *m_templates; }
    QLineEdit& titleEdit() { return *m_title; }
    QCheckBox& full() { return *m_full; }
    QCheckBox& stripPaths() { return *m_stripPaths; }

    /// The figure in view.
    Picture picture() const override;
    void takeFocus() override { m_preview->setFocus(); }

signals:
    /// The user wants to choose the run's configuration.
    void configurationRequested();
    /// The user has changed the report's options.
    void edited();
    void saved(const QString& path);
    /// `sentence` says why it was not.
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
    bool m_hasChosenTemplate = false; ///< by the user
    std::vector<ReportPart> m_givenSections; ///< those of `setOptions`; empty: they have been changed since
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
    QString m_folder; ///< where the last one was written
};

} // namespace highwater::gui
