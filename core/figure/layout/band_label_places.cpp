#include "core/figure/layout/band_label_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kSizeGap = 8; ///< Between name and size
constexpr int kRepeatDistance = 400; ///< A band is labelled again after this many pixels
constexpr int kEdgeGap = 1; ///< Smallest distance from a label to the edges of its band
/// A place counts as tall if it has this share of the height of the band's tallest place.
constexpr double kTallShare = 0.8;

/// The parts of a call site such as "update_cache (model.py:28)".
struct SiteName
{
    std::string function; ///< The whole label if it names no place
    std::string place;
};

SiteName splitName(const std::string& label)
{
    const std::string_view place = fileAndLineOf(label);
    return place.empty() ? SiteName{label, {}}
                         : SiteName{label.substr(0, label.size() - place.size() - 3), std::string(place)};
}

struct LabelForm
{
    std::string name;
    std::string size;
};

bool staysByDesign(std::optional<Category> category)
{
    return category == Category::Parameter || category == Category::OptimizerState
        || category == Category::Gradient || category == Category::KvCache
        || category == Category::BeforeRecording;
}

/// The visible spans of one band, from which its label is placed.
struct LabelledBand
{
    std::vector<BandSpan> spans; ///< By column, the tallest span of each
    BandName name;
};

class LabelFinder
{
public:
    LabelFinder(std::span<const BandSpan> spans, const LabelledPicture& picture, const LabelFont& font)
        : m_picture(picture)
        , m_font(font)
        , m_rows((static_cast<int>(font.height) + 2 * kEdgeGap) * picture.pixel)
    {
        collect(spans);
        for (const auto& [number, band] : m_bands)
            ++m_sitesOfFunction[splitName(band.name.label).function];
    }

    std::vector<BandLabelPlace> find()
    {
        std::vector<BandLabelPlace> labels;
        placeStaying(labels);
        for (const auto& [number, band] : m_bands)
            if (!band.name.stays)
                placeRepeated(number, band, labels);
        return labels;
    }

private:
    /// One form of a band's label, and the places where it fits.
    struct Fit
    {
        std::uint32_t number = 0;
        LabelForm form;
        int columns = 0;
        std::vector<LabelRoom> rooms;

        /// Returns the places that are nearly as tall as the tallest one.
        std::vector<LabelRoom> tallRooms() const
        {
            std::vector<LabelRoom> tall;
            const int tallest = std::ranges::max_element(rooms, {}, &LabelRoom::height)->height();
            std::ranges::copy_if(rooms, std::back_inserter(tall),
                [&](const LabelRoom& room) { return room.height() >= kTallShare * tallest; });
            return tall;
        }
    };

    void collect(std::span<const BandSpan> spans)
    {
        for (const BandSpan& span : spans) {
            LabelledBand& band = m_bands[span.band];
            if (band.spans.empty())
                band.name = m_picture.nameOf(span);
            if (!band.spans.empty() && band.spans.back().column == span.column) {
                if (span.height() > band.spans.back().height())
                    band.spans.back() = span;
            } else {
                band.spans.push_back(span);
            }
        }
    }

    /// Returns the bytes at the key moment if the band is nearly as tall there as `tallest`.
    std::optional<Bytes> keyBytes(
        std::uint32_t number, const LabelledBand& band, const BandSpan& tallest) const
    {
        const auto key = std::ranges::lower_bound(band.spans, m_picture.keyColumn, {}, &BandSpan::column);
        const bool isTall = m_picture.keyColumn >= 0 && key != band.spans.end()
            && key->column == m_picture.keyColumn && key->height() >= kTallShare * tallest.height()
            && kTallShare * key->height() <= tallest.height();
        return isTall ? std::optional(m_picture.bytesAtKey(number)) : std::nullopt;
    }

