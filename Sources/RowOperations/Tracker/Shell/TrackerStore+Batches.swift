/// The operations of batches: the row of such an update is a list of rows, its value the answer.
extension TrackerStore {
  @usableFromInline typealias BatchUpdate = UpdateOperation<[Row], [Row: Value]>

  @inlinable
  func makeBatch(
    _ rows: [RowID], _ generation: UInt64,
    _ update: @escaping @Sendable (BatchContext<Row>) async throws -> [Row: Value]
  ) -> any TrackedUpdate {
    let names = rows.compactMap { self.rows[$0] }
    return BatchUpdate(token: RowToken(row: names, generation: generation)) {
      try await update(Self.context($0))
    }
  }

  @usableFromInline
  nonisolated static func context(
    _ context: UpdateContext<[Row], [Row: Value]>
  ) -> BatchContext<Row> {
    BatchContext(context)
  }

  @inlinable
  func take(
    _ operation: any TrackedUpdate, _ place: Int, _ row: RowID, _ accept: @MainActor (Int) -> Bool
  ) {
    // No lock: the result is written once, before its end is posted.
    guard let update = operation as? BatchUpdate, case .success(let answer) = update.decidedResult,
      let value = answer[update.token.row[place]]
    else { return }
    if accept(cost(of: value)) { keep(value, row) }
  }

  @inlinable
  func endBatch(
    _ operation: any TrackedUpdate, isCurrent: Bool,
    _ accept: @MainActor (TrackerEngine.Outcome) -> Void
  ) -> (any Error)? {
    let failure: any Error
    switch (operation as? BatchUpdate)?.decidedResult {
    case .success:
      accept(.value(cost: 0))
      return nil
    case .failure(let error): failure = error
    case nil: failure = CancellationError()
    }
    fail(with: failure, isCurrent: isCurrent) {
      accept($0)
      return true
    }
    return failure
  }

  @usableFromInline
  func stepBatch(_ operation: any TrackedUpdate, _ rows: [RowID]) -> Bool {
    guard let progress = (operation as? BatchUpdate)?.takeStep()?.progress else { return false }
    // A batch shows no values, so there is none to release.
    for row in rows { steps[row] = UpdateStep(progress: progress) }
    return true
  }

  @usableFromInline
  func report(_ event: BatchReport) {
    guard let update = event.operation as? BatchUpdate else { return }
    let row = update.token.row[event.place]
    let batch = update.token.generation
    report(event.report, of: row, event.generation, event.error, batch: batch) {
      (update.stageLog, update.result?.failure)
    }
  }
  @usableFromInline
  func names(of operation: any TrackedUpdate) -> [String] {
    (operation as? BatchUpdate)?.token.row.map { "\($0)" } ?? []
  }
}
