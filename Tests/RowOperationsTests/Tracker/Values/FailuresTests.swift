import Testing

@testable import RowOperations

@Suite("The failures of rows as values")
struct FailuresTests {
  private let row = RowID(index: 0)
  private let cause = FailureCause(kind: 2)
  private let lack = FailureCause(kind: 3, isConnectivity: true)

  @Test("The failure of a load heals at once if the list or the network has come back meanwhile")
  func meanwhile() {
    var failures = Failures()
    failures.listReturned(at: 5)
    failures.networkReturned(at: 7)
    #expect(failures.takeHeal() == Failures.Heal(list: true, network: true))
    _ = failures.add(cause, of: row, since: 5, at: 9)
    _ = failures.add(lack, of: row, since: 7, at: 9)
    #expect(failures.pendingHeal.isNone, "the loads began afterwards")
    _ = failures.add(cause, of: row, since: 4, at: 9)
    #expect(failures.takeHeal() == Failures.Heal(list: true))
    _ = failures.add(lack, of: row, since: 6, at: 9)
    #expect(failures.takeHeal() == Failures.Heal(network: true))
    failures.addShared(lack, of: row, part: 1, since: 4)
    #expect(failures.takeHeal() == Failures.Heal(list: true, network: true))
  }

  @Test("Only a failure that a retry may cure shows a lack of the network")
  func lackOfNetwork() {
    var failures = Failures()
    _ = failures.add(cause, of: row, since: 0, at: 9)
    _ = failures.add(
      FailureCause(kind: 3, isRetryable: false, isConnectivity: true), of: row, since: 0, at: 9)
    #expect(!failures.hasLackedNetwork)
    _ = failures.add(lack, of: row, since: 0, at: 9)
    #expect(failures.hasLackedNetwork)
  }

  @Test("All loads of one heal have one start, and the next heal begins two seconds later")
  func starts() {
    var failures = Failures()
    #expect(failures.startOfHeal(at: 10) == 10)
    #expect(failures.startOfHeal(at: 10) == 10)
    #expect(failures.startOfHeal(at: 11) == 2_000_000_010)
    #expect(failures.startOfHeal(at: 12) == 2_000_000_010)
    #expect(failures.startOfHeal(at: 9_000_000_000) == 9_000_000_000)
  }

  @Test("A series counts the displays that ended with one failure, and none of a batch")
  func repeats() {
    var series = FailureSeries()
    #expect(series.repeats == 0)
    for attempt in 1...2 {
      series.add(cause, at: 0)
      #expect(series.repeats == 1 && series.attempts == attempt)
    }
    series.beginAnew()
    #expect(series.repeats == 1 && series.attempts == 0)
    series.addShared(lack, part: 1)
    series.beginAnew()
    #expect(series.repeats == 1)
    series.add(lack, at: 0)
    #expect(series.repeats == 1, "the display before ended with another failure")
    series.beginAnew()
    series.add(lack, at: 0)
    #expect(series.repeats == 2 && !series.isGivenUp)
    series.beginAnew()
    series.add(lack, at: 0)
    #expect(series.repeats == 3 && series.isGivenUp && !series.isGivenUpAgain)
    series.beginAnew()
    series.add(lack, at: 40)
    #expect(series.isGivenUpAgain && series.nextChance(after: 30) == 70)
    series.add(FailureCause(kind: 3, isRetryable: false), at: 50)
    #expect(series.nextChance(after: 30) == nil)
  }
}

@Suite("The stream of a row as a value")
struct StreamStateTests {
  @Test("The first element is due at once, and others at the next whole multiple of the interval")
  func due() {
    var state = StreamState()
    #expect(state.dueTime(interval: 100, at: 250) == 250)
    state.hasElement = true
    #expect(state.dueTime(interval: 0, at: 250) == 250)
    state.lastDue = 100
    #expect(state.dueTime(interval: 100, at: 100) == 200)
    #expect(state.dueTime(interval: 100, at: 200) == 200)
    #expect(state.dueTime(interval: 100, at: 201) == 300)
    state.lastDue = 150
    #expect(state.dueTime(interval: 100, at: 200) == 300, "at least an interval after the last one")
    #expect(state.dueTime(interval: .max, at: 200) == .max)
    state.lastDue = .max - 150
    #expect(state.dueTime(interval: 100, at: .max - 3) == .max)
  }

  @Test("The stage changes at the end of a grace or a pause, or when a first value is late")
  func changes() {
    var state = StreamState()
    #expect(state.nextChange(timeout: 10) == .max)
    state.openedAt = 5
    state.owedLoad = 1
    #expect(state.nextChange(timeout: nil) == .max && state.nextChange(timeout: 10) == 15)
    state.graceEnd = 12
    #expect(state.nextChange(timeout: 10) == 12)
    state.stage = .paused(until: 11)
    #expect(state.nextChange(timeout: 10) == 11)
  }
}
