import Foundation

/// Loads the rows of a list and renders each value in the right cells.
///
/// Report the list's events by cell and row id. The tracker loads the rows that are needed, cancels
/// the others, and renders each cell with the phase of its own row alone.
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
/// **One rule**: being displayed belongs to the cell; the row belongs to the binding. A row is
/// displayed while a displayed cell, or several, is bound to it. So `bind` and `willDisplay` come
/// in any order, binding a displayed cell to another row moves its claim, and a cell not displayed
/// starts nothing.
///
/// **Claims**: a row's work lives while the row is displayed, prefetched, or where the list will
/// rest. A free slot goes to the row that loses most by waiting. Without a claim a load runs on for
/// the configuration's `grace`.
///
/// **Turns**: calls only record events. The next turn of the main queue commits arrived values,
/// displayed rows first, and evaluates changed claims. Then it fills free slots and renders each
/// displayed cell of a changed row once.
///
/// **Rendering**: `bind` renders its cell before it returns. Afterwards a displayed cell is
/// rendered at each change, and when it comes on screen with outdated content. A cell off screen is
/// rendered in three cases. A value or a failure arrives before the first display since its
/// binding. It has just left and takes ``RenderMoment/leaving``. Or it becomes idle, since its host
/// is bound to another row or its own row is removed.
///
/// **Rows**: equal rows may have other contents, such as an address that expires. The closures get
/// the instance that `bind`, `prefetch`, `refresh`, `invalidate`, `retry`, `setValue` or an order
/// has passed last. A running load keeps its own, and a newer instance alone loads nothing.
///
/// **Threading**: all but update closures runs on the main actor, and no call blocks.
///
/// **Re-entrancy**: every closure, and the `deinit` of every released object, may call the tracker.
/// Such a call takes effect before it returns; its effects follow those already pending. A row's
/// `==` and `hash(into:)` may not.
///
/// **Cost**: each event is O(1), and a turn is O(changes). While the list moves, a turn also looks
/// at all waiting rows for each load that it starts. A row that scrolls past costs a few look-ups
/// and no operation.
///
/// **Lifetime**: when the tracker is deallocated, its operations are cancelled.
///
/// For the calls of each kind of list, see <doc:OtherLists>.
@MainActor
public final class DisplayTracker<Row: Hashable & Sendable, Value: Sendable> {
  @usableFromInline package let core: TrackerCore
  @usableFromInline let store: TrackerStore<Row, Value>
  /// Compiled for the app's types, like ``TrackerClosures``.
  @usableFromInline let makeOrder: OrderMaker

  package var configuration: TrackerConfiguration<Row, Value> { store.configuration }

