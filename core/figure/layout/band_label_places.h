#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/base/units.h"
#include "core/figure/layout/label_room.h"

/// Decides which bands get labels, with which texts and where, for the window and for figures.
namespace highwater {

/// The name of a band, and how it is labelled.
struct BandName
{
    std::string label;
    std::string part = {}; ///< As `BandGroup::part`
    bool stays = false; ///< Lives for many steps, so it is labelled once
};

/// Returns the name of a group of the stacking.
BandName nameOf(const BandGroup& group, BandMode mode);

/// The bands of a picture. The functions must be valid only during the call of `bandLabelPlaces`.
struct LabelledPicture
{
    int width = 0; ///< In columns
    int pixel = 1; ///< Columns and rows of the picture per pixel of the text
    std::function<BandName(const BandSpan&)> nameOf;
    std::function<Bytes(std::uint32_t band, int column)> bytesIn;
    /// The column of the moment at which the texts around the picture give figures; −1 if it is not in view.
    int keyColumn = -1;
    std::function<Bytes(std::uint32_t band)> bytesAtKey = {}; ///< At that moment; needed if it is in view
    /// Follow the bytes of a column, and those of the key moment, where there is room: "at the peak of these
    /// steps", "at the peak". Both may be empty.
    std::string columnMoment = {};
    std::string keyMoment = {};
};

/// Sizes of a label's text, in pixels.
struct LabelFont
{
    std::function<double(const std::string& text, bool bold)> width;
    double height = 0; ///< Height of a label
};

inline constexpr double kLabelMargin = 8; ///< In pixels, left and right of a label's text

/// A label and the places found for it.
struct BandLabelPlace
{
    std::uint32_t band = 0;
    std::string name;
    std::string size = {}; ///< The bytes, in bold; may be empty
    std::string whole = {}; ///< The name, not shortened, without the bytes
    double width = 0; ///< In pixels, with margins
    int columns = 0; ///< Columns that are kept free for the label
    LabelRoom room;
    /// Other places, used if something covers this one; only for bands that stay.
    std::vector<BandLabelPlace> spares = {};
};

/// Finds labels: each band with enough space gets one, in the longest form that fits completely. The figure
/// is that of the band in the middle of the label; of the key moment if the label is over it, so that it
/// agrees with legend and tables.
/// - A band is labelled over the key moment if possible, in a shorter form if need be.
/// - A label elsewhere leaves out the bytes if the band has other bytes there than at the key moment.
/// - A band that stays is labelled once. If the key moment is not in view, its label is as far right as the
///   band is tall enough for it.
/// - A band that comes and goes is labelled again on each hump that is far from the previous label, in the
///   tallest part of the hump.
/// `spans` are ordered by column. O(spans × log bands).
std::vector<BandLabelPlace> bandLabelPlaces(
    std::span<const BandSpan> spans, const LabelledPicture& picture, const LabelFont& font);

} // namespace highwater
