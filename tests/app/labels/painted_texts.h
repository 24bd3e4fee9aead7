#pragma once

#include <QStringList>

#include "app/timeline/parts/label_recorder.h"

namespace highwater::gui::test {

/// Records the texts painted during its lifetime.
class PaintedTexts : public LabelRecorder
{
public:
    PaintedTexts() { current() = this; }
    ~PaintedTexts() override { current() = nullptr; }
    void record(const PaintedLabel& label) override { all << label.text; }

    QStringList all;
};

} // namespace highwater::gui::test
