#pragma once

#include <QDateTime>
#include <QMap>
#include <QObject>
#include <QStringList>

namespace highwater::gui {

/// The last kCount files that were opened, newest first and by absolute path, each with its outcome, stored
/// in the settings.
class RecentFiles : public QObject
{
    Q_OBJECT

public:
    static constexpr int kCount = 10;

    /// Result seen when the file was last open.
    struct Outcome
    {
        QString text; ///< "22.62 GiB, out of memory"; empty if unknown
        bool failed = false; ///< the run ran out of memory
        QDateTime opened; ///< invalid if unknown
    };

    /// With `remember` false nothing is read or written, for scripts that take screenshots.
    explicit RecentFiles(bool remember, QObject* parent = nullptr);

    const QStringList& paths() const { return m_paths; }
    Outcome outcomeOf(const QString& path) const { return m_outcomes.value(path); }
    void add(const QString& path);
    /// Ignored if the file is not listed.
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
