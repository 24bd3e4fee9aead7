#include "core/analysis/diff/diff_verdict.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text/name_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The rows that share a label.
struct LabelledBytes
{
    std::string label;
    Bytes before = 0;
    Bytes after = 0;
    Bytes delta() const { return after - before; }
};

std::string labelOfRow(const DiffRow& row, GroupKey key)
{
    const std::string label = rowLabel(row);
    switch (key) {
    case GroupKey::Category:
        if (const auto category = categoryFromText(row.key))
            return std::string(titleOf(*category));
        return label;
    case GroupKey::Size: return "blocks of " + label;
    case GroupKey::Stack:
    case GroupKey::Site:
        return label.starts_with('(') || label.starts_with("freed by ") ? label : "at " + label;
    default: return label;
    }
}

/// Returns the rows by label, largest change first; rows that cannot be compared count 0.
std::vector<LabelledBytes> changesByLabel(const RunDiff& diff, GroupKey key, const SizeCauses* causes)
{
    // There may be a million rows, most with a label of their own, so equal labels are merged in place.
    std::vector<LabelledBytes> places;
    places.reserve(diff.rows.size());
    for (const DiffRow& row : diff.rows) {
        const bool isCause = !row.isCut();
        places.push_back(
            {labelOfRow(row, key), isCause ? row.before.bytes : 0, isCause ? row.after.bytes : 0});
    }
    // Blocks that merely moved to another function have not changed the total.
    for (const Replacement& replacement : causes ? causes->replacements : std::vector<Replacement>()) {
        places[replacement.goneRow].before -= replacement.wholeBytes;
        places[replacement.newRow].before += replacement.wholeBytes;
    }
    std::ranges::sort(places, {}, &LabelledBytes::label);
    std::size_t last = 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places[i].label != places[last].label) {
            if (++last != i)
                places[last] = std::move(places[i]);
            continue;
        }
        places[last].before += places[i].before;
        places[last].after += places[i].after;
    }
    places.resize(std::min(last + 1, places.size()));
    std::ranges::stable_sort(places, [](const LabelledBytes& a, const LabelledBytes& b) {
        return std::abs(a.delta()) > std::abs(b.delta());
    });
    return places;
}

/// Returns "+3%", "−0.4%" or "less than 0.1%".
std::string percentText(Bytes delta, Bytes before)
{
    const double share = 100.0 * double(std::abs(delta)) / double(before);
    if (share < 0.05)
        return "less than 0.1%";
    // A share slightly below 1% must not be rounded up to 1%.
    return (delta > 0 ? "+" : "−")
        + (share < 1 ? fmt::format("{:.1f}%", std::min(share, 0.9)) : formatShare(std::abs(delta), before));
}

class VerdictWriter
{
public:
    VerdictWriter(const RunDiff& diff, GroupKey key, const MomentNames& names, const SizeCauses* causes)
        : m_diff(diff)
        , m_places(changesByLabel(diff, key, causes))
        , m_causes(causes)
        , m_names(names)
    {
        for (const LabelledBytes& place : m_places)
            (place.delta() > 0 ? m_grownBytes : m_shrunkBytes) += place.delta();
    }

    DiffVerdict write()
    {
        if (m_names.arePeaks())
            m_verdict.change = changeOfPeaks();
        m_verdict.headline = !m_names.arePeaks() ? headlineOfMoments()
            : m_verdict.change.empty()           ? headlineOfPeaks()
                                                 : m_verdict.change;
        if (m_diff.before.bytes > 0 && m_diff.after.bytes > 0) {
            if (!m_names.areOfUnequalSteps) {
                addMainChanges();
                addGoneAndNew();
            }
            addMovedBytes();
            addCauses();
        }
        return std::move(m_verdict);
    }

private:
    bool hasChanged() const
    {
        return 100.0 * double(std::abs(m_diff.delta())) >= double(m_diff.before.bytes);
    }
    /// Rows that cannot be compared are last.
    bool hasCutRows() const { return !m_diff.rows.empty() && m_diff.rows.back().isCut(); }
    /// Returns the least change in bytes worth naming.
    Bytes leastBytesNamed() const { return std::max(m_diff.before.bytes, m_diff.after.bytes) / 200; }

    /// Returns the sentence on the peaks if it gives only their totals, else nothing.
    std::string changeOfPeaks() const
    {
        const Bytes delta = m_diff.delta();
        const ChangeText text = formatChange(m_diff.before.bytes, m_diff.after.bytes);
        if (delta != 0 && m_diff.before.bytes == 0)
            return fmt::format("The peak grew from nothing to {}.", text.after);
        if (delta != 0 && m_diff.after.bytes == 0)
            return fmt::format("The peak fell from {} to nothing.", text.before);
        return delta == 0 || !hasChanged()
            ? std::string()
            : fmt::format("The peak {} by {} ({}), from {} to {}.", delta > 0 ? "grew" : "fell", text.size,
                formatShare(std::abs(delta), m_diff.before.bytes), text.before, text.after);
    }

