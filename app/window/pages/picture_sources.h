#pragma once

#include "app/workspace/notes/note_list.h"

class QWidget;

namespace highwater::gui {

class DocumentPage;

/// Lets the pictures of a page be kept as figures (core/figure) of what they show now: the timeline's visible
/// events, the steps, the segments at their moment; with the flags of the notes, which must outlive the page.
void offerPictures(DocumentPage& page, const NoteList& notes);
/// Charts below the widget that no figure is made of: as they paint themselves.
void offerOtherPictures(QWidget& window);

} // namespace highwater::gui
