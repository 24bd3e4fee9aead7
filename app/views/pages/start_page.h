#pragma once

#include "app/views/pages/page.h"

class QVBoxLayout;

namespace highwater::gui {

class RecentFiles;

/// What is shown while no file is open: how to open one, the recent ones, and how to record one.
class StartPage : public Page
{
    Q_OBJECT

public:
    explicit StartPage(const RecentFiles& recent, QWidget* parent = nullptr);

    PageOffers offers() const override { return {.toolBar = false}; }
    /// Shows the recent files anew, in the colours of the theme.
    void setColors(const ThemeColors&) override { refresh(); }

    /// The lines to put into a training script.
    static QString recordingSnippet();

signals:
    void openRequested();
    void fileRequested(const QString& path);

private:
    void refresh();
    QWidget* makeDropArea();
    QWidget* makeRecent();
    QWidget* makeRecording();

    const RecentFiles& m_recent;
    QWidget* m_recentBox = nullptr;
    QVBoxLayout* m_recentList = nullptr;
};

} // namespace highwater::gui
