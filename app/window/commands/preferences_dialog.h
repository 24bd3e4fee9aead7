#pragma once

#include <optional>

#include <QDialog>

#include "app/window/theme/theme.h"
#include "core/analysis/device/device_capacity.h"

class QCheckBox;
class QComboBox;
class QPushButton;
class QSpinBox;

namespace highwater::gui {

/// What the user has chosen for every file and every start of the program.
struct Preferences
{
    ThemeChoice theme = ThemeChoice::System;
    int textPercent = kUsualTextPercent;
    std::optional<DeviceCapacity> capacity; ///< none: as each file says
    bool peakSoFar = false;
    bool keepsLarge = true; ///< large files in a compact form, in the cache folder
};

/// Asks for them, all in one place.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    PreferencesDialog(const Preferences& preferences, QWidget* parent = nullptr);

    Preferences preferences() const;

signals:
    void recentCleared();
    void cacheCleared();

private:
    void fillThemes(ThemeChoice chosen);
    void fillCapacities();
    QPushButton* makeClearButton(const char* name, const QString& text, const QString& tip);
    void layOut();

    std::optional<DeviceCapacity> m_capacity; ///< as it was
    QComboBox* m_themes;
    QSpinBox* m_textSize;
    QComboBox* m_capacities;
    QCheckBox* m_peakSoFar;
    QCheckBox* m_keepsLarge;
    QPushButton* m_clearCache;
    QPushButton* m_clearRecent;
};

} // namespace highwater::gui
