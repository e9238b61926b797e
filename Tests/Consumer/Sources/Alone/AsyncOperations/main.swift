import AsyncOperations
import Foundation

print(try await OperationQueue().value(of: TaskOperation { 42 }))