    /// Returns the bytes for the label: those of the key moment, else those of the band where it is tallest,
    /// which is where the label is placed if it fits there.
    Bytes shownBytes(std::uint32_t number, const LabelledBand& band) const
    {
        // The last of equally tall columns is taken, as bands mostly grow.
        const BandSpan& tallest = *std::max_element(band.spans.rbegin(), band.spans.rend(),
            [](const BandSpan& left, const BandSpan& right) { return left.height() < right.height(); });
        const std::optional<Bytes> bytes = keyBytes(number, band, tallest);
        return bytes ? *bytes : m_picture.bytesIn(number, tallest.column);
    }

    std::array<LabelForm, 3> formsOf(const LabelledBand& band, Bytes bytes) const
    {
        const std::string& label = band.name.label;
        const SiteName name = splitName(label);
        const bool isUnique = name.place.empty() || m_sitesOfFunction.at(name.function) == 1;
        const std::string& shortName = isUnique ? name.function : name.place;
        const std::string size = formatBytes(bytes);
        const std::string whole = (band.name.isKept ? size + " kept" : size)
            + (m_picture.moment.empty() ? "" : " " + m_picture.moment);
        return {{{label, whole}, {shortName, size}, {shortName, {}}}};
    }

    double widthOf(const LabelForm& form) const
    {
        const double size = form.size.empty() ? 0 : kSizeGap + m_font.width(form.size, true);
        return std::ceil(m_font.width(form.name, false) + size + 2 * kLabelMargin);
    }

    Fit fitOf(std::uint32_t number, const LabelledBand& band, const LabelForm& form) const
    {
        const int columns = static_cast<int>(std::ceil(widthOf(form))) * m_picture.pixel;
        return {number, form, columns, labelRooms(band.spans, columns, m_rows)};
    }

    /// Returns the tallest span in the columns of a label.
    static const BandSpan& tallestIn(const LabelledBand& band, const LabelRoom& room, int columns)
    {
        const auto first = std::ranges::lower_bound(band.spans, room.column, {}, &BandSpan::column);
        return *std::max_element(first, first + columns,
            [](const BandSpan& a, const BandSpan& b) { return a.height() < b.height(); });
    }

    /// Labels bands that stay once each, as far right as the band is tall, with a common left edge if
    /// possible. Where a band ends in a slope, the rightmost place would be at its lower edge.
    void placeStaying(std::vector<BandLabelPlace>& labels)
    {
        std::vector<Fit> fits;
        for (const auto& [number, band] : m_bands) {
            if (!band.name.stays)
                continue;
            for (const LabelForm& form : formsOf(band, shownBytes(number, band))) {
                Fit fit = fitOf(number, band, form);
                if (fit.rooms.empty())
                    continue;
                fits.push_back(std::move(fit));
                break;
            }
        }
        const int edge = sharedEdge(fits);
        for (const Fit& fit : fits) {
            const std::vector<LabelRoom> tall = fit.tallRooms();
            const auto room = std::ranges::lower_bound(tall, edge, {}, &LabelRoom::column);
            const bool fitsAtEdge = room != tall.end() && room->column == edge;
            labels.push_back(labelAt(fit, fitsAtEdge ? *room : tall.back()));
            addSpares(fit, labels.back());
        }
    }

    /// Adds places further left, in case something covers the label.
    void addSpares(const Fit& fit, BandLabelPlace& label) const
    {
        for (int quarter = 3; quarter > 0; --quarter) {
            const int last = m_picture.width * quarter / 4 - fit.columns;
            const auto beyond = std::ranges::upper_bound(fit.rooms, last, {}, &LabelRoom::column);
            if (beyond == fit.rooms.begin())
                return;
            label.spares.push_back(*std::prev(beyond));
        }
    }

    /// Returns the column at which most labels can begin; if several columns are equal, the rightmost.
    int sharedEdge(const std::vector<Fit>& fits) const
    {
        std::vector<int> labelsAt(static_cast<std::size_t>(m_picture.width));
        for (const Fit& fit : fits)
            for (const LabelRoom& room : fit.tallRooms())
                ++labelsAt[static_cast<std::size_t>(room.column)];
        const auto busiest = std::max_element(labelsAt.rbegin(), labelsAt.rend());
        return m_picture.width - 1 - static_cast<int>(busiest - labelsAt.rbegin());
    }

