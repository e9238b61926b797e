#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A picture as it is shown, from its address.
  func picture(_ context: UpdateContext<URL, UIImage>) async throws -> UIImage {
    let data = try await context.fetch(context.row)
    return try await context.stage(.decode) {
      guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
        throw URLError(.cannotDecodeContentData)
      }
      return image
    }
  }
#endif
