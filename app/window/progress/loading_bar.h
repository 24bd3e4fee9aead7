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

/// In the status bar while something is read: what it is, how far it is, and a way to stop it. What is read
/// must outlive it.
class LoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit LoadingBar(DocumentLoader& loader, QWidget* parent = nullptr);
    /// The other files of a run.
    explicit LoadingBar(RunLoader& run, QWidget* parent = nullptr);
    explicit LoadingBar(SweepSession& sweep, QWidget* parent = nullptr);
    /// The files of a workspace that are looked for.
    explicit LoadingBar(WorkspaceSession& session, QWidget* parent = nullptr);

private:
    struct Texts
    {
        QString name; ///< of the object
        QString cancelName; ///< of the button
        QString whatStays; ///< tooltip of the button
        QString whatEnds; ///< its accessible name
        QString measure; ///< accessible name of the bar; empty: how far it is, only the label says
    };

    LoadingBar(const Texts& texts, QWidget* parent);
    /// 0 of 0: not known.
    void showProgress(double done, double total);

    QLabel* m_label;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
};

} // namespace highwater::gui
