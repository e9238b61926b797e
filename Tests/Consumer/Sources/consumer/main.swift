import Foundation
import Operations
import Screen

let faults = try await faultsOfOperations() + faultsOfScreen()
for fault in faults { print(fault) }
if !faults.isEmpty { exit(1) }
print("The consumer works as expected.")
