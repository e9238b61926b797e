#pragma once

// All calls exist since GTK 4.6, so later deprecations are no warnings.
#define GDK_VERSION_MIN_REQUIRED (G_ENCODE_VERSION(4, 6))

#include <glib-unix.h>
#include <gtk/gtk.h>

// The main queue of Dispatch for another loop: the descriptor becomes readable when there is work, and
// the callback does the work. libdispatch exports both calls, but declares them in no header.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);
