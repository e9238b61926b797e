import Foundation

/// Loads the rows of a list and renders each value in the right cells.
///
/// Report the list's events. The tracker loads the rows that are needed, cancels the others, and
/// renders each cell with the phase of its own row.
///
/// ```swift
/// let tracker = DisplayTracker<Photo.ID, Thumbnail> { context in
///   let data = try await context.stage(.fetch) { try await download(context.row) }
///   return try await context.stage(.decode) { try decode(data) }
/// }
///
/// tracker.bind(cell, to: photo.id) { cell, phase in cell.show(phase.value) }  // cellFor
/// tracker.willDisplay(cell)
/// tracker.didEndDisplaying(cell)
/// ```
///
/// **One rule**: a row is displayed while a displayed cell is bound to it. So the order of `bind`
/// and `willDisplay` does not matter, binding a displayed cell to another row moves its claim, and
/// a cell that is bound but not displayed starts nothing. Several cells can display one row.
///
/// **Claims**: a row's work lives while the row has a ``RowClaim``, and then for the
/// configuration's `grace`. A free slot goes to the row that loses most by waiting.
///
/// **Turns**: calls only record events. The next turn of the main queue commits arrived values,
/// displayed rows first, evaluates changed claims, fills free slots, and renders each displayed
/// cell of a changed row once.
///
/// **Rendering**: `bind` renders its cell before it returns. Afterwards a cell is rendered at each
/// change while it is displayed, and when it comes on screen with outdated content. A cell off
/// screen is rendered in four cases: a value or a failure arrives before the first display since
/// its binding, it takes ``RenderMoment/leaving``, or it becomes idle, since its host is bound to
/// another row or its own row is removed.
///
/// **Rows**: equal rows may have other contents, such as an address that expires. The closures get
/// the instance that the app has passed last. A running load keeps its own, and a newer instance
/// alone loads nothing.
///
/// **Threading**: everything happens on the main actor, and no call blocks. Update closures run
/// elsewhere.
///
/// **Re-entrancy**: every closure, and the `deinit` of every object that the tracker releases, may
/// call the tracker. Such a call takes effect before it returns; its renders, starts, cancels and
/// events follow those already pending. A row's `==` and `hash(into:)` may not call it.
///
/// **Cost**: each event is O(1), and a turn is O(changes). A turn also looks at all waiting rows
/// once for each load that it starts, also for one that has nothing to load. A row that scrolls
/// past costs a few look-ups and no operation.
///
/// **Lifetime**: when the tracker is deallocated, its operations are cancelled.
///
/// For the calls of each kind of list, see <doc:OtherLists>.
@MainActor
public final class DisplayTracker<Row: Hashable & Sendable, Value: Sendable> {
  @usableFromInline package let core: TrackerCore
  @usableFromInline let store: TrackerStore<Row, Value>
  /// Compiled for the app's types.
  let makeOrder: OrderMaker

  package var configuration: TrackerConfiguration<Row, Value> { store.configuration }

