#pragma once

#include <QTextBrowser>

namespace highwater::gui {

/// Shows the pages of the manual: links between them work, pictures are scaled down to at most 720 pixels,
/// and code and tables look different from text.
class ManualBrowser : public QTextBrowser
{
    Q_OBJECT

public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    /// Returns the page on screen with its anchor. Unlike `source`, it is already up to date when
    /// `sourceChanged` is emitted.
    const QUrl& place() const { return m_place; }
    /// Returns the file of the page relative to the folder of the manual, such as "findings/growth.md". Empty
    /// before the first page is shown.
    QString file() const;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void changeEvent(QEvent* event) override;

private:
    void formatPage();
    void formatHeadings();
    void formatCode();
    void formatTables();

    QUrl m_place;
};

} // namespace highwater::gui
