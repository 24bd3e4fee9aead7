#include "app/views/side_panel/allocation_facts.h"

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/selection_text.h"
#include "core/analysis/composition/site_totals.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/stacks/folded_stack.h"
#include "core/analysis/tensor_shapes/tensor_shapes.h"
#include "core/base/text_format.h"
#include "core/study/diagnosis/diagnosis.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {

constexpr std::size_t kRivalShapes = 2;

/// Computes the facts of one allocation that depend on its birth and death.
class Inspector
{
public:
    Inspector(const DeviceAnalysis& analysis, AllocationIndex allocation)
        : m_analysis(analysis)
        , m_table(analysis.allocations)
        , m_allocation(allocation)
        , m_birth(analysis.allocations.birth(allocation))
        , m_death(analysis.allocations.death(allocation))
        , m_hasTimes(analysis.trace->hasTimes(analysis.device))
    {
    }

    bool isBeforeRecording() const { return m_birth == AllocationTable::kBeforeTrace; }
    bool isNeverFreed() const { return m_death == AllocationTable::kNeverFreed; }

    Fact born() const
    {
        return {QStringLiteral("allocated at"),
            isBeforeRecording() ? QStringLiteral("before recording began") : eventText(m_birth),
            isBeforeRecording() ? QString() : timeText(m_birth)};
    }

    Fact died() const
    {
        return {QStringLiteral("freed at"),
            isNeverFreed() ? QStringLiteral("still in use at the end") : eventText(m_death),
            isNeverFreed() ? QString() : timeText(m_death)};
    }

    Fact lifetime() const
    {
        const std::int64_t eventCount = m_table.eventCount();
        if (eventCount == 0)
            return {QStringLiteral("lifetime"), QStringLiteral("unknown: no events were recorded"), {}};
        const std::int64_t first = isBeforeRecording() ? 0 : m_birth;
        const std::int64_t last = isNeverFreed() ? eventCount - 1 : m_death;
        const QString prefix
            = isBeforeRecording() || isNeverFreed() ? QStringLiteral("at least ") : QString();
        const QString time
            = m_hasTimes ? QString::fromStdString(formatDuration(timeOf(last) - timeOf(first))) : QString();
        return {QStringLiteral("lifetime"), prefix + countedText(last - first, "event", "events"), time};
    }

    Fact shareOfPeak() const
    {
        const DeviceFigures& figures = m_analysis.figures;
        const bool live = m_table.isLiveAt(m_allocation, figures.peakEvent);
        const std::string share = formatShare(m_table.bytes(m_allocation), figures.peakBytes);
        return {runPeakMomentText(m_analysis),
            live ? QString::fromStdString(share) : QStringLiteral("not in use"),
            live ? QStringLiteral("of the bytes in use") : QString()};
    }

private:
    Nanoseconds timeOf(std::int64_t event) const
    {
        return m_analysis.trace->events.time[m_analysis.trace->row(m_analysis.device, event)];
    }

    QString timeText(std::int64_t event) const
    {
        return m_hasTimes
            ? QStringLiteral("+") + QString::fromStdString(formatDuration(timeOf(event) - timeOf(0)))
            : QString();
    }

    const DeviceAnalysis& m_analysis;
    const AllocationTable& m_table;
    AllocationIndex m_allocation;
    std::int32_t m_birth;
    std::int32_t m_death;
    bool m_hasTimes;
};

/// Returns the bytes, followed by the exact number from 1 KiB on.
Fact sizeFact(const QString& name, Bytes bytes)
{
    return {
        name, bytesText(bytes), bytes < kKiB ? QString() : QString::fromStdString(formatExactBytes(bytes))};
}

/// Adds the recorded size, and the size of the block if it is known or inferred.
void addSizes(std::vector<Fact>& facts, const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const AllocationTable& table = analysis.allocations;
    facts.push_back(sizeFact(toQString(inWords(analysis.info().quantity)), table.recordedBytes(allocation)));
    const Bytes block = table.blockBytes(allocation);
    if (block >= 0)
        facts.push_back(sizeFact(QStringLiteral("block"), block));
    else if (table.isInferred(allocation))
        facts.push_back({QStringLiteral("block"), QStringLiteral("≥ ") + bytesText(table.bytes(allocation)),
            QStringLiteral("inferred: no longer in the snapshot")});
}

