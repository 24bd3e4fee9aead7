#pragma once

#include <optional>

#include <QDialog>

#include "core/analysis/device/device_capacity.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace highwater::gui {

/// Asks for the memory of the device: a known GPU, a size, or the value in the file.
class CapacityDialog : public QDialog
{
    Q_OBJECT

public:
    /// `inFile` is the value in the file, which may be a lower bound; `chosen` is the current choice.
    CapacityDialog(const std::optional<DeviceCapacity>& inFile, const std::optional<DeviceCapacity>& chosen,
        QWidget* parent = nullptr);

    /// Returns the chosen capacity; nullopt for the value in the file, and while the text in the field is not
    /// understood.
    std::optional<DeviceCapacity> choice() const { return m_choice; }
    bool isForAllFiles() const;

private:
    void layOut();
    void fillList();
    void select(const DeviceCapacity& chosen);
    void takeFromList();
    void takeFromField();
    void showPreview(const QString& text, bool isValid);

    std::optional<DeviceCapacity> m_fileCapacity;
    std::optional<DeviceCapacity> m_choice;
    QListWidget* m_list;
    QLineEdit* m_field;
    QLabel* m_preview;
    QCheckBox* m_forAll;
    QPushButton* m_okButton = nullptr;
};

} // namespace highwater::gui
