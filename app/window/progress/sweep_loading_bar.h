#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;

namespace highwater::gui {

class SweepSession;

/// In the status bar while several runs are read: which one, how far it is, and a way to stop.
class SweepLoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit SweepLoadingBar(SweepSession& session, QWidget* parent = nullptr);

private:
    void refresh();
    void showProgress(const QString& fileName, quint64 done, quint64 total);

    SweepSession& m_session;
    QLabel* m_label;
    QProgressBar* m_bar;
};

} // namespace highwater::gui
