#pragma once

#include "app/views/report/block_setter.h"
#include "core/report/model/rich_text.h"

namespace highwater::gui {

/// Writes formatted text of the user: headings are small, links can be clicked. On paper the target of a link
/// follows its text.
void setRichText(BlockSetter& setter, const RichText& text);

} // namespace highwater::gui
