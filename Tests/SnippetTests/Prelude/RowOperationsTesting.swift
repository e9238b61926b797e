import RowOperationsTesting

// Names that texts about tests leave to their readers.

let gate = LoadGate<Int, String>()
let clock = ManualClock()
let rows = Array(0..<100)
@MainActor let recorder = TrackerRecorder<Int>()
@MainActor let app = TrackedList(tracker) { Int($0) ?? -1 }

@MainActor func violations(after script: EventScript) -> [Violation] { [] }
