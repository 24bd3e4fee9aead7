#pragma once

#include <optional>

#include <QDialog>

#include "app/window/theme/theme.h"
#include "core/analysis/device/device_capacity.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace highwater::gui {

/// Choices for every file and every start of the program.
struct Preferences
{
    ThemeChoice theme = ThemeChoice::System;
    int textPercent = kUsualTextPercent;
    std::optional<DeviceCapacity> capacity; ///< nullopt for the value in each file
    bool peakSoFar = false;
    bool keepsLarge = true; ///< cache large files in a compact form
    QString editor; ///< command that opens a source line (editor_command.h); empty for the detected one
};

/// Asks for all preferences in one dialog.
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

    std::optional<DeviceCapacity> m_capacity; ///< choice when the dialog was opened
    QComboBox* m_themes;
    QSpinBox* m_textSize;
    QComboBox* m_capacities;
    QCheckBox* m_peakSoFar;
    QCheckBox* m_keepsLarge;
    QLineEdit* m_editor;
    QPushButton* m_clearCache;
    QPushButton* m_clearRecent;
};

} // namespace highwater::gui