    /// Returns the middle of the adjacent places from `first` on that cover the same rows.
    static std::size_t middleOfPlateau(const std::vector<LabelRoom>& rooms, std::size_t first)
    {
        std::size_t last = first;
        while (last + 1 < rooms.size() && rooms[last + 1].column == rooms[last].column + 1
            && rooms[last + 1].from == rooms[first].from && rooms[last + 1].to == rooms[first].to)
            ++last;
        return first + (last - first) / 2;
    }

    /// Labels each hump of the band that is far enough from the previous label.
    void placeRepeated(std::uint32_t number, const LabelledBand& band, std::vector<BandLabelPlace>& labels)
    {
        std::set<int> labelledColumns;
        const int minimumDistance = kRepeatDistance * m_picture.pixel;
        for (std::size_t formIndex = 0; formIndex < 3; ++formIndex) {
            const LabelForm sample = formsOf(band, shownBytes(number, band))[formIndex];
            const Fit fit = fitOf(number, band, sample);
            for (std::size_t i = 0; i < fit.rooms.size();) {
                std::size_t tallest = i;
                std::size_t end = i + 1;
                for (; end < fit.rooms.size() && fit.rooms[end].column == fit.rooms[end - 1].column + 1;
                     ++end)
                    if (fit.rooms[end].height() > fit.rooms[tallest].height())
                        tallest = end;
                i = end;
                tallest = middleOfPlateau(fit.rooms, tallest);
                const int column = fit.rooms[tallest].column;
                const auto next = labelledColumns.lower_bound(column);
                const bool isFarEnough = (next == labelledColumns.end() || *next - column >= minimumDistance)
                    && (next == labelledColumns.begin() || column - *std::prev(next) >= minimumDistance);
                if (!isFarEnough)
                    continue;
                const BandSpan& span = tallestIn(band, fit.rooms[tallest], fit.columns);
                const bool isAtKey
                    = m_picture.keyColumn >= column && m_picture.keyColumn < column + fit.columns;
                const std::optional<Bytes> atKey = isAtKey ? keyBytes(number, band, span) : std::nullopt;
                const Bytes bytes = atKey ? *atKey : m_picture.bytesIn(number, span.column);
                const Fit placed{number, formsOf(band, bytes)[formIndex], fit.columns, {}};
                if (static_cast<int>(widthOf(placed.form)) * m_picture.pixel > fit.columns)
                    continue;
                labels.push_back(labelAt(placed, fit.rooms[tallest]));
                labelledColumns.insert(column);
            }
        }
    }

    BandLabelPlace labelAt(const Fit& fit, const LabelRoom& room) const
    {
        return {.band = fit.number,
            .name = fit.form.name,
            .size = fit.form.size,
            .whole = m_bands.at(fit.number).name.label,
            .width = widthOf(fit.form),
            .columns = fit.columns,
            .room = room};
    }

    const LabelledPicture& m_picture;
    const LabelFont& m_font;
    int m_rows;
    std::map<std::uint32_t, LabelledBand> m_bands;
    std::map<std::string, int> m_sitesOfFunction; ///< Number of call sites in view
};

} // namespace

BandName nameOf(const BandGroup& group, BandMode mode)
{
    return {group.isUnnamed && mode == BandMode::Site ? "no stack" : group.label, group.isKept,
        group.isKept || staysByDesign(group.category)};
}

std::vector<BandLabelPlace> bandLabelPlaces(
    std::span<const BandSpan> spans, const LabelledPicture& picture, const LabelFont& font)
{
    if (spans.empty())
        return {};
    return LabelFinder(spans, picture, font).find();
}

} // namespace highwater
