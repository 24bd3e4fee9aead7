#pragma once

#include <vector>

#include <QImage>
#include <QString>
#include <QStringList>

namespace highwater::gui {

/// A recording that comes with the program, to try it with.
struct SampleFile
{
    QString title;
    QStringList paths; ///< a file or folder; two: before and after
};

/// Those that are found beside the program or above its folder; empty: it was installed without.
std::vector<SampleFile> sampleFiles();

struct SamplePicture
{
    QImage picture; ///< null: the files cannot be read
    QString caption; ///< "peak 22.62 GiB, out of memory"
};

/// Reads the files and draws what they hold, by category: one column a pixel, two runs at one scale. `size`
/// is in pixels of the screen. Runs on any thread, may be interrupted there.
SamplePicture drawSample(const SampleFile& sample, const QSize& size, bool dark);

} // namespace highwater::gui
