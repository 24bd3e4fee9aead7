#pragma once

#include <QObject>
#include <QStringList>

namespace highwater::gui {

/// The files opened last, newest first, remembered in the settings.
class RecentFiles : public QObject
{
    Q_OBJECT

public:
    static constexpr int kCount = 10;

    /// With `remember` false nothing is read or written: for scripts that take pictures.
    explicit RecentFiles(bool remember, QObject* parent = nullptr);

    const QStringList& paths() const { return m_paths; }
    void add(const QString& path);
    void clear();

signals:
    void changed();

private:
    void store();

    bool m_remember;
    QStringList m_paths;
};

} // namespace highwater::gui
