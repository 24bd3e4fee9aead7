#include "core/figure/drawing/note_flag.h"

#include <array>

namespace highwater {

FigureColor noteColor(NoteColor color)
{
    static constexpr std::array<FigureColor, kNoteColorCount> kColors{
        0xb5303c, 0xa85a00, 0x1f7a33, 0x2a62a8, 0x84327e, 0x5c6068};
    return kColors[static_cast<std::size_t>(color)];
}

} // namespace highwater
