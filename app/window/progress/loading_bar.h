#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace highwater::gui {

class DocumentLoader;
class RunLoader;
class SweepSession;
class WorkspaceSession;

/// Progress in the status bar while something is read: its name, how much is done, and a button to cancel.
/// The loader must outlive the bar.
class LoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit LoadingBar(DocumentLoader& loader, QWidget* parent = nullptr);
    /// Shows the progress of the other files of a run.
    explicit LoadingBar(RunLoader& run, QWidget* parent = nullptr);
    explicit LoadingBar(SweepSession& sweep, QWidget* parent = nullptr);
    /// Shows the search for the files of a workspace.
    explicit LoadingBar(WorkspaceSession& session, QWidget* parent = nullptr);

private:
    struct Texts
    {
        QString name; ///< object name of the bar
        QString cancelName; ///< object name of the button
        QString cancelTip; ///< tooltip of the button
        QString cancelAccessibleName; ///< accessible name of the button
        QString progressName; ///< accessible name of the progress bar; empty if only the label shows progress
    };

    LoadingBar(const Texts& texts, QWidget* parent);
    /// Shows `done` of `total`; a total of 0 means that the total is unknown.
    void showProgress(double done, double total);

    QLabel* m_label;
    QProgressBar* m_bar;
    QPushButton* m_cancelButton;
};

} // namespace highwater::gui
