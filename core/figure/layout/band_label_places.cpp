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
constexpr std::size_t kForms = 3; ///< Forms of a label
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

/// Returns the size with two decimals, since other bytes of the band may have them: "4.50 GiB" from "4.5
/// GiB".
std::string withDecimals(const std::string& size)
{
    const std::size_t end = std::min(size.find(' '), size.size());
    const std::size_t point = size.find('.');
    const std::size_t decimals = point < end ? end - point - 1 : 0;
    const std::string missing
        = (point < end ? "" : ".") + std::string(2 - std::min<std::size_t>(decimals, 2), '0');
    return size.substr(0, end) + missing + size.substr(end);
}

/// True for categories whose memory lives for many steps.
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
        std::size_t form = 0; ///< Index in the forms of the label, the longest first
        int columns = 0;
        std::vector<LabelRoom> rooms;
    };

    /// Returns the places that are nearly as tall as the tallest one.
    static std::vector<LabelRoom> tallOf(const std::vector<LabelRoom>& rooms)
    {
        std::vector<LabelRoom> tall;
        const int tallest = std::ranges::max_element(rooms, {}, &LabelRoom::height)->height();
        std::ranges::copy_if(rooms, std::back_inserter(tall),
            [&](const LabelRoom& room) { return room.height() >= kTallShare * tallest; });
        return tall;
    }

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

    bool isOverKey(const LabelRoom& room, int columns) const
    {
        return room.column <= m_picture.keyColumn && m_picture.keyColumn < room.column + columns;
    }

    std::vector<LabelRoom> roomsOverKey(const Fit& fit) const
    {
        std::vector<LabelRoom> overKey;
        std::ranges::copy_if(fit.rooms, std::back_inserter(overKey),
            [&](const LabelRoom& room) { return isOverKey(room, fit.columns); });
        return overKey;
    }

    /// True if the band is tall enough for a label in all columns from a label to the key moment, so that
    /// both seem to be the same memory. A band that stays is the same everywhere.
    bool reachesKey(const LabelledBand& band, const LabelRoom& room) const
    {
        if (band.name.stays)
            return true;
        const auto at
            = [&](int column) { return std::ranges::lower_bound(band.spans, column, {}, &BandSpan::column); };
        const auto [left, right] = std::minmax(room.column, m_picture.keyColumn);
        const auto first = at(left);
        const auto last = at(right);
        return first != band.spans.end() && last != band.spans.end() && first->column == left
            && last->column == right && last - first == right - left;
    }

    /// True if a label at a place would give other bytes than legend and tables give for the same band.
    bool wouldContradict(std::uint32_t number, const LabelRoom& room, int columns) const
    {
        if (m_picture.keyColumn < 0 || isOverKey(room, columns) || !reachesKey(m_bands.at(number), room))
            return false;
        const Bytes atKey = m_picture.bytesAtKey(number);
        return atKey > 0 && atKey != m_picture.bytesIn(number, room.column + columns / 2);
    }

    /// True if a label at a place has the bytes of the key moment. The band may have ended by then, as a
    /// column shows its highest moment.
    bool isOfKey(std::uint32_t number, const LabelRoom& room, int columns) const
    {
        return isOverKey(room, columns) && m_picture.bytesAtKey(number) > 0;
    }

    /// Returns the bytes of the band where it is tallest.
    Bytes mostBytes(std::uint32_t number, const LabelledBand& band) const
    {
        // The last of equally tall columns is taken, as bands mostly grow.
        const BandSpan& tallest = *std::max_element(band.spans.rbegin(), band.spans.rend(),
            [](const BandSpan& left, const BandSpan& right) { return left.height() < right.height(); });
        return m_picture.bytesIn(number, tallest.column);
    }

    std::array<LabelForm, kForms> formsOf(
        const LabelledBand& band, Bytes bytes, const std::string& moment) const
    {
        const std::string& label = band.name.label;
        const SiteName name = splitName(label);
        // The function alone may be that of other call sites, too.
        const std::string& shortName = name.place.empty() ? name.function : name.place;
        // Without the part, the bytes would read as the total of the call site.
        const std::string size = formatBytes(bytes) + (band.name.part.empty() ? "" : " " + band.name.part);
        const std::string whole = size + (moment.empty() ? "" : " " + moment);
        return {{{label, whole}, {shortName, size}, {shortName, {}}}};
    }

    double widthOf(const LabelForm& form) const
    {
        const double size = form.size.empty() ? 0 : kSizeGap + m_font.width(form.size, true);
        return std::ceil(m_font.width(form.name, false) + size + 2 * kLabelMargin);
    }

    int columnsOf(const LabelForm& form) const { return static_cast<int>(widthOf(form)) * m_picture.pixel; }

    /// Finds the places where a form of the label fits. The bytes are known only at a place, so there is room
    /// for two decimals.
    Fit fitOf(std::uint32_t number, const LabelledBand& band, std::size_t index) const
    {
        LabelForm form = formsOf(band, mostBytes(number, band), m_picture.columnMoment)[index];
        if (!form.size.empty())
            form.size = withDecimals(form.size);
        const int columns = columnsOf(form);
        return {number, index, columns, labelRooms(band.spans, columns, m_rows)};
    }

    /// Returns the places where the band is tall: where a band ends in a slope, the rightmost place would be
    /// at its lower edge. If some are over the key moment, returns only those.
    std::vector<LabelRoom> bestRooms(const Fit& fit) const
    {
        const std::vector<LabelRoom> overKey = roomsOverKey(fit);
        return tallOf(overKey.empty() ? fit.rooms : overKey);
    }

    /// Returns the longest form that fits over the key moment, else the longest one; none if none fits.
    std::optional<Fit> stayingFit(std::uint32_t number, const LabelledBand& band) const
    {
        std::optional<Fit> longest;
        for (std::size_t form = 0; form < kForms; ++form) {
            Fit fit = fitOf(number, band, form);
            if (fit.rooms.empty())
                continue;
            const bool givesBytes = form + 1 < kForms;
            if (givesBytes && !roomsOverKey(fit).empty())
                return fit;
            if (!longest)
                longest = std::move(fit);
        }
        return longest;
    }

    /// Labels bands that stay once each, as far right as possible, with a common left edge if possible.
    void placeStaying(std::vector<BandLabelPlace>& labels)
    {
        std::vector<Fit> fits;
        for (const auto& [number, band] : m_bands) {
            if (!band.name.stays)
                continue;
            if (std::optional<Fit> fit = stayingFit(number, band))
                fits.push_back(*std::move(fit));
        }
        const int edge = sharedEdge(fits);
        for (const Fit& fit : fits) {
            const std::vector<LabelRoom> best = bestRooms(fit);
            const auto room = std::ranges::lower_bound(best, edge, {}, &LabelRoom::column);
            const bool fitsAtEdge = room != best.end() && room->column == edge;
            labels.push_back(labelAt(fit, fitsAtEdge ? *room : best.back()));
            addSpares(fit, labels.back());
        }
    }

    /// Adds up to three places nearer to the left edge of the picture, in case something covers the label.
    void addSpares(const Fit& fit, BandLabelPlace& label) const
    {
        for (int quarter = 3; quarter > 0; --quarter) {
            const int last = m_picture.width * quarter / 4 - fit.columns;
            const auto beyond = std::ranges::upper_bound(fit.rooms, last, {}, &LabelRoom::column);
            if (beyond == fit.rooms.begin())
                return;
            label.spares.push_back(labelAt(fit, *std::prev(beyond)));
        }
    }

    /// Returns the column at which most labels can begin; if several columns are equal, the rightmost.
    int sharedEdge(const std::vector<Fit>& fits) const
    {
        std::vector<int> labelsAt(static_cast<std::size_t>(m_picture.width));
        for (const Fit& fit : fits)
            for (const LabelRoom& room : bestRooms(fit))
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

    /// Returns the label over the key moment with its bytes, in the longest form that fits there.
    std::optional<BandLabelPlace> labelOverKey(std::uint32_t number, const LabelledBand& band) const
    {
        for (std::size_t form = 0; form + 1 < kForms; ++form) {
            const Fit fit = fitOf(number, band, form);
            const std::vector<LabelRoom> rooms = roomsOverKey(fit);
            if (rooms.empty())
                continue;
            const auto tallest = std::ranges::max_element(rooms, {}, &LabelRoom::height);
            return labelAt(
                fit, rooms[middleOfPlateau(rooms, static_cast<std::size_t>(tallest - rooms.begin()))]);
        }
        return std::nullopt;
    }

    /// Labels the key moment, and each hump of the band that is far enough from the previous label.
    void placeRepeated(std::uint32_t number, const LabelledBand& band, std::vector<BandLabelPlace>& labels)
    {
        std::set<int> labelledColumns;
        if (std::optional<BandLabelPlace> label = labelOverKey(number, band)) {
            labelledColumns.insert(label->room.column);
            labels.push_back(*std::move(label));
        }
        const int minimumDistance = kRepeatDistance * m_picture.pixel;
        for (std::size_t form = 0; form < kForms; ++form) {
            const Fit fit = fitOf(number, band, form);
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
                labels.push_back(labelAt(fit, fit.rooms[tallest]));
                labelledColumns.insert(column);
            }
        }
    }

    /// Returns the label at a place, in a shorter form if the bytes there are too long, and without bytes if
    /// those would contradict the legend.
    BandLabelPlace labelAt(const Fit& fit, const LabelRoom& room) const
    {
        const LabelledBand& band = m_bands.at(fit.number);
        const auto forms = isOfKey(fit.number, room, fit.columns)
            ? formsOf(band, m_picture.bytesAtKey(fit.number), m_picture.keyMoment)
            : formsOf(
                band, m_picture.bytesIn(fit.number, room.column + fit.columns / 2), m_picture.columnMoment);
        std::size_t index = fit.form;
        if (wouldContradict(fit.number, room, fit.columns))
            index = kForms - 1;
        while (index + 1 < kForms && columnsOf(forms[index]) > fit.columns)
            ++index;
        const LabelForm& form = forms[index];
        return {.band = fit.number,
            .name = form.name,
            .size = form.size,
            .whole = band.name.label,
            .width = widthOf(form),
            .columns = fit.columns,
            .room = room};
    }

    const LabelledPicture& m_picture;
    const LabelFont& m_font;
    int m_rows;
    std::map<std::uint32_t, LabelledBand> m_bands;
};

} // namespace

BandName nameOf(const BandGroup& group, BandMode mode)
{
    const bool isReason = group.isUnnamed && mode == BandMode::Site && group.label == group.key;
    return {isReason ? "no stack" : group.label, group.part, group.isKept || staysByDesign(group.category)};
}

std::vector<BandLabelPlace> bandLabelPlaces(
    std::span<const BandSpan> spans, const LabelledPicture& picture, const LabelFont& font)
{
    if (spans.empty())
        return {};
    return LabelFinder(spans, picture, font).find();
}

} // namespace highwater
