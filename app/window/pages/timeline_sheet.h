#pragma once

#include "app/views/picture/picture_sheet.h"
#include "app/workspace/notes/note_list.h"

namespace highwater::gui {

class DocumentPage;

/// Returns the picture of a page's timeline as it is on screen, with lanes, bands, markers, axis, legend,
/// cursor, pinned allocation, range and highlight, but without what the mouse points at. It is drawn by
/// widgets of the same kinds, laid out for the room. Empty if the page shows no device. Takes as long as
/// rendering the bands once.
Picture timelinePicture(DocumentPage& page, const NoteList& notes, const PictureRoom& room);

} // namespace highwater::gui
