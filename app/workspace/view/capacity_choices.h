#pragma once

#include <optional>

#include <QList>
#include <QObject>
#include <QString>

#include "core/analysis/device/device_capacity.h"

namespace highwater::gui {

/// The capacities that the user has chosen, for single files and for all files, stored in the settings.
class CapacityChoices : public QObject
{
    Q_OBJECT

public:
    /// Maximum number of single files; the oldest choice is forgotten.
    static constexpr int kFiles = 100;

    /// With `remember` false nothing is read or written.
    explicit CapacityChoices(bool remember, QObject* parent = nullptr);

    /// Returns the capacity chosen for this session, else for this file, else for all files; nullopt for the
    /// recorded one.
    std::optional<DeviceCapacity> of(const QString& path) const;
    const std::optional<DeviceCapacity>& forAll() const { return m_forAll; }
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
