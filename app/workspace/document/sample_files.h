#pragma once

#include <vector>

#include <QImage>
#include <QString>
#include <QStringList>

#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

/// A recording that is installed with the program, to try it out.
struct SampleFile
{
    QString title;
    QStringList paths; ///< a file or folder; two if it is a comparison of before and after
};

/// Returns the samples installed with the program, or found above its folder; empty if there are none.
std::vector<SampleFile> sampleFiles();

/// A drawn sample with its caption.
struct SamplePicture
{
    QImage picture; ///< null if the files cannot be read
    QString caption; ///< "peak 22.62 GiB, out of memory"
};

/// Reads the files and draws them by category, one column per pixel; two runs share one scale. `size` is in
/// pixels of the screen. May run on any thread and be interrupted.
SamplePicture drawSample(const SampleFile& sample, const QSize& size, Ground ground);

} // namespace highwater::gui