/// Returns the category, with the name that the file recorded, else with its grade and reason or "no
/// evidence".
Fact categoryFact(const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const Category category = analysis.categories.of(allocation);
    const QString name = toQString(titleOf(category));
    const StringId recorded = analysis.allocations.recordedCategory(allocation);
    if (!recorded.isNone())
        return {QStringLiteral("category"), name,
            QStringLiteral("recorded as ") + toQString(sanitizedText(analysis.trace->text(recorded)))};
    if (isUncategorized(category))
        return {QStringLiteral("category"), name, QStringLiteral("no evidence")};
    return {QStringLiteral("category"), name,
        QStringLiteral("%1: %2").arg(toQString(inWords(analysis.categories.gradeOf(allocation))),
            toQString(toText(analysis.categories.reasonOf(allocation))))};
}

/// Adds the most likely tensor shape with its grade, and alternatives; adds nothing if no shape fits well.
void addShape(std::vector<Fact>& facts, const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const std::vector<TensorShape> shapes
        = tensorShapes(shapeQuestion(analysis.study, allocation), analysis.numbers);
    if (shapes.empty())
        return;
    const TensorShape& first = shapes.front();
    std::string aside = std::string(inWords(first.grade)) + ": " + first.names();
    for (std::size_t i = 1; i < shapes.size() && i <= kRivalShapes; ++i)
        aside += (i == 1 ? "; or " : ", ") + shapes[i].text();
    facts.push_back(
        {QStringLiteral("shape"), QString::fromStdString(first.text()), QString::fromStdString(aside)});
}

/// Returns the line through which the allocation was made, and how many kept allocations were made through
/// it.
Fact keeperFact(const Keeper& keeper)
{
    return {QStringLiteral("allocated through"), toQString(keeper.line),
        countedText(static_cast<std::int64_t>(keeper.allocations.size()), "allocation", "allocations"),
        keeper.frame};
}

std::vector<Fact> mainFacts(const DeviceAnalysis& analysis, AllocationIndex allocation, const Keeper* keeper)
{
    const AllocationTable& table = analysis.allocations;
    const Inspector inspector(analysis, allocation);
    std::vector<Fact> facts;
    addSizes(facts, analysis, allocation);
    addShape(facts, analysis, allocation);
    facts.push_back(categoryFact(analysis, allocation));
    facts.push_back({QStringLiteral("call site"),
        toQString(analysis.sites.site(analysis.sites.of(allocation)).label), {}});
    if (keeper)
        facts.push_back(keeperFact(*keeper));
    facts.push_back(inspector.shareOfPeak());
    facts.push_back(inspector.lifetime());
    facts.push_back(inspector.born());
    facts.push_back(inspector.died());
    facts.push_back(
        {QStringLiteral("stream"), toQString(analysis.trace->streamLabel(table.stream(allocation))), {}});
    facts.push_back(
        {QStringLiteral("pool"), toQString(analysis.trace->poolLabel(table.pool(allocation))), {}});
    if (analysis.info().addressesRecorded)
        facts.push_back({QStringLiteral("address"),
            QString::fromStdString(formatAddress(table.address(allocation))), {}});
    return facts;
}

/// Returns the heading of a stack of this origin.
QString stackTitle(StackOrigin origin)
{
    switch (origin) {
    case StackOrigin::Allocation: return QStringLiteral("Allocated by");
    case StackOrigin::Block: return QStringLiteral("Allocated before recording began, by");
    case StackOrigin::Free:
        return QStringLiteral("Freed by (allocated before recording began, so its stack is unknown)");
    }
    return {};
}