  /// Makes a tracker that loads rows with a closure.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tracker.
  ///   - update: Makes a row's value, in stages; runs off the main actor. Its error is the row's
  ///     failure.
  @inlinable
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    update: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Value
  ) {
    self.init(
      configuration: configuration,
      operation: { UpdateOperation(token: $0, update: update) })
  }

  /// Makes a tracker that loads rows with operations of your own.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tracker.
  ///   - operation: Makes a new operation with the token, when a slot is free for the row. `nil`
  ///     means that there is nothing to load, until the row is invalidated.
  @inlinable
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    operation: @escaping @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  ) {
    let store = TrackerStore<Row, Value>(configuration)
    self.init(store) { store.makeUpdate(of: $0[0], $1, operation) }
  }

  /// Makes a tracker that loads several rows with one request.
  ///
  /// ```swift
  /// let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) {
  ///   try await api.people($0.rows)  // [Person.ID: Person]
  /// }
  /// ```
  ///
  /// A free slot takes the row that loses most by waiting and up to `size` - 1 more, in the order
  /// of their claims. Prefetched rows ride only beside prefetched rows. See <doc:LoadingInBatches>.
  ///
  /// **Threading**: `update` runs off the main actor, in one operation for each batch.
  ///
  /// **Cancellation**: a row leaves its batch when its claim ends, and may come back until the
  /// batch ends. When the last row has left, the operation is cancelled after the `grace`.
  ///
  /// **Ordering**: the values of an answer are committed in one turn, displayed rows first.
  ///
  /// **Errors**: a thrown error is the failure of all rows that still wait. They load again in
  /// halves, and only a row that fails alone comes nearer to being given up. A row without a value
  /// in the answer fails with `OperationError.Code.missingFromBatch`, and is not retried.
  ///
  /// **Cost**: O(rows) for each batch, and O(waiting rows) for its choice.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tracker.
  ///   - size: The largest number of rows in a batch. Less than one counts as one.
  ///   - update: Loads the values of `rows`; an answer may be without some of them.
  @inlinable
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    batchesOf size: Int,
    update: @escaping @Sendable (BatchContext<Row>) async throws -> [Row: Value]
  ) {
    let store = TrackerStore<Row, Value>(configuration)
    self.init(
      store, batchSize: max(size, 1), readOutcome: { store.outcome(ofBatch: $0, $1) },
      makeUpdate: { store.makeBatch(of: $0, $1, update) })
  }

  @inlinable
  convenience init(
    _ store: TrackerStore<Row, Value>, batchSize: Int = 0,
    readOutcome: TrackerCore.Reader? = nil,
    makeUpdate: @escaping TrackerCore.Maker
  ) {
    // No `??`: its closure would check its actor at run time (figure B13).
    var ofRow: TrackerCore.Reader = { update, _ in store.outcome(of: update) }
    if let readOutcome { ofRow = readOutcome }
    let core = TrackerCore(
      store, batchSize: batchSize, makeUpdate: makeUpdate, readOutcome: ofRow,
      forgetRows: { store.rows.remove($0, to: &$1) })
    self.init(core, store, makeOrder: { store.order(of: $0, $1, displayed: $2) })
  }

  @usableFromInline
  typealias OrderMaker =
    @MainActor (RowSource<Row>, Int, _ displayed: (@MainActor () -> [Row])?) ->
    NumberedOrder

  @usableFromInline
  init(
    _ core: TrackerCore, _ store: TrackerStore<Row, Value>, makeOrder: @escaping OrderMaker
  ) {
    self.core = core
    self.store = store
    self.makeOrder = makeOrder
    if let report = store.configuration.onImpression {
      let watch = ImpressionWatch(
        time: store.configuration.impressionTime, share: store.configuration.impressionShare,
        visibleShare: { [weak self] in self?.visibleShare(of: $0) ?? 0 },
        report: report)
      store.impressions = watch
      core.follower = watch
    }
  }

  // MARK: Cells

  /// Binds a cell to a row, or to none.
  ///
  /// Call it each time the list requests a cell, also for rows without anything to load: a cell
  /// that is not bound anew goes on showing its old row. `render` is called before `bind` returns,
  /// then at each change while the cell is displayed, and never for another row. Binding the same
  /// row again keeps the row's work and replaces `render`.
  ///
  /// In its own render, a cell that is bound to its row again is not rendered. One that is bound to
  /// another row is rendered at once, and once more when the render has returned. Renders that go
  /// on so are reported to `OperationDiagnostics.onMisuse`, and end.
  ///
  /// Binding a cell to another row unbinds the views inside it: bind the cell first, then its
  /// views.
  ///
  /// **Cost**: O(1), and O(views inside the cell) if the row is another one.
  ///
  /// - Parameters:
  ///   - cell: Any object that represents a spot on screen, such as a UIKit cell or a GTK list
  ///     item's box. Held weakly.
  ///   - row: The row's identity in your model, not an index path. `nil` unbinds the cell, which is
  ///     rendered once as ``RowPhase/idle``.
  ///   - render: Shows a phase in the cell, on the main actor. Do not capture the cell.
  @inlinable
  public func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row?, render: @escaping @MainActor (Cell, RowPhase<Value>) -> Void
  ) {
    bind(cell, to: row, inside: nil, render)
  }

  /// Binds a view inside a cell, a header or another view to a row, or to none.
  ///
  /// The view is displayed while its host is. If you also pass the view to ``willDisplay(_:)`` or
  /// ``didEndDisplaying(_:)``, as the cells of a carousel, its own last report counts too. Hosts
  /// nest to any depth. Report the displays of a host, even if it has no row itself.
  ///
  /// Binding a host to another row, or to `nil`, unbinds every view inside it and renders it once
  /// as ``RowPhase/idle``. Binding a view in another host, or without one, moves it at once.
  ///
  /// **Errors**: a host that is the view, or lies inside it, is ignored and reported to
  /// `OperationDiagnostics.onMisuse`.
  ///
  /// **Cost**: O(hosts around the view), and O(views inside the view) if the row is another one.
  ///
  /// - Parameters:
  ///   - view: Any object that represents a spot inside the host. Held weakly.
  ///   - row: The row's identity in your model; `nil` unbinds the view.
  ///   - host: The cell, header or view that holds the view. Held weakly; without it the view is
  ///     not displayed.
  ///   - render: Shows a phase in the view, on the main actor. Do not capture the view.
  @inlinable
  public func bind<View: AnyObject>(
    _ view: View, to row: Row?, in host: AnyObject,
    render: @escaping @MainActor (View, RowPhase<Value>) -> Void
  ) {
    bind(view, to: row, inside: host, render)
  }

  @inlinable
  func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row?, inside host: AnyObject?,
    _ render: @escaping @MainActor (Cell, RowPhase<Value>) -> Void
  ) {
    // No `map`: its closure would check its actor at run time (figure B12).
    let id: RowID? = if let row { prepare(row) } else { nil }
    core.bind(cell, to: id, in: host, rendersLeaving: false) { object, content in
      guard let cell = object as? Cell else { return }
      render(cell, RowPhase(content))
    }
  }

  /// Unbinds a cell, and renders nothing.
  ///
  /// The call is not needed before a cell is bound anew or deallocated. Views inside the cell are
  /// unbound too, and rendered once as ``RowPhase/idle``.
  public func unbind(_ cell: AnyObject) { enter(.unbind(cell: cell)) }

  /// Reports that a cell came on screen.
  ///
  /// It may come before a `bind`, or again without one. A cell with outdated content is rendered at
  /// once.
  public func willDisplay(_ cell: AnyObject) { core.willDisplay(cell) }

  /// Reports that a cell left the screen.
  ///
  /// The call concerns the row of the cell's binding. Unknown cells and repeated calls are ignored.
  /// The cell's `deinit` may call it.
  public func didEndDisplaying(_ cell: AnyObject) { core.didEndDisplaying(cell) }

  /// Reports all cells on screen, which repairs missed and superfluous events.
  ///
  /// Known cells that are missing from the call count as off screen. Views follow their hosts.
  ///
  /// O(cells that the tracker knows).
  ///
  /// - Parameter displayedCells: All cells on screen, bound or not.
  public func reconcile<Cell: AnyObject>(displayedCells: some Sequence<Cell>) {
    enter(.reconcile(cells: displayedCells.map { $0 as AnyObject }))
  }

  // MARK: Inputs

  /// Takes any input of a list or an app, for adapters and scripts.
  ///
  /// Inputs that need more than they hold are ignored: those that bind cells, set values, let time
  /// pass, or come from loads or lists with positions.
  package func receive(_ input: TrackerInput<Row, AnyObject>) {
    switch input {
    case .cellFor, .viewFor, .deallocate, .show, .report, .finish, .fail, .miss, .element,
      .endStream, .failStream, .setValue, .time, .listRows, .itemRows, .showPositions:
      break
    case .passEnd: core.takeTurn()
    case .prefetch(let rows): prefetch(rows)
    case .setOrder(let rows): setOrder(rows)
    case .scrollWillEnd(let rows): scrollWillEnd(landingOn: rows)
    case .listScrollWillEnd(let rows, let list): scrollWillEnd(landingOn: rows, inList: list)
    case .remove(let rows): remove(rows)
    case .removeAll: removeAll()
    case .rename(let old, let new): rename(old, to: new)
    case .willDisplay, .didEndDisplaying, .cancelPrefetch, .retry, .invalidate, .invalidateAll,
      .removeCachedValues, .cover, .background, .unbind, .reconcile, .scrollWillBegin,
      .scrollDidMove, .scrollDidSettle, .listScrollWillBegin, .listScrollDidMove,
      .listScrollDidSettle, .suspend, .resume, .networkDidReturn:
      enter(named: input)
    }
  }

  /// Enters an input without its unknown rows.
  func enter(named input: TrackerInput<Row, AnyObject>) {
    var renews = true
    if case .cancelPrefetch = input { renews = false }
    let known = input.map(
      row: { row in knownID(of: row).map { renews ? renewed($0, row) : $0 } }, cell: { $0 })
    if let known { enter(known) }
  }

  private func renewed(_ id: RowID, _ row: Row) -> RowID {
    guard store.rows[id] == row else { return id }
    if let old = store.rows.replace(id, by: row) { core.replaced(id, old) }
    return id
  }

  /// The inputs of each row that scrolls past have faster paths.
  func enter(_ input: TrackerInput<RowID, AnyObject>) { core.enter(input) }
}
