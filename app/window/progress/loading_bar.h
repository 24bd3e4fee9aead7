#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;

namespace highwater::gui {

class DocumentLoader;

/// In the status bar while a file is opened: what is done, how far it is, and a way to stop it.
class LoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit LoadingBar(DocumentLoader& loader, QWidget* parent = nullptr);

private:
    void showProgress(quint64 done, quint64 total);

    QLabel* m_label;
    QProgressBar* m_bar;
};

} // namespace highwater::gui
