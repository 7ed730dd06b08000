// Ctrl-C. What a store does is atomic, so the program may end anywhere; but whoever presses it
// wants to know how far it came. So the first one only leaves a note, which loops look at, and the
// second ends the program at once.
#pragma once

namespace logwood::cli {

/// From now on. Does nothing where the program was started so that it does not hear Ctrl-C.
void heed_interrupts();

[[nodiscard]] bool was_interrupted();

/// Can be read once it was: for who waits for something else too, as a signal that comes just
/// before a call that waits does not end it. -1 where nobody heeds.
[[nodiscard]] int interrupt_descriptor();

}  // namespace logwood::cli
