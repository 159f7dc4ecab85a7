#include "close_window.h"

#include <algorithm>
#include <memory>
#include <span>

// The header defines common words as macros: it stays in this file.
#include <X11/Xlib.h>

namespace fovea::test {

namespace {

Window child_named(Display* display, const std::string& name) {
    Window root = 0, parent = 0, found = 0;
    Window* children = nullptr;
    unsigned count = 0;
    if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count))
        return 0;
    for (const Window child : std::span(children, count)) {
        char* title = nullptr;
        if (XFetchName(display, child, &title) && name == title) found = child;
        if (title) XFree(title);
    }
    if (children) XFree(children);
    return found;
}

bool takes_part(Display* display, Window window, Atom protocol) {
    Atom* protocols = nullptr;
    int count = 0;
    if (!XGetWMProtocols(display, window, &protocols, &count)) return false;
    const bool listed = std::count(protocols, protocols + count, protocol) > 0;
    XFree(protocols);
    return listed;
}

} // namespace

bool close_window(const std::string& name) {
    const std::unique_ptr<Display, int (*)(Display*)> display(XOpenDisplay(nullptr), XCloseDisplay);
    if (!display) return false;
    const Atom please_close = XInternAtom(display.get(), "WM_DELETE_WINDOW", False);
    const Window window = child_named(display.get(), name);
    if (!window || !takes_part(display.get(), window, please_close)) return false;
    XEvent event = {};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display.get(), "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = long(please_close);
    return XSendEvent(display.get(), window, False, NoEventMask, &event) != 0;
}

} // namespace fovea::test
