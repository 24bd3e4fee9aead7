#pragma once

#include "app/workspace/notes/note_list.h"

class QWidget;

namespace highwater::gui {

class DocumentPage;

/// Adds "Save picture" and "Copy picture" to the charts of a page that are drawn as figures (core/figure):
/// the timeline's visible events, the steps, and the segments at their moment, each with the flags of the
/// notes. `notes` must outlive the page.
void offerPictures(DocumentPage& page, const NoteList& notes);
/// Does the same for the other charts inside `window`, which are saved as they paint themselves.
void offerOtherPictures(QWidget& window);

} // namespace highwater::gui
