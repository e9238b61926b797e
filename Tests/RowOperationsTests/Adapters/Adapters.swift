/// Tests of the decisions between a list and its trackers, without a real list.
///
/// A number in brackets in a test's name is that of a quirk in the list below.
enum Adapters {}

// The quirks of real lists that an adapter has to translate:
//
//  2. New rows come on screen before old ones leave it.
//  3. Lists prepare cells ahead, and display a kept cell again without a call for a cell.
//  6. After a reload, old cells leave with old index paths, before or after new cells come.
//  7. After a deletion, an index path is out of bounds or belongs to a neighbour.
//  9. A covered list reports nothing about its cells.
// 10. A list bounces at its ends.
// 11. A jump is one pass; an animated jump shows some rows in between for a frame or two.
// 12. Wrong height estimates correct the offset while the list does not scroll.
// 13. Prefetched rows come nearest first, so in descending order when the list scrolls up.
// 14. At high speed a list prefetches nothing.
// 15. A list cancels prefetches in part, twice, too late, or not at all.
// 17. The resting position is known when the finger lifts.
// 18. The end of a scroll is not reported, or is reported after a newer scroll has begun.
// 21. SwiftUI repeats onAppear, omits onDisappear, and evaluates rows that never appear.
