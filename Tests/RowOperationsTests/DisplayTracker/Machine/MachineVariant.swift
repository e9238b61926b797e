import RowOperationsTesting
import Testing

@testable import RowOperations

/// A tracker's machine in one of the settings in which it is tested.
struct MachineVariant: Sendable, CustomTestStringConvertible {
  let name: String
  let slots: Int
  let isSharing: Bool
  let settings: TrackerMachine.Settings
  /// Whether some rows are in the app's cache, and some have nothing to load.
  var hasOddRows = false
  var testDescription: String { hasOddRows ? "\(name), odd rows" : name }

  init(
    _ name: String, slots: Int = 2, sharing: Bool = false,
    configure: (inout TrackerMachine.Settings) -> Void = { _ in }
  ) {
    self.name = name
    self.slots = slots
    isSharing = sharing
    var settings = TrackerMachine.Settings()
    settings.sharesLoads = sharing
    configure(&settings)
    self.settings = settings
  }

  /// What a row's value is loaded from: if loads are shared, one for each two rows.
  var key: @Sendable (Int) -> Int {
    let isSharing = isSharing
    return { isSharing ? $0 / 2 : $0 }
  }

  var driver: MachineDriver {
    let (key, hasOddRows) = (key, hasOddRows)
    return MachineDriver(settings: settings, slots: slots, resource: isSharing ? key : nil) { row in
      guard hasOddRows else { return .operation }
      switch key(row) % 3 {
      case 0: return .operation
      case 1: return .cache
      default: return .nowhere
      }
    }
  }

  /// The same, with rows that need no operation among the others.
  var withOddRows: MachineVariant {
    var variant = self
    variant.hasOddRows = true
    return variant
  }

  static let all: [MachineVariant] = [
    MachineVariant("adaptive, two slots"),
    MachineVariant("one slot, nothing prefetched", slots: 1),
    MachineVariant("immediate") { $0.scrollPolicy = .immediate },
    MachineVariant("when settled") { $0.scrollPolicy = .whenSettled },
    MachineVariant("shared loads", sharing: true),
    MachineVariant("shared loads, few values kept", slots: 3, sharing: true) {
      $0.valueLimit = 1
    },
    MachineVariant("no value kept") { $0.valueLimit = 0 },
    MachineVariant("values kept by cost") {
      $0.valueLimit = nil
      $0.costLimit = 2
    },
    MachineVariant("no grace") { $0.grace = 0 },
    MachineVariant("a timeout") { $0.timeout = 100_000_000 },
    MachineVariant("never retried") { $0.retry = .never },
    MachineVariant("retried after a delay", sharing: true) {
      $0.retry = .backoff(.exponential(from: .milliseconds(50), jitter: 0, limit: 2))
      $0.timeout = 200_000_000
    },
    MachineVariant("few prefetches kept", slots: 4) { $0.prefetchLimit = 2 },
  ]
}
