/// The decisions that lie between a host and its trackers, without the host.
///
/// The numbers of quirks in the names of tests are those of the list at the end of this file.
enum Adapters {}

// What real lists do, as far as an adapter has to translate it:
//
//  2. New rows come before old ones leave.
//  3. Cells are prepared ahead; a kept one is displayed again without being asked for.
//  6. After a reload, old cells leave with old index paths, before or after the new ones come.
//  7. After deletions, index paths are out of bounds or a neighbour's.
//  9. A covered list says nothing of its cells.
// 10. At its ends a list bounces.
// 11. A jump is one pass; an animated one shows some rows in between for a frame or two.
// 12. Estimated heights turn out wrong, and correct the offset while nobody scrolls.
// 13. Prefetching comes nearest first, which upwards is in descending order.
// 14. At high speed nothing is prefetched.
// 15. A prefetch may be taken back in part, twice, in vain, or not at all.
// 17. Where the list will rest is known when the finger lets go.
// 18. Ends of scrolls get lost, or come when a newer one has begun.
// 21. SwiftUI repeats onAppear, leaves out onDisappear, and evaluates rows that never appear.
