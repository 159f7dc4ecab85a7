// Asks a window to close, as a window manager does when its close button is pressed.
#pragma once

#include <string>

namespace fovea::test {

/// Sends WM_DELETE_WINDOW to the window of that name on the display of DISPLAY; false if there is
/// no such window or it does not take part in the protocol (ICCCM 4.2.8.1).
bool close_window(const std::string& name);

} // namespace fovea::test
