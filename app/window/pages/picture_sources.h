#pragma once

#include "app/workspace/notes/note_list.h"

class QWidget;

namespace highwater::gui {

class DocumentPage;

/// Adds "Save picture" and "Copy picture" to the timeline of a page. `notes` must outlive the page.
void offerTimelinePicture(DocumentPage& page, const NoteList& notes);
/// Adds the same commands to the other charts that are inside `window` by now; their pictures are what they
/// paint.
/// The two timelines of a comparison are one picture.
void offerOtherPictures(QWidget& window);

} // namespace highwater::gui
