#pragma once

#include <optional>

#include <QList>
#include <QObject>
#include <QString>

#include "core/analysis/device/device_capacity.h"

namespace highwater::gui {

/// The capacities that the user has chosen: for single files and for all files, which the settings store, and
/// for this session.
class CapacityChoices : public QObject
{
    Q_OBJECT

public:
    /// Maximum number of single files; the oldest choice is forgotten.
    static constexpr int kMaxFiles = 100;

    /// Unless `remember`, no settings are read or written.
    explicit CapacityChoices(bool remember, QObject* parent = nullptr);

    /// Returns the capacity chosen for this session, else for this file, else for all files; nullopt for the
    /// recorded one.
    std::optional<DeviceCapacity> of(const QString& path) const;
    /// Returns the choice for all files, whether or not another is in force; nullopt if there is none.
    const std::optional<DeviceCapacity>& forAll() const { return m_forAll; }
    /// True if the file has a choice of its own, which may be to use the recorded capacity although one is
    /// chosen for all files.
    bool hasOwn(const QString& path) const { return find(path) != m_fileChoices.cend(); }
    /// Chooses for one file, and ends the choice for the session. Without a capacity, the file uses its
    /// recorded one, even if one is chosen for all files.
    void choose(const QString& path, const std::optional<DeviceCapacity>& capacity);
    /// Applies to every file until the next choice, and is not stored.
    void chooseForSession(const DeviceCapacity& capacity);
    /// Applies to every file; removes their own choices and that for the session. Without a capacity, removes
    /// the choice.
    void chooseForAll(const std::optional<DeviceCapacity>& capacity);

signals:
    void changed();

private:
    struct FileChoice
    {
        QString path;
        std::optional<DeviceCapacity> capacity;
    };

    void load();
    void store() const;
    QList<FileChoice>::const_iterator find(const QString& path) const;

    bool m_remember;
    std::optional<DeviceCapacity> m_forSession;
    std::optional<DeviceCapacity> m_forAll;
    QList<FileChoice> m_fileChoices; ///< newest first
};

} // namespace highwater::gui