  /// Makes a tracker that loads rows with a closure.
  ///
  /// - Parameter update: Makes a row's value, in stages, off the main actor; its error is the row's
  ///   failure.
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
  /// - Parameter operation: Makes the operation that loads a row with the token, when a slot is
  ///   free. With `nil` there is nothing to load until the row is invalidated.
  @inlinable
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    operation: @escaping @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  ) {
    self.init(TrackerStore<Row, Value>(configuration, operation))
  }

  /// Makes a tracker that loads rows in batches, with one request for several rows.
  ///
  /// ```swift
  /// let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) {
  ///   try await api.people($0.rows)  // [Person.ID: Person]
  /// }
  /// ```
  ///
  /// A free slot takes the row that loses most by waiting and up to `size` - 1 more, in the order
  /// of claims. Prefetched rows ride only beside prefetched rows. See <doc:LoadingInBatches>.
  ///
  /// **Threading**: `update` runs off the main actor, in one operation for each batch.
  ///
  /// **Cancellation**: a row leaves its batch when its claim ends, and may come back. Once all have
  /// left, the operation is cancelled after the `grace`.
  ///
  /// **Ordering**: the values of an answer are committed in one turn, displayed rows first.
  ///
  /// **Errors**: a thrown error fails all rows that still wait. They load again in halves; only a
  /// row that fails alone comes nearer to being given up. A row missing from the answer fails with
  /// `OperationError.Code.missingFromBatch` and is not retried by itself. Values of other rows are
  /// ignored.
  ///
  /// **Cost**: O(rows) for each batch, and O(waiting rows) for its choice.
  ///
  ///   - size: The largest number of rows; less than one counts as one.
  ///   - update: Loads the values of `rows`, or of some of them.
  @inlinable
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    batchesOf size: Int,
    update: @escaping @Sendable (BatchContext<Row>) async throws -> [Row: Value]
  ) {
    let store = TrackerStore<Row, Value>(configuration) { _ in nil }
    let batches = BatchClosures(
      make: { store.makeBatch($0, $1, update) },
      take: { store.take($0, $1, $2, $3) },
      end: { store.endBatch($0, isCurrent: $1, $2) },
      step: { store.stepBatch($0, $1) },
      report: { store.report($0) },
      names: { store.names(of: $0) })
    self.init(store, batchSize: size, batches)
  }

  @inlinable
  convenience init(
    _ store: TrackerStore<Row, Value>, batchSize: Int? = nil, _ batches: BatchClosures? = nil
  ) {
    let closures = TrackerClosures(
      forgetRows: { store.forgetRows($0) },
      lookUp: { store.lookUp($0, $1) },
      make: { store.make($0, $1) },
      end: { store.end($0, $1, isCurrent: $2, $3) },
      step: { store.step($0, $1) },
      openStream: { store.openStream($0, $1) },
      takeElement: { store.takeElement(of: $0, $1, $2) },
      isRetryable: { store.configuration.allowsRetry(after: $0) },
      dropStep: { store.dropStep($0) },
      dropValue: { store.dropValue($0) },
      releaseDiscarded: { store.releaseDiscarded() },
      report: { store.report($0, $1, $2) },
      committed: { store.committed($0) },
      batches: batches)
    let core = TrackerCore(
      TrackerOptions(store.configuration, store.live, batchSize: batchSize), closures: closures)
    self.init(core, store, makeOrder: { store.order(of: $0, displayed: $1) })
  }

  @usableFromInline
  typealias OrderMaker =
    @MainActor (RowSource<Row>, _ displayed: (@MainActor () -> [Row])?) -> NumberedOrder

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
  /// Call it for each requested cell, also without anything to load: else the cell goes on showing
  /// its old row. `render` is called before `bind` returns, then at each change while displayed,
  /// and never after a binding to another row. Binding the same row again keeps the row's work and
  /// replaces `render`.
  ///
  /// In its own render, a cell that is bound to its row again is not rendered anew. One bound to
  /// another row is rendered at once, and once more when the render has returned. Endless renders
  /// of this kind are reported to `OperationDiagnostics.onMisuse`, and end.
  ///
  /// Binding to another row unbinds the views inside the cell: bind the cell first, then its views.
  ///
  /// **Cost**: O(1), and O(views inside the cell) if the row is another one.
  ///
  /// - Parameters:
  ///   - cell: Held weakly; any object for a spot on screen: a UIKit cell, a SwiftUI row's state
  ///     object, a GTK list item's box.
  ///   - row: An identity in your model, not an index path. `nil` unbinds the cell and renders it
  ///     once as ``RowPhase/idle``.
  ///   - render: Called on the main actor. Do not capture the cell.
  @inlinable
  public func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row?, render: @escaping @MainActor (Cell, RowPhase<Value>) -> Void
  ) {
    bind(cell, to: row, inside: nil, render)
  }

  /// Binds a view inside a cell, a header or another view to a row, or to none.
  ///
  /// The view is displayed while its host is, unless its own last report to the tracker, as for the
  /// cells of a carousel, says otherwise. Hosts nest to any depth, and need not be bound
  /// themselves, but report their displays.
  ///
  /// Binding a host to another row, or to `nil`, unbinds every view inside it and renders it once
  /// as ``RowPhase/idle``: bind the host first. Binding a view in another host, or without one,
  /// moves it at once.
  ///
  /// **Errors**: a host that is or lies inside the view is ignored and reported to
  /// `OperationDiagnostics.onMisuse`.
  ///
  /// **Cost**: O(hosts around the view), and O(views inside the view) if the row is another one.
  ///
  /// - Parameters:
  ///   - view: Held weakly.
  ///   - row: `nil` unbinds the view.
  ///   - host: Held weakly; without it the view is not displayed.
  ///   - render: Called on the main actor. Do not capture the view.
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
    let binding = core.bind(cell, to: id, in: host, rendersLeaving: false) {
      [store] object, snapshot, error in
      render(unsafeDowncast(object, to: Cell.self), store.phase(snapshot, error))
    }
    if binding.isDue {
      let error = binding.snapshot.failure == .none ? nil : core.error(of: binding.snapshot)
      render(cell, store.phase(binding.snapshot, error))
    }
    core.rendered(binding, in: host ?? cell)
  }

  /// Unbinds a cell, which may still be displayed, without a render.
  ///
  /// It is not needed before a cell is bound anew or deallocated. Views inside the cell are unbound
  /// too, and rendered once as ``RowPhase/idle``.
  public func unbind(_ cell: AnyObject) { enter(.unbind(cell: cell)) }

  /// Reports that a cell came on screen.
  ///
  /// It may do so before it is bound, and again without a `bind` in between. A cell with outdated
  /// content is rendered at once.
  @inlinable
  public func willDisplay(_ cell: AnyObject) {
    core.willDisplay(cell)
  }

  /// Reports that a cell left the screen.
  ///
  /// The row is that of the cell's binding, whatever index path the list names. Unknown cells and
  /// repeated calls are ignored; the cell's `deinit` may call it.
  @inlinable
  public func didEndDisplaying(_ cell: AnyObject) {
    core.didEndDisplaying(cell)
  }

  /// Reports all cells on screen, which repairs missed and superfluous events.
  ///
  /// Cells missing from the call count as having left, and views in hosts follow their hosts.
  ///
  /// O(cells that the tracker knows).
  ///
  /// - Parameter displayedCells: Bound or not.
  public func reconcile<Cell: AnyObject>(displayedCells: some Sequence<Cell>) {
    enter(.reconcile(cells: displayedCells.map { $0 as AnyObject }))
  }

  // MARK: Inputs

  /// Takes any input of a list or an app, for adapters and scripts.
  ///
  /// Inputs that need more than they hold are ignored: those that bind cells, come from loads or
  /// lists with positions, set values or let time pass.
  package func receive(_ input: TrackerInput<Row, AnyObject>) {
    switch input {
    case .cellFor, .viewFor, .deallocate, .show, .report, .finish, .fail, .miss, .element,
      .endStream, .failStream, .setValue, .time, .listRows, .itemRows, .showPositions:
      break
    case .passEnd: core.takeTurn()
    case .willDisplay(_, let cell): willDisplay(cell)
    case .didEndDisplaying(_, let cell): didEndDisplaying(cell)
    case .prefetch(let rows): prefetch(rows)
    case .setOrder(let rows): setOrder(rows)
    case .scrollWillEnd(let rows): scrollWillEnd(landingOn: rows)
    case .scrollDidSettle: scrollDidSettle()
    case .suspend: suspend()
    case .resume: resume()
    case .scrollWillBegin: scrollWillBegin()
    case .scrollDidMove: scrollDidMove()
    case .listScrollWillBegin(let list): scrollWillBegin(inList: list)
    case .listScrollDidMove(let list): scrollDidMove(inList: list)
    case .listScrollWillEnd(let rows, let list): scrollWillEnd(landingOn: rows, inList: list)
    case .listScrollDidSettle(let list): scrollDidSettle(inList: list)
    case .remove(let rows): remove(rows)
    case .removeAll: removeAll()
    case .networkDidReturn: networkDidReturn()
    case .cancelPrefetch, .retry, .invalidate, .invalidateAll, .removeCachedValues, .cover, .unbind,
      .reconcile:
      enter(named: input)
    }
  }

  func enter(named input: TrackerInput<Row, AnyObject>) {
    var renews = true
    if case .cancelPrefetch = input { renews = false }
    let known = input.map(
      row: { row in knownID(of: row).map { renews ? renewed($0, row) : $0 } }, cell: { $0 })
    if let known { enter(known) }
    // A turn releases the replaced instances.
    if !store.discarded.rows.isEmpty { core.requestTurn() }
  }

  private func renewed(_ id: RowID, _ row: Row) -> RowID {
    store.renew(id, row, passedAt: store.ordersPassed)
    return id
  }

  /// Every input but those of each row that scrolls past, which have faster paths.
  func enter(_ input: TrackerInput<RowID, AnyObject>) { core.enter(input) }
}
