#pragma once

#include <vector>

#include <QList>

#include "app/views/pages/page.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/trace/trace.h"

class QBoxLayout;
class QLabel;
class QTabBar;
class QVBoxLayout;

namespace highwater::gui {

class RecentFiles;
class SampleCard;
class Snippet;

/// The page that is shown while no file is open: how to open one, samples to try, recent files with their
/// results, and how to record each kind of file. Pictures of samples are drawn one by one off the GUI thread.
/// `recent` must outlive the page.
class StartPage : public Page
{
    Q_OBJECT

public:
    explicit StartPage(const RecentFiles& recent, QWidget* parent = nullptr);

    PageOffers offers() const override { return {.toolBar = false}; }
    void setColors(const ThemeColors& colors) override;
    QString statusText() const override { return tr("Open a file to begin"); }
    /// True if all samples have their pictures.
    bool isSettled() const override { return m_drawn >= m_cards.size(); }

    /// How to record one kind of file.
    struct Recording
    {
        QString kind;
        QString about;
        QString lines;
    };
    static std::vector<Recording> recordings();
    /// Returns how to record a file of this kind with memory in it; how to record a snapshot for kinds that
    /// have no recording of their own.
    static Recording recordingOf(TraceKind kind);

signals:
    void openRequested();
    void folderRequested();
    void fileRequested(const QString& path);
    void comparisonRequested(const QString& before, const QString& after);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void drawNext();
    QWidget* makeDropArea();
    QWidget* makeSamples();
    QWidget* makeRecent();
    QWidget* makeRecordings();

    const RecentFiles& m_recent;
    ThemeColors m_colors = ThemeColors::light();
    QList<SampleCard*> m_cards;
    qsizetype m_drawn = 0; ///< number of cards that have their pictures
    LatestTask m_task;
    QLabel* m_mark = nullptr;
    QVBoxLayout* m_recentList = nullptr;
    QBoxLayout* m_columns = nullptr; ///< recent files and recordings: side by side if there is room
    QWidget* m_columnLine = nullptr;
    QTabBar* m_kinds = nullptr;
    QLabel* m_about = nullptr;
    Snippet* m_code = nullptr;
};

} // namespace highwater::gui
