#pragma once

#include <QWidget>

class QLabel;

namespace highwater::gui {

class RunLoader;

/// In the status bar while the other files of a run are loaded: how many are, and a way to stop it.
class RunLoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit RunLoadingBar(RunLoader& run, QWidget* parent = nullptr);

private:
    void refresh();

    RunLoader& m_run;
    QLabel* m_label;
};

} // namespace highwater::gui
