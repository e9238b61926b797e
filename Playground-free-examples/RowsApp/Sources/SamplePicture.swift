import CoreGraphics
import Foundation
import ImageIO

/// A landscape, drawn anew for each seed: a sky and three ranges of hills.
struct SamplePicture {
  let seed: UInt64

  private static let width = 600
  private static let height = 400

  /// The picture as a file; `nil` if the system has no memory for it.
  func png() -> Data? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB),
      let context = CGContext(
        data: nil, width: Self.width, height: Self.height, bitsPerComponent: 8, bytesPerRow: 0,
        space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
    else { return nil }
    draw(in: context)
    let data = NSMutableData()
    guard let image = context.makeImage(),
      let file = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
    else { return nil }
    CGImageDestinationAddImage(file, image, nil)
    return CGImageDestinationFinalize(file) ? data as Data : nil
  }

  private func draw(in context: CGContext) {
    let (width, height) = (CGFloat(Self.width), CGFloat(Self.height))
    context.setFillColor(color(light: 1))
    context.fill(CGRect(x: 0, y: 0, width: width, height: height))
    for range in 0..<3 {
      context.setFillColor(color(light: 0.7 - CGFloat(range) * 0.2))
      context.move(to: .zero)
      for x in stride(from: 0, through: width, by: 12) {
        let wave = sin(x / (60 + part(range) * 90) + part(range + 3) * 6)
        context.addLine(to: CGPoint(x: x, y: height * (0.6 - CGFloat(range) * 0.17) + wave * 40))
      }
      context.addLine(to: CGPoint(x: width, y: 0))
      context.fillPath()
    }
  }

  /// A number from 0 to 1, one of sixteen that the seed has.
  private func part(_ index: Int) -> CGFloat {
    CGFloat((seed &* (2 * UInt64(index) + 3)) >> 16 & 0xff) / 255
  }

  private func color(light: CGFloat) -> CGColor {
    CGColor(red: light * part(7), green: light * part(8), blue: light * part(9), alpha: 1)
  }
}
