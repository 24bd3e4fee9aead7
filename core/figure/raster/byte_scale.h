#pragma once

namespace highwater {

/// The mapping of bytes to rows of pixels. Row 0 is the lowest and covers [bottomBytes, bottomBytes +
/// bytesPerPixel).
struct ByteScale
{
    double bottomBytes = 0;
    double bytesPerPixel = 1;
};

} // namespace highwater
