#pragma once

// What this uses is there since GTK 4.6; what was deprecated later is no news.
#define GDK_VERSION_MIN_REQUIRED (G_ENCODE_VERSION(4, 6))

#include <glib-unix.h>
#include <gtk/gtk.h>

// The main queue of Dispatch as another loop serves it: the descriptor becomes readable when there is
// work, and the callback does it. libdispatch exports both; no header of its own declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);
