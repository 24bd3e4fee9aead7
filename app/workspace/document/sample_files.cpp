#include "app/workspace/document/sample_files.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPainter>

#include "app/workspace/document/document_loader.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/composition/band_groups.h"
#include "core/analysis/composition/band_spans.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater::gui {

namespace {

/// Pixels between two runs.
constexpr int kGap = 8;
constexpr double kHeadroom = 1.08; ///< factor of the highest peak

using Analysis = std::shared_ptr<const DeviceAnalysis>;

/// Returns the folder of the samples, or an empty text.
QString samplesFolder()
{
    QDir folder(QCoreApplication::applicationDirPath());
    const QString installed = QStringLiteral("../share/highwater/samples");
    if (folder.exists(installed))
        return folder.absoluteFilePath(installed);
    do {
        if (folder.exists(QStringLiteral("samples/pytorch-snapshot")))
            return folder.absoluteFilePath(QStringLiteral("samples"));
    } while (folder.cdUp());
    return {};
}

/// Analyses the main device of the file, or of the first file in a folder; null if it cannot be read or has
/// none.
Analysis analysisOf(const QString& path)
{
    const QDir folder(path);
    const QString file = QFileInfo(path).isDir()
        ? folder.absoluteFilePath(folder.entryList(QDir::Files, QDir::Name).value(0))
        : path;
    const auto document = loadDocument(systemPath(file), {});
    return document && (*document)->mainDevice ? (*document)->devices[*(*document)->mainDevice] : nullptr;
}

/// Draws the bytes of each category into the rectangle, one column per pixel.
void drawRun(
    QPainter& painter, const DeviceAnalysis& analysis, const QRect& rect, Bytes axisTop, Ground ground)
{
    const BandGroups groups = groupBands(*analysis.trace, analysis.live, analysis.sites,
        analysis.figures.peakEvent, BandMode::Category, &analysis.categories);
    std::vector<std::int64_t> events;
    const std::int64_t count = analysis.allocations.eventCount();
    for (int x = 0; x < rect.width(); ++x)
        events.push_back(std::max<std::int64_t>(0, count * (x + 1) / rect.width() - 1));
    const auto bytes = groupBytesAt(analysis.live, groups, events);
    for (int x = 0; x < rect.width(); ++x) {
        double base = 0;
        for (std::size_t group = 0; group < groups.groups.size(); ++group) {
            const double bandHeight = static_cast<double>(bytes[static_cast<std::size_t>(x)][group])
                / static_cast<double>(axisTop) * rect.height();
            const Category category = categoryFromText(groups.groups[group].key).value_or(Category::Unknown);
            painter.fillRect(QRectF(rect.left() + x, rect.bottom() + 1 - base - bandHeight, 1, bandHeight),
                QColor::fromRgb(colorOn(categoryColor(analysis.study.guessed, category), ground)));
            base += bandHeight;
        }
    }
}

QString captionOf(const SampleFile& sample, const std::vector<Analysis>& runs)
{
    const DeviceFigures& figures = runs.front()->figures;
    if (runs.size() > 1)
        return QObject::tr("a comparison, %1 → %2")
            .arg(bytesText(figures.peakBytes), bytesText(runs.back()->figures.peakBytes));
    if (const QFileInfo file(sample.paths.front()); file.isDir())
        return QObject::tr("a folder of %1, simulated")
            .arg(countedText(QDir(file.filePath()).entryList(QDir::Files).size(), "file", "files"));
    const QString peak = QObject::tr("peak %1").arg(bytesText(figures.peakBytes));
    return figures.ooms.empty() ? peak : peak + QObject::tr(", out of memory");
}

} // namespace

std::vector<SampleFile> sampleFiles()
{
    const QString folder = samplesFolder();
    if (folder.isEmpty())
        return {};
    const auto inFolder = [&](const char* name) { return folder + QLatin1Char('/') + QLatin1String(name); };
    std::vector<SampleFile> samples{
        {QObject::tr("GRPO leaks a graph per step"), {inFolder("rehearsed/r1-grpo-before.pickle.zst")}},
        {QObject::tr("Logits, before and after"),
            {inFolder("rehearsed/r3-vocabulary-before.pickle.zst"),
                inFolder("rehearsed/r3-vocabulary-after.pickle.zst")}},
        {QObject::tr("Three copies of FLAN-T5-XL"), {inFolder("rehearsed/r5-flan-t5-xl-kept.pickle.zst")}},
        {QObject::tr("Four ranks, one out of memory"), {inFolder("ranks")}}};
    std::erase_if(samples, [](const SampleFile& sample) {
        return !std::ranges::all_of(
            sample.paths, [](const QString& path) { return QFileInfo::exists(path); });
    });
    return samples;
}

SamplePicture drawSample(const SampleFile& sample, const QSize& size, Ground ground)
{
    std::vector<Analysis> runs;
    Bytes axisTop = 1;
    for (const QString& path : sample.paths) {
        runs.push_back(analysisOf(path));
        if (!runs.back())
            return {};
        axisTop = std::max(
            axisTop, static_cast<Bytes>(kHeadroom * static_cast<double>(runs.back()->figures.peakBytes)));
    }
    QImage picture(size, QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const int runCount = static_cast<int>(runs.size());
    const int runWidth = (size.width() - kGap * (runCount - 1)) / runCount;
    for (int i = 0; i < runCount; ++i)
        drawRun(painter, *runs[static_cast<std::size_t>(i)],
            QRect(i * (runWidth + kGap), 0, runWidth, size.height()), axisTop, ground);
    return {picture, captionOf(sample, runs)};
}

} // namespace highwater::gui
