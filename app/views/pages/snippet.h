#pragma once

#include <QWidget>

class QLabel;

namespace highwater::gui {

/// Lines that record a file, with a button that copies them.
class Snippet : public QWidget
{
public:
    explicit Snippet(QWidget* parent = nullptr);

    void setLines(const QString& lines);

private:
    QLabel* m_code;
};

} // namespace highwater::gui
