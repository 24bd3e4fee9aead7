#pragma once

#include "app/views/report/block_setter.h"
#include "core/report/model/rich_text.h"

namespace highwater::gui {

/// Sets what the user wrote: headings are small ones, links go where they say. On paper the target of a link
/// stands behind its text.
void setRichText(BlockSetter& setter, const RichText& text);

} // namespace highwater::gui
