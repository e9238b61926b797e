extension ContiguousArray {
  /// Appends, growing by an eighth at a time.
  ///
  /// Doubling would leave these tables, most of a tracker's memory per row, a third empty on
  /// average (figure B9).
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 8 + 16) }
    append(element)
  }

  /// Large enough to release its memory.
  @inlinable
  var isLarge: Bool { count > 1024 }

  /// Empties a large table.
  @inlinable
  mutating func releaseMemory() {
    if isLarge { self = [] }
  }

  /// Appends copies until the index is valid.
  // The check alone is inlined: most indices are valid (figure B12).
  @inlinable
  @inline(__always)
  mutating func extend(to index: Int, with element: Element) {
    if count <= index { grow(to: index, with: element) }
  }

  @inlinable
  @inline(never)
  mutating func grow(to index: Int, with element: Element) {
    while count <= index { appendSparingly(element) }
  }
}

extension RangeReplaceableCollection {
  /// Keeps the memory, unless there were many elements.
  mutating func emptyForReuse() { removeAll(keepingCapacity: count <= 256) }
}

extension Array {
  /// The index of the first element that satisfies a condition, as do all after it, or the count;
  /// O(log n).
  @inline(__always)
  func firstIndexInOrder(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Sequence {
  /// Sorts by ascending number, stably; O(n · log n).
  ///
  /// Each type of element that is sorted by itself adds some 4 KB to the library.
  func sorted(byNumber number: (Element) -> Double) -> [Element] {
    let elements = Array(self)
    return order(of: elements.map(number)).map { elements[$0] }
  }
}

/// The indices of numbers, that of the lowest one first.
@inline(never)
private func order(of numbers: [Double]) -> [Int] {
  numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
}

extension ContiguousArray {
  /// Removes and returns the last 8 elements at most.
  ///
  /// This bounds the releases of one step, since the app's objects may run code in `deinit`.
  mutating func takeSome() -> ContiguousArray {
    var taken = ContiguousArray()
    guard count > 8 else {
      taken.reserveCapacity(8)
      swap(&taken, &self)
      return taken
    }
    taken.append(contentsOf: suffix(8))
    removeLast(8)
    return taken
  }
}