    /// Returns the sentence on peaks that hardly changed.
    std::string headlineOfPeaks()
    {
        if (m_diff.before.bytes == 0 && m_diff.after.bytes == 0)
            return "Neither run uses memory.";
        return m_diff.delta() == 0 ? fmt::format("The peak is the same to the byte ({}){}.",
                   formatExactBytes(m_diff.after.bytes), offsetText())
                                   : fmt::format("The peak barely moved ({}){}.", changeText(), offsetText());
    }

    /// Returns "Step 9 holds 1.2 GiB (12%) more than step 2, 11 GiB instead of 9.8 GiB."
    std::string headlineOfMoments()
    {
        const Bytes delta = m_diff.delta();
        const ChangeText text = formatChange(m_diff.before.bytes, m_diff.after.bytes);
        const std::string& before = text.before;
        const std::string& after = text.after;
        const std::string later = upperFirst(m_names.after);
        if (m_diff.before.bytes == 0 && m_diff.after.bytes == 0)
            return fmt::format("Neither {} nor {} holds memory.", m_names.before, m_names.after);
        if (m_diff.before.bytes == 0)
            return fmt::format("{} holds {}, and {} holds nothing.", later, after, m_names.before);
        if (m_diff.after.bytes == 0)
            return fmt::format("{} holds nothing, and {} holds {}.", later, m_names.before, before);
        if (delta == 0)
            return fmt::format("{} and {} hold the same to the byte ({}){}.", upperFirst(m_names.before),
                m_names.after, formatExactBytes(m_diff.after.bytes), offsetText());
        if (!hasChanged())
            return fmt::format("{} and {} hold almost the same ({}){}.", upperFirst(m_names.before),
                m_names.after, changeText(), offsetText());
        return fmt::format("{} holds {} ({}) {} than {}, {} instead of {}.", later, text.size,
            formatShare(std::abs(delta), m_diff.before.bytes), delta > 0 ? "more" : "less", m_names.before,
            after, before);
    }

    std::string changeText() const
    {
        return fmt::format(
            "{}, {}", formatBytesDelta(m_diff.delta()), percentText(m_diff.delta(), m_diff.before.bytes));
    }

    /// Returns "+12 MiB (new) at A", or "12 MiB (new) at A" where the sentence gives the sign.
    static std::string changeOf(const LabelledBytes& place, bool isSigned)
    {
        return fmt::format("{} {}{}",
            isSigned ? formatBytesDelta(place.delta()) : formatBytes(std::abs(place.delta())),
            place.after == 0        ? "(gone) "
                : place.before == 0 ? "(new) "
                                    : "",
            withCallMarks(place.label));
    }

    /// Returns texts for the largest places whose change has this sign, at most `most`, until they make up
    /// 80% of the sum of such changes or the next is not worth naming.
    std::vector<std::string> largestTexts(bool isGrown, std::size_t most, bool isSigned)
    {
        std::vector<std::string> texts;
        Bytes namedBytes = 0;
        const Bytes sum = isGrown ? m_grownBytes : m_shrunkBytes;
        for (const LabelledBytes& place : m_places) {
            if (place.delta() == 0 || (place.delta() > 0) != isGrown)
                continue;
            if (texts.size() == most || double(std::abs(namedBytes)) >= 0.8 * double(std::abs(sum))
                || (!texts.empty() && std::abs(place.delta()) < leastBytesNamed()))
                break;
            namedBytes += place.delta();
            texts.push_back(changeOf(place, isSigned));
            m_named.insert(place.label);
        }
        return texts;
    }

    /// Returns what offset each other, if the total barely changed: ": −3.97 GiB at A is offset by +2.57 GiB
    /// at B and +1.4 GiB at C".
    std::string offsetText()
    {
        if (m_names.areOfUnequalSteps)
            return {};
        if (m_grownBytes == 0 && m_shrunkBytes == 0 && !hasCutRows())
            return m_names.arePeaks() ? ", as is every row" : ", and so does every row";
        const Bytes smaller = std::min(m_grownBytes, -m_shrunkBytes);
        const Bytes larger = std::max(m_grownBytes, -m_shrunkBytes);
        if (hasCutRows() && smaller <= larger / 2)
            return {}; // what cannot be compared offsets the larger one
        if (larger < leastBytesNamed())
            return ", and nothing else moved much";
        // Growth and shrinkage offset each other only if the smaller is at least half of the larger.
        if (smaller < larger / 2)
            return ", mostly " + listText(largestTexts(m_grownBytes > -m_shrunkBytes, 2, true));
        const std::vector<std::string> down = largestTexts(false, 2, true);
        const std::vector<std::string> up = largestTexts(true, 3, true);
        return fmt::format(
            ": {} {} offset by {}", listText(down), down.size() == 1 ? "is" : "are", listText(up));
    }

