import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Random mixes of operations", .serialized, .timeLimit(.minutes(60)))
struct MixStress {
  // In a process of its own: beside other tests, a mix may wait for a thread for minutes.
  @Test("Each operation of a mix ends by the rules, and nothing of it is left behind")
  func mixes() async {
    await #expect(processExitsWith: .success) { await playMixes() }
  }

  @Test("The witness detects two bodies in a category for one, and several of one holder are one")
  func witness() {
    let (witness, category) = (MixWitness(), ExclusionCategory("mix"))
    let (first, second) = (MixWitness.Holder([category]), MixWitness.Holder([category]))
    witness.enter(first)
    witness.enter(first)
    witness.leave(first)
    #expect(witness.violations == [])
    witness.enter(second)
    #expect(witness.violations == ["more ran in a category than its limit"])
  }
}

/// Plays random mixes, one after the other.
private func playMixes() async {
  let count = StressLevel.current.mixes
  var seeds = SeededGenerator(seed: StressLevel.seed)
  let (progress, current) = (Box(), Box<UInt64>(0))
  let explains = Box<@Sendable () -> String>({ "" })
  Watchdog.start(Watchdog.patient, on: progress, upTo: count) {
    print("A mix hangs: its seed is \(current.value).", explains.value())
  }
  for _ in 0..<count {
    let seed = seeds.next()
    current.set(seed)
    let (isReleased, violations) = await outcome(of: seed, explains)
    #expect(violations == [], "The seed of the mix is \(seed).")
    await until(isReleased)
    #expect(isReleased(), "The seed of the mix is \(seed).")
    progress.add()
  }
}

/// Nothing has a reference to the mix afterwards.
private func outcome(
  of seed: UInt64, _ explains: Box<@Sendable () -> String>
) async -> (isReleased: () -> Bool, violations: [String]) {
  let mix = Mix(seed: seed)
  let isReleased = await mix.run(explains)
  return (isReleased, mix.witness.violations)
}