void appendFacts(QString& text, const std::vector<Fact>& facts)
{
    for (const Fact& fact : facts)
        text += QStringLiteral("%1: %2%3\n")
                    .arg(fact.name, fact.value,
                        fact.aside.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(fact.aside));
}

} // namespace

AllocationFacts stackFacts(const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    AllocationFacts facts;
    facts.stack = analysis.allocations.stack(allocation);
    facts.stackTitle = stackTitle(analysis.allocations.stackOrigin(allocation));
    if (!analysis.trace->stacks.hasFrames(facts.stack))
        facts.withoutStack = toQString(analysis.sites.site(analysis.sites.of(allocation)).label);
    return facts;
}

AllocationFacts allocationFacts(const DeviceAnalysis& analysis, AllocationIndex allocation,
    std::optional<std::int64_t> moment, const Keeper* keeper)
{
    AllocationFacts facts = stackFacts(analysis, allocation);
    facts.title = allocationTitle(analysis, allocation);
    facts.what = mainFacts(analysis, allocation, keeper);
    if (!facts.withoutStack.isEmpty())
        return facts;
    const KeyMoment key = keyMoment(analysis.study);
    const std::int64_t event = moment.value_or(key.event);
    const SiteTotal stackTotal = totalOfStackAt(analysis.live, facts.stack, event);
    const QString when = toQString(moment ? formatMoment(event) : std::string(inWords(key.kind)));
    const QString alive = countedText(stackTotal.count, "allocation", "allocations") + QStringLiteral(" · ")
        + amountText(analysis, stackTotal.bytes);
    facts.sameStack.push_back({QStringLiteral("in use"), alive, when});
    return facts;
}

AllocationFacts failureFacts(const DeviceAnalysis& analysis, const OomEvent& failure)
{
    const Trace& trace = *analysis.trace;
    AllocationFacts facts;
    facts.title = QStringLiteral("Out of memory at %1").arg(eventText(failure.event));
    facts.what.push_back({QStringLiteral("failed request"), bytesText(failure.requestedBytes), {}});
    if (failure.deviceFreeBytes != OomEvent::kUnknown)
        facts.what.push_back(
            {QStringLiteral("free"), bytesText(failure.deviceFreeBytes), QStringLiteral("on the GPU")});
    facts.what.push_back(
        {QStringLiteral("in use"), amountText(analysis, analysis.curve.at(failure.event)), {}});
    if (const Bytes reserved = analysis.curve.reservedAt(failure.event).value_or(0); reserved > 0)
        facts.what.push_back({QStringLiteral("reserved"), bytesText(reserved), {}});
    facts.stack = trace.events.stack[trace.row(analysis.device, failure.event)];
    const bool hasStack = trace.stacks.hasFrames(facts.stack);
    if (!hasStack)
        facts.withoutStack = QStringLiteral("No stack was recorded for this request");
    const FrameId code = codeFrame(trace, facts.stack);
    facts.stackTitle = hasStack && code.isNone() ? QStringLiteral("Requested by (no Python frames recorded)")
                                                 : QStringLiteral("Requested by");
    if (!code.isNone()) {
        const Frame& frame = trace.stacks.frame(code);
        const FailurePlace place{
            std::string(trace.text(frame.file)), frame.line, std::string(trace.text(frame.function))};
        facts.what.push_back({QStringLiteral("failing line"), toQString(placeText(place)), {}, code});
    }
    return facts;
}

QString plainText(const DeviceAnalysis& analysis, const AllocationFacts& facts)
{
    QString text = facts.title + QLatin1Char('\n');
    appendFacts(text, facts.what);
    text += QLatin1Char('\n') + facts.stackTitle + QStringLiteral(":\n");
    text += facts.withoutStack.isEmpty() ? QString::fromStdString(plainStack(*analysis.trace, facts.stack))
                                         : facts.withoutStack + QLatin1Char('\n');
    if (!facts.sameStack.empty())
        text += QStringLiteral("\nSame stack:\n");
    appendFacts(text, facts.sameStack);
    return text;
}

} // namespace highwater::gui
