#pragma once

#include <QAbstractButton>

#include "app/workspace/document/sample_files.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A button for a sample: its picture, name and caption. The owner draws the picture later and opens the
/// sample on a click.
class SampleCard : public QAbstractButton
{
    Q_OBJECT

public:
    static constexpr int kPictureHeight = 112;

    SampleCard(SampleFile sample, QWidget* parent = nullptr);

    const SampleFile& sample() const { return m_sample; }
    void setPicture(const SamplePicture& picture);
    void setColors(const ThemeColors& colors);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    /// Keeps room for all lines of the text, because the layouts that contain the card do not ask for its
    /// height at a width.
    void resizeEvent(QResizeEvent* event) override;

private:
    int titleHeight(int width) const;

    SampleFile m_sample;
    SamplePicture m_picture;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
