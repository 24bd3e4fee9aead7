#pragma once

#include "app/views/report/block_setter.h"
#include "core/report/model/rich_text.h"

namespace highwater::gui {

/// Writes formatted text of the user, such as a note. Headings are smaller than those of the report, and
/// links can be clicked; on paper the target of a link follows its text.
void setRichText(BlockSetter& setter, const RichText& text);

} // namespace highwater::gui
