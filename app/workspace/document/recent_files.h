#pragma once

#include <QDateTime>
#include <QMap>
#include <QObject>
#include <QStringList>

namespace highwater::gui {

/// The files opened last, newest first, with how they ended, remembered in the settings.
class RecentFiles : public QObject
{
    Q_OBJECT

public:
    static constexpr int kCount = 10;

    /// What was seen in a file when it was open.
    struct Outcome
    {
        QString text; ///< "22.62 GiB, out of memory"; empty: not known
        bool failed = false; ///< memory ran out
        QDateTime opened; ///< invalid: not known
    };

    /// With `remember` false nothing is read or written: for scripts that take pictures.
    explicit RecentFiles(bool remember, QObject* parent = nullptr);

    const QStringList& paths() const { return m_paths; }
    Outcome outcomeOf(const QString& path) const { return m_outcomes.value(path); }
    void add(const QString& path);
    /// Ignored for a file that is not listed.
    void setOutcome(const QString& path, const QString& text, bool failed);
    void clear();

signals:
    void changed();

private:
    void read();
    void store();

    bool m_remember;
    QStringList m_paths;
    QMap<QString, Outcome> m_outcomes; ///< by path
};

} // namespace highwater::gui
