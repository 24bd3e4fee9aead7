#pragma once

#include <QWidget>

#include "app/loading/source_code/source_lines.h"
#include "app/workspace/theme/theme_colors.h"

class QLabel;
class QPushButton;

namespace highwater::gui {

class ElidedLabel;
class PlainTextEdit;

/// The source line of a frame with its neighbours and the place of the lines, or the reason why the lines are
/// missing. Hidden while it is empty.
class SourceView : public QWidget
{
    Q_OBJECT

public:
    explicit SourceView(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    void show(const SourceAnswer& answer);
    /// Sets the sentence below the lines; an empty one hides it.
    void setProblem(const QString& sentence);
    void clear();
    bool isFilled() const { return m_isFilled; }
    /// Returns the height that the content needs at this width, in pixels.
    int heightAt(int width) const;

signals:
    void openRequested();
    void folderRequested();

private:
    void showLines(const SourceAnswer& answer);
    void markLine();

    ThemeColors m_colors;
    ElidedLabel* m_place;
    PlainTextEdit* m_lines;
    QLabel* m_problem;
    QPushButton* m_open;
    QPushButton* m_chooseFolder;
    int m_marked = 0; ///< number of the frame's line in m_lines, from 0
    bool m_isFilled = false;
};

} // namespace highwater::gui
