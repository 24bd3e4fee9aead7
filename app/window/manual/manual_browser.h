#pragma once

#include <QTextBrowser>

namespace highwater::gui {

/// Shows the pages of the manual: links between them lead somewhere, pictures fit, code and tables are told
/// from text.
class ManualBrowser : public QTextBrowser
{
    Q_OBJECT

public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    /// The page on screen, with the anchor that was gone to; already the new one when `sourceChanged` says
    /// so, other than `source`.
    const QUrl& place() const { return m_place; }
    /// Its file below the manual's folder, "findings/growth.md"; empty before the first one.
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