    /// Returns "The largest increases are 300 KiB (new) at A and 20 KiB at B".
    std::string largestChangesText(bool isGrown, std::size_t most)
    {
        const std::vector<std::string> texts = largestTexts(isGrown, most, false);
        return fmt::format("The largest {}{} {}", isGrown ? "increase" : "reduction",
            texts.size() == 1 ? " is" : "s are", listText(texts));
    }

    void addMainChanges()
    {
        if (!hasChanged())
            return;
        const bool hasGrown = m_diff.delta() > 0;
        if ((hasGrown ? m_grownBytes : m_shrunkBytes) == 0)
            return; // rows that cannot be compared make up the difference
        std::string text = largestChangesText(hasGrown, 3);
        const Bytes offsetBytes = hasGrown ? m_shrunkBytes : m_grownBytes;
        if (std::abs(offsetBytes) >= leastBytesNamed())
            text += fmt::format("; {}", lowerFirst(largestChangesText(!hasGrown, 2)));
        m_verdict.details.push_back(text + ".");
    }

    /// Returns "192 MiB at A and 24 MiB at B are": the largest places that only one run has and that no
    /// earlier sentence names. Empty if there are none.
    std::string oneSidedText(bool isNew) const
    {
        constexpr std::size_t most = 3;
        std::vector<std::string> texts;
        for (const LabelledBytes& place : m_places)
            if ((isNew ? place.before : place.after) == 0 && std::abs(place.delta()) >= leastBytesNamed()
                && place.delta() != 0 && texts.size() < most && !m_named.contains(place.label))
                texts.push_back(fmt::format("{} {}", formatBytes(std::abs(place.delta())), place.label));
        return texts.empty() ? std::string() : listText(texts) + (texts.size() == 1 ? " is" : " are");
    }

    void addGoneAndNew()
    {
        const std::string gone = oneSidedText(false);
        const std::string added = oneSidedText(true);
        if (!gone.empty())
            m_verdict.details.push_back(gone + " gone.");
        if (!added.empty())
            m_verdict.details.push_back(added + " new.");
    }

    /// Adds the bytes that differ only because the peak is at another moment.
    void addMovedBytes()
    {
        Bytes risenBytes = 0;
        Bytes fallenBytes = 0;
        for (const DiffRow& row : m_diff.rows)
            if (row.isMoved)
                (row.delta() > 0 ? risenBytes : fallenBytes) += row.delta();
        const bool arePeaks = m_names.arePeaks();
        const auto add = [&](Bytes bytes, const std::string& run, const std::string& moment) {
            if (bytes != 0 && std::abs(bytes) >= leastBytesNamed())
                m_verdict.details.push_back(
                    fmt::format("Rows marked (timing) make up {}: {}.", formatBytesDelta(bytes),
                        arePeaks ? fmt::format("the {} run used as much there, but not at its peak", run)
                                 : "as much was in use there at another moment than " + moment));
        };
        add(risenBytes, "earlier", m_names.before);
        add(fallenBytes, "later", m_names.after);
    }

    void addCauses()
    {
        if (!m_causes || m_causes->factors.cause == SizeCause::None)
            return;
        m_verdict.details.push_back(causeSentence(m_causes->factors));
        const SizeFactors& factors = m_causes->factors;
        if (factors.copies > 0)
            m_verdict.details.push_back(
                fmt::format("Half-precision copies of parameters are probably {}: {} blocks, {}.",
                    factors.precision < 1 ? "new" : "gone", formatCount(factors.copies),
                    formatBytes(factors.copiesBytes)));
    }

    const RunDiff& m_diff;
    std::vector<LabelledBytes> m_places;
    const SizeCauses* m_causes;
    const MomentNames& m_names;
    std::set<std::string> m_named; ///< labels that a sentence already names
    Bytes m_grownBytes = 0;
    Bytes m_shrunkBytes = 0;
    DiffVerdict m_verdict;
};

} // namespace

std::vector<std::string> DiffVerdict::detailsWithoutChange() const
{
    std::vector<std::string> others = details;
    std::erase(others, change);
    return others;
}

DiffVerdict diffVerdict(const RunDiff& diff, GroupKey key, const MomentNames& names, const SizeCauses* causes)
{
    return VerdictWriter(diff, key, names, causes).write();
}

} // namespace highwater
