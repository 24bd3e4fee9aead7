#pragma once

#include <QTextBrowser>

namespace highwater::gui {

/// Shows the pages of the manual: links between them work, pictures fit the window, and code and tables look
/// different from text.
class ManualBrowser : public QTextBrowser
{
    Q_OBJECT

public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    /// The page on screen with its anchor. Unlike `source` it is already the new one when `sourceChanged` is
    /// emitted.
    const QUrl& place() const { return m_place; }
    /// The file of the page relative to the manual's folder, "findings/growth.md"; empty before the first
    /// one.
    QString file() const;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void changeEvent(QEvent* event) override;

private:
    void dress();
    void dressHeadings();
    void dressCode();
    void dressTables();

    QUrl m_place;
};

} // namespace highwater::gui
